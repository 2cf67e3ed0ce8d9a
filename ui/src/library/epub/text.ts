import { Parser } from "htmlparser2";

/** Elements after which a new word begins, whatever stands around them: without a break their words would glue together. */
const BLOCKS = new Set(
  "address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr image img li main nav ol p pre section summary svg table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** Elements whose text nobody reads as part of the book; `rt` and `rp` repeat a word's sound. */
const UNREAD = new Set(["head", "script", "style", "template", "rt", "rp"]);

/** The text of a chapter (XHTML or HTML), a newline at every block's edge. */
export function textOf(chapter: string): string {
  const texts: string[] = [];
  let unread = 0;
  const edge = (name: string) => {
    if (BLOCKS.has(name)) texts.push("\n");
  };
  const parser = new Parser(
    {
      onopentagname: (name) => {
        if (UNREAD.has(name)) unread += 1;
        edge(name);
      },
      onclosetag: (name) => {
        if (UNREAD.has(name)) unread -= 1;
        edge(name);
      },
      ontext: (text) => {
        if (unread === 0) texts.push(text);
      },
    },
    // Chapters are XHTML: `<title/>` is closed. Entities are HTML's, `&nbsp;` among them.
    { recognizeSelfClosing: true, recognizeCDATA: true, decodeEntities: true },
  );
  parser.end(chapter);
  return texts.join("");
}

/** How many words a text has, by the rules of its language where the browser knows them. */
export function countWords(text: string, language: string | null): number {
  let words = 0;
  for (const { isWordLike } of segmenter(language).segment(text)) if (isWordLike) words += 1;
  return words;
}

function segmenter(language: string | null): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language ?? undefined, { granularity: "word" });
  } catch {
    // Not the name of a language.
    return new Intl.Segmenter(undefined, { granularity: "word" });
  }
}
