import { strFromU8, unzipSync } from "fflate";
import { digestOf } from "./digest";
import { elementsOf, packageOf, resolved } from "./package";
import { countWords, textOf } from "./text";

/** The metadata and the word count of an EPUB. */
export interface EpubBook {
  title: string;
  author: string;
  isbn: string;
  subjects: string[];
  language: string | null;
  words: number;
  /** What KOReader calls the file. */
  digest: string;
  /** The picture on the cover, as it is in the file. */
  cover?: Blob;
}

/** The reason why an EPUB could not be read. */
export type EpubProblem = "unreadable" | "protected" | "large";

export class EpubError extends Error {
  constructor(readonly problem: EpubProblem) {
    super(problem);
  }
}

/** The maximum size in bytes of a book's unpacked text; the longest novels have a tenth of it. */
const MOST_TEXT = 256 * 1024 * 1024;

/**
 * Reads title, author, ISBN, subjects and language, and counts the words of every chapter. Throws {@link EpubError}:
 * `unreadable` for a file that is not an EPUB, `protected` when the chapters are encrypted, `large` when it unpacks to
 * more than the maximum.
 */
export function readEpub(file: Uint8Array): EpubBook {
  const wanted = (names: ReadonlySet<string>) => unpack(file, names);
  const ahead = wanted(new Set(["META-INF/container.xml", "META-INF/encryption.xml"]));
  const rootfile = elementsOf(text(ahead, "META-INF/container.xml")).find(({ name }) => name === "rootfile");
  const path = rootfile?.attributes["full-path"];
  if (!path) throw new EpubError("unreadable");

  const { chapters, cover, ...about } = packageOf(text(wanted(new Set([path])), path), path);
  if (chapters.length === 0) throw new EpubError("unreadable");
  if (chapters.some((chapter) => encrypted(ahead).has(chapter))) throw new EpubError("protected");

  const files = wanted(new Set(cover ? [...chapters, cover] : chapters));
  const picture = cover !== undefined && !encrypted(ahead).has(cover) ? files[cover] : undefined;
  const words = chapters.reduce((sum, chapter) => sum + countWords(textOf(text(files, chapter)), about.language), 0);
  return {
    ...about,
    words,
    digest: digestOf(file),
    ...(picture ? { cover: new Blob([new Uint8Array(picture)]) } : {}),
  };
}

type Files = Record<string, Uint8Array>;

function unpack(file: Uint8Array, names: ReadonlySet<string>): Files {
  let bytes = 0;
  try {
    return unzipSync(file, {
      filter: ({ name, originalSize }) => {
        if (!names.has(name)) return false;
        bytes += originalSize;
        if (bytes > MOST_TEXT) throw new EpubError("large");
        return true;
      },
    });
  } catch (error) {
    throw error instanceof EpubError ? error : new EpubError("unreadable");
  }
}

/** A file as text: UTF-8, or UTF-16 by its byte order mark. */
function text(files: Files, name: string): string {
  const bytes = files[name];
  if (!bytes) throw new EpubError("unreadable");
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return strFromU8(bytes);
}

/** The files that are encrypted. Fonts are often among them, also in books that are free to read. */
function encrypted(files: Files): ReadonlySet<string> {
  const name = "META-INF/encryption.xml";
  if (!files[name]) return new Set();
  return new Set(
    elementsOf(text(files, name))
      .filter((element) => element.name === "CipherReference")
      .map(({ attributes: { URI = "" } }) => resolved(URI, "")),
  );
}
