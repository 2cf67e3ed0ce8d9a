import { LOOK_UP_BOOKS, TBR_ITEM_FIELDS } from "../../kit/api/limits";
import { isbnIn } from "../books/isbn";
import { EMPTY_ITEM, type ItemForm } from "../books/tbrItem";

/** A page that was shared to the list, and the book that was found in it. */
export interface Shared {
  /** What the form starts with. The notes say where it came from. */
  item: ItemForm;
  /** What to look up: the ISBN, or title and author; "" when no book was found. */
  question: string;
  /** The page's title and its site, "" where they are unknown. */
  from: { heading: string; site: string };
}

interface Named {
  title: string;
  author: string;
}

const ADDRESS = /https?:\/\/[^\s<>"]+/i;

/** Longer texts are passages, not titles. */
const LONGEST_TITLE = 200;

/** Sites whose name stands behind the titles of their pages, besides the page's own. */
const SITES = ["goodreads", "storygraph", "openlibrary", "librarything", "google"];

/** Reads what a system's share sheet or the bookmarklet sent in `title`, `text` and `url`; null when nothing was shared. */
export function readShared(parameters: URLSearchParams): Shared | null {
  const given = ["url", "text", "title"].map((name) => parameters.get(name)?.trim() ?? "");
  if (given.every((part) => part === "")) return null;
  // Apps may put the address into the text.
  const address = given.map((part) => ADDRESS.exec(part)?.[0]).find(Boolean) ?? "";
  const [, text = "", heading = ""] = given.map((part) => part.replace(ADDRESS, "").trim());
  const site = /^https?:\/\/(?:www\.)?([^/:?#]+)/i.exec(address)?.[1] ?? "";
  const isbn = [address, text, heading].map(isbnIn).find(Boolean) ?? "";
  const isLine = text.length <= LONGEST_TITLE && !text.includes("\n");
  const found = [isLine ? text : "", heading, slugOf(address)].map((line) => bookIn(line, site));
  const book = found.find(({ author }) => author) ?? found.find(({ title }) => title) ?? { title: "", author: "" };
  const title = book.title.slice(0, TBR_ITEM_FIELDS.title.maxLength);
  const author = book.author.slice(0, TBR_ITEM_FIELDS.author.maxLength);
  const notes = [isLine ? "" : text, address].filter(Boolean).join("\n").slice(0, TBR_ITEM_FIELDS.notes.maxLength);
  const question = (isbn || `${title} ${author}`.trim()).slice(0, LOOK_UP_BOOKS.q.maxLength);
  return { item: { ...EMPTY_ITEM, title, author, isbn, notes }, question, from: { heading, site } };
}

/** The title in the address of a book's page on Goodreads or Open Library. */
function slugOf(address: string): string {
  const slug = /\/(?:book\/show\/\d+[-.]|(?:works|books)\/OL\d+[WM]\/)([^/?#&]+)/.exec(address)?.[1] ?? "";
  return (new URLSearchParams(`slug=${slug}`).get("slug") ?? "").replace(/[-_]+/g, " ");
}

/** The book that a line names, such as "Orbital by Samantha Harvey | Goodreads". */
function bookIn(line: string, site: string): Named {
  // An ISBN is no title.
  if (!/\p{L}{2}/u.test(line.replace(/isbn/i, ""))) return { title: "", author: "" };
  if (/\bamazon\.\w/i.test(line)) return bookOfAmazon(line);
  const said = withoutSite(line, site);
  const quoted = /[“"„«](.+)[”"“»],? by (.+)$/.exec(said);
  const [, title = said, author = ""] = quoted ?? /^(.+) by (\P{Ll}.*)$/u.exec(said) ?? [];
  const bare = title.replace(/^[“"„«]+|[”"“»,]+$| a (book|novel)$/g, "");
  return { title: bare.trim(), author: author.trim() };
}

/** A page's title without the name of its site, as in " | Goodreads" and " - Bookshop.org US". */
function withoutSite(line: string, site: string): string {
  const at = Math.max(...[" | ", " - ", " – ", " — ", " · "].map((mark) => line.lastIndexOf(mark)));
  const last = line
    .slice(at + 3)
    .toLowerCase()
    .replace(/\W|^the /g, "");
  const names = [...site.split(".").filter((name) => name.length > 4), ...SITES];
  return at > 0 && names.some((name) => last.startsWith(name.replace(/^the/, ""))) ? line.slice(0, at) : line;
}

/** "Orbital: A Novel: Harvey, Samantha: 9780802163622: Amazon.com: Books". */
function bookOfAmazon(line: string): Named {
  const parts = line
    .split(/\s*: /)
    .filter((part) => !/^(amazon\.[a-z.]+|books|kindle store|[\dX-]{10,17})$/i.test(part.trim()));
  const name = parts.filter((part, at) => at > 0 && /^[^,\d]+, [^,\d]+$/.test(part)).at(-1);
  const title = parts.filter((part) => part !== name).join(": ");
  return { title: title.replace(/ ebook$/i, ""), author: name?.split(", ").reverse().join(" ") ?? "" };
}
