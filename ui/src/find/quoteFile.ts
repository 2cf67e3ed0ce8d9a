/** Files with passages that were marked in other programs: their import, and what to say of it. */
import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { keyOf } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import { BOOK_FIELDS } from "../kit/api/limits";
import type { BookTitle, QuoteImport } from "../kit/api/types";
import { upload } from "../kit/api/upload";
import { counted, whole } from "../kit/format";
import { toast } from "../kit/ui/toast";
import { useIsShown } from "../kit/ui/useIsShown";
import { libraryChanged } from "../library/books/api";
import { type ChosenFile, isRefused, useSending } from "../library/import/api";

/** The extensions of the files of Kindle, Readwise, KOReader and Kobo. */
export const QUOTE_FILES = ".txt,.csv,.json,.sqlite";

/** The maximum size of a file in bytes. */
const LARGEST_FILE = 10 * 1024 * 1024;

/** The reason why a file is not sent at all, or null. */
export function quoteFileRefusal(_name: string, size: number): string | null {
  if (size === 0) return "This file is empty.";
  return size > LARGEST_FILE ? "This file is larger than 10 MB." : null;
}

/** The bytes of a file that say whether it has passages. */
const START = 64 * 1024;

/** Whether a file has passages and nothing else, as the ones of a Kindle, Readwise and KOReader's highlights. */
export async function hasPassagesOnly(file: Blob): Promise<boolean> {
  const start = await file.slice(0, START).text();
  return /^={10}\s*$/m.test(start) || /^\s*\{/.test(start) || /^\W*Highlight,/.test(start);
}

/** A title of a file without a book here. */
export type UnknownTitle = QuoteImport["unknown"][number];

/** The books that are chosen for titles of a file. */
export type ChosenBooks = ReadonlyMap<UnknownTitle, BookTitle>;

const PATH = "/api/quotes/import";

function formOf(file: ChosenFile, chosen: ChosenBooks): FormData {
  const books = [...chosen].map(([{ title, author }, { id }]) => ({ title, author, bookId: id }));
  const form = new FormData();
  if (books.length > 0) form.append("books", JSON.stringify(books));
  form.append("file", file.content);
  return form;
}

/** What a file would bring. The former answer stays while books are chosen. */
export const quoteFileQuery = (file: ChosenFile, chosen: ChosenBooks) =>
  queryOptions({
    queryKey: keys.importPreview(file.id, "quotes", [...chosen]),
    queryFn: ({ signal }) => upload(PATH, formOf(file, chosen), { query: { dryRun: true }, signal, key: keyOf(file) }),
    placeholderData: keepPreviousData,
    retry: (failures, error) => failures < 1 && !isRefused(error),
  });

/** Imports the passages of a file. A notice tells a reader who has moved on to another page how it ended. */
export function useImportQuotes() {
  const client = useQueryClient();
  const isShown = useIsShown();
  return useSending({
    send: ({ file, chosen }: { file: ChosenFile; chosen: ChosenBooks }, sending) =>
      upload(PATH, formOf(file, chosen), sending),
    onSuccess: (result) => {
      libraryChanged(client);
      if (!isShown.current) toast({ title: addedText(result) });
    },
  });
}

/** Whose file it is. */
export const QUOTE_FORMATS: Partial<Record<QuoteImport["format"], string>> = {
  kindle: "Kindle’s clippings",
  readwise: "Readwise’s highlights",
  koreader: "KOReader’s highlights",
  kobo: "A Kobo’s library",
};

/** `212 passages: 180 fit books of yours, 32 don’t: choose the book, or leave them.` */
export function fitText({ passages, fits }: Pick<QuoteImport, "passages" | "fits">): string {
  const others = passages - fits;
  const all = `${counted(passages, "passage")}:`;
  if (others === 0) return `${all} ${passages === 1 ? "it fits a book" : "all fit books"} of yours.`;
  if (fits === 0) return `${all} none fits a book of yours. Choose the book, or leave them.`;
  const fit = fits === 1 ? "1 fits a book" : `${whole(fits)} fit books`;
  const rest =
    others === 1 ? "1 doesn’t: choose the book, or leave it" : `${whole(others)} don’t: choose the book, or leave them`;
  return `${all} ${fit} of yours, ${rest}.`;
}

/** What becomes of the passages that fit and are not added. */
export function notAddedText({ fits, added, known }: QuoteImport): string {
  const full = fits - added - known;
  const notes = [
    known > 0 &&
      `${whole(known)} ${known === 1 ? "is" : "are"} here already, or ${known === 1 ? "was" : "were"} deleted here.`,
    full > 0 &&
      `${whole(full)} ${full === 1 ? "has" : "have"} no room: a book keeps ${BOOK_FIELDS.quotes.maxItems} quotes.`,
  ];
  return notes.filter(Boolean).join(" ");
}

/** `188 quotes added` */
export const addedText = ({ added }: Pick<QuoteImport, "added">) => `${counted(added, "quote")} added`;

/** `7 were left out.` */
export function leftText({ passages, fits }: QuoteImport): string {
  const left = passages - fits;
  if (left === 0) return "";
  return `${whole(left)} ${left === 1 ? "was" : "were"} left out.`;
}
