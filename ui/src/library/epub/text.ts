import { Parser } from "htmlparser2";

/** Elements that end a word. Without a break at their edges, the words before and after them would merge. */
const BLOCKS = new Set(
  "address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr image img li main nav ol p pre section summary svg table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

/** Elements whose text is not part of the book; `rt` and `rp` repeat the sound of a word. */
const UNREAD = new Set(["head", "script", "style", "template", "rt", "rp"]);

/** The text of a chapter (XHTML or HTML), with a newline at the edge of every block. */
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
    // Chapters are XHTML: `<title/>` is closed. Entities are those of HTML, `&nbsp;` included.
    { recognizeSelfClosing: true, recognizeCDATA: true, decodeEntities: true },
  );
  parser.end(chapter);
  return texts.join("");
}

/** The number of words in a text, by the rules of its language when the browser knows them. */
export function countWords(text: string, language: string | null): number {
  // Firefox before 125 does not know the words of a language.
  if (!("Segmenter" in Intl)) return text.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  let words = 0;
  for (const { isWordLike } of segmenter(language).segment(text)) if (isWordLike) words += 1;
  return words;
}

function segmenter(language: string | null): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language ?? undefined, { granularity: "word" });
  } catch {
    // Not a valid language tag.
    return new Intl.Segmenter(undefined, { granularity: "word" });
  }
}
