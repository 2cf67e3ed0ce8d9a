import { Parser } from "htmlparser2";
import { isIsbn } from "../books/isbn";

/** An element of an XML file, without its prefix and namespace. */
interface Element {
  name: string;
  attributes: Record<string, string>;
  /** Its text, including that of the elements inside. */
  text: string;
}

/** Every element of an XML file, in the order of their start tags. */
export function elementsOf(xml: string): Element[] {
  const found: Element[] = [];
  const open: Element[] = [];
  const parser = new Parser(
    {
      onopentag: (prefixed, attributes) => {
        const element = { name: prefixed.slice(prefixed.indexOf(":") + 1), attributes, text: "" };
        found.push(element);
        open.push(element);
      },
      ontext: (text) => {
        for (const element of open) element.text += text;
      },
      onclosetag: () => {
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return found;
}

/** The metadata of an EPUB, and the paths of its chapters. */
export interface Package {
  title: string;
  author: string;
  language: string | null;
  subjects: string[];
  /** 13 digits, or "" when the file has no valid ISBN. */
  isbn: string;
  /** The chapters' paths in the file, in reading order. */
  chapters: string[];
  /** The path of the picture on the cover, when the file names one. */
  cover?: string;
}

/** Reads the package document, which is at `path` in the file. */
export function packageOf(xml: string, path: string): Package {
  const elements = elementsOf(xml);
  const named = (name: string) => elements.filter((element) => element.name === name);
  const texts = (name: string) => named(name).map(clean).filter(Boolean);
  const items = new Map(named("item").map(({ attributes }) => [attributes.id, attributes]));
  const chapters = named("itemref")
    .filter(({ attributes }) => attributes.linear !== "no")
    .map(({ attributes }) => items.get(attributes.idref))
    .filter((item) => item !== undefined)
    .filter((item) => /html/.test(item["media-type"] ?? "") && !/\bnav\b/.test(item.properties ?? ""));
  const cover = coverOf(elements, items);
  return {
    ...(cover ? { cover: resolved(cover, path) } : {}),
    title: texts("title")[0] ?? "",
    author: authors(elements).join(", "),
    language: texts("language")[0] ?? null,
    subjects: texts("subject"),
    isbn: texts("identifier").map(isbnIn).find(Boolean) ?? "",
    chapters: chapters.map(({ href = "" }) => resolved(href, path)),
  };
}

/** The picture on the cover: of EPUB 3 the item with that property, of EPUB 2 the item that the metadata names. */
function coverOf(
  elements: Element[],
  items: ReadonlyMap<string | undefined, Element["attributes"]>,
): string | undefined {
  const named = elements.find(({ name, attributes }) => name === "meta" && attributes.name === "cover");
  const item =
    [...items.values()].find(({ properties = "" }) => /\bcover-image\b/.test(properties)) ??
    items.get(named?.attributes.content);
  return /^image\/(jpeg|png|webp|gif)$/.test(item?.["media-type"] ?? "") ? item?.href : undefined;
}

function clean({ text }: Element): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The authors of the book. When roles are given, other roles are left out: translators and illustrators are creators, too. */
function authors(elements: Element[]): string[] {
  const roles = new Map(
    elements
      .filter(({ name, attributes }) => name === "meta" && attributes.property === "role")
      .map((element) => [element.attributes.refines, clean(element)]),
  );
  const creators = elements.filter(({ name }) => name === "creator");
  const roleOf = ({ attributes }: Element) =>
    attributes["opf:role"] ?? attributes.role ?? roles.get(`#${attributes.id}`);
  const writers = creators.filter((creator) => (roleOf(creator) ?? "aut") === "aut");
  return (writers.length > 0 ? writers : creators).map(clean).filter(Boolean);
}

/** The ISBN-13 in an identifier, with or without `urn:isbn:` and hyphens; "" without one. */
export function isbnIn(identifier: string): string {
  const digits = identifier.replace(/^(urn:)?isbn:?/i, "").replace(/[\s-]/g, "");
  return isIsbn(digits) ? digits : "";
}

/** A path in the zip file, resolved against the file that names it, percent-decoded, without a fragment. */
export function resolved(href: string, from: string): string {
  const [path = ""] = href.split("#");
  return decodeURIComponent(new URL(path, `epub:///${from}`).pathname.slice(1));
}
