/** What all books of a filter can get at once, as it is chosen and typed. */
import type { Format } from "../../kit/api/types";
import { NO_LANGUAGE } from "./facts";
import { genresOf, wholeNumber, wordsRefusal } from "./model";

/** What can be changed, in the order of the choice. */
export const SUBJECTS = [
  { value: "genres", label: "Genres" },
  { value: "tags", label: "Tags" },
  { value: "series", label: "Series" },
  { value: "format", label: "Format" },
  { value: "language", label: "Language" },
  { value: "status", label: "Books in progress" },
  { value: "private", label: "Who sees them" },
  { value: "words", label: "Missing word counts" },
] as const;

export type Subject = (typeof SUBJECTS)[number]["value"];

/** The fields of the form, as typed. */
export interface ManyForm {
  subject: Subject;
  /** Genres or tags, separated by commas. */
  add: string;
  remove: string;
  series: string;
  format: Format;
  language: string;
  status: "tbr" | "did-not-finish";
  private: boolean;
  fromPages: boolean;
  fromCatalogue: boolean;
  words: string;
}

export const EMPTY_FORM: ManyForm = {
  subject: "genres",
  add: "",
  remove: "",
  series: "",
  format: "Print",
  language: NO_LANGUAGE,
  status: "tbr",
  private: true,
  fromPages: false,
  fromCatalogue: false,
  words: "",
};

/** What all books of a filter get and lose. Only books without a word count get one. */
export interface ManyChanges {
  addGenres?: string[];
  removeGenres?: string[];
  addTags?: string[];
  removeTags?: string[];
  series?: { name: string } | null;
  format?: Format;
  language?: string | null;
  status?: "tbr" | "did-not-finish";
  private?: boolean;
  wordsFromPages?: boolean;
  wordsFromCatalogue?: boolean;
  words?: number;
}

/** The change of a form, or a sentence for each field that is wrong, under the server's name of it. */
export function changeOf(form: ManyForm): { change: ManyChanges } | { refused: Readonly<Record<string, string>> } {
  switch (form.subject) {
    case "genres":
    case "tags": {
      const [add, remove] = [genresOf(form.add), genresOf(form.remove)];
      const isTags = form.subject === "tags";
      if (add.length + remove.length === 0)
        return isTags
          ? { refused: { addTags: "Name a tag to add or to remove." } }
          : { refused: { addGenres: "Name a genre to add or to remove." } };
      return { change: isTags ? { addTags: add, removeTags: remove } : { addGenres: add, removeGenres: remove } };
    }
    case "series":
      return { change: { series: form.series.trim() === "" ? null : { name: form.series.trim() } } };
    case "format":
      return { change: { format: form.format } };
    case "language":
      return { change: { language: form.language === NO_LANGUAGE ? null : form.language } };
    case "status":
      return { change: { status: form.status } };
    case "private":
      return { change: { private: form.private } };
    case "words":
      return wordsOf(form);
  }
}

function wordsOf({ fromPages, fromCatalogue, words }: ManyForm): ReturnType<typeof changeOf> {
  const isTyped = words.trim() !== "";
  const noWords = wholeNumber(words) < 1 && "Type how many words, at least 1.";
  const refusal = isTyped || !(fromPages || fromCatalogue) ? wordsRefusal(words) || noWords : false;
  if (refusal) return { refused: { words: refusal } };
  return {
    change: {
      ...(fromPages && { wordsFromPages: true }),
      ...(fromCatalogue && { wordsFromCatalogue: true }),
      ...(isTyped && { words: wholeNumber(words) }),
    },
  };
}

/** What was done, as the title of a notice. */
export function doneTitle({ subject, status, private: isPrivate }: ManyForm): string {
  if (subject === "words") return "Words filled in";
  if (subject === "status") return status === "tbr" ? "Moved back to your TBR" : "Marked as not finished";
  if (subject === "private") return isPrivate ? "Only you see them now" : "No longer only for you";
  const label = SUBJECTS.find(({ value }) => value === subject)?.label ?? "Books";
  return `${label} changed`;
}
