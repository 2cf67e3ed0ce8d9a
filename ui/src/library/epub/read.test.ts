import { strToU8, zipSync } from "fflate";
import { expect, it } from "vitest";
import { digestOf } from "./digest";
import { isbnIn } from "./package";
import { EpubError, readEpub } from "./read";
import { countWords, textOf } from "./text";

const CONTAINER = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`;

const PACKAGE = `<?xml version="1.0"?>
<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" version="3.0">
  <metadata>
    <dc:identifier>urn:uuid:0</dc:identifier><dc:identifier>urn:isbn:978-0-8070-8369-7</dc:identifier>
    <dc:title>Kindred &amp; Others</dc:title>
    <dc:creator id="a">Octavia E. Butler</dc:creator><dc:creator id="b">Somebody Else</dc:creator>
    <meta refines="#a" property="role">aut</meta><meta refines="#b" property="role">trl</meta>
    <dc:language>en</dc:language><dc:subject>Science Fiction</dc:subject><dc:subject>Slavery</dc:subject>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="one" href="text/chapter%201.xhtml" media-type="application/xhtml+xml"/>
    <item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>
    <item id="ad" href="text/ad.xhtml" media-type="application/xhtml+xml"/>
    <item id="cover" href="cover.jpg" media-type="image/jpeg"/>
  </manifest>
  <spine><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/><itemref idref="ad" linear="no"/>
    <itemref idref="cover"/><itemref idref="missing"/></spine>
</package>`;

const FILES = {
  "META-INF/container.xml": CONTAINER,
  "OEBPS/content.opf": PACKAGE,
  "OEBPS/nav.xhtml": "<html><body>Contents that no one counts</body></html>",
  "OEBPS/text/chapter 1.xhtml":
    "<html><head><title>Not read</title></head><body><h1>One</h1><p>I lost an arm.</p></body></html>",
  "OEBPS/text/two.xhtml": "<html><head><title/></head><body><p>On my last<br/>trip&nbsp;home.</p></body></html>",
  "OEBPS/text/ad.xhtml": "<html><body>Also by this author</body></html>",
};

function epub(changes: Record<string, string | null> = {}): Uint8Array {
  const files = Object.entries({ ...FILES, ...changes }).filter(([, text]) => text !== null);
  return zipSync(Object.fromEntries(files.map(([name, text]) => [name, strToU8(text ?? "")])));
}

/** The reason why a file could not be read. */
function problemOf(file: Uint8Array): string {
  try {
    readEpub(file);
    return "none";
  } catch (error) {
    return error instanceof EpubError ? error.problem : String(error);
  }
}

it("reads the metadata, and counts the words of the chapters only", () => {
  const file = epub();
  expect(readEpub(file)).toEqual({
    title: "Kindred & Others",
    author: "Octavia E. Butler",
    isbn: "9780807083697",
    subjects: ["Science Fiction", "Slavery"],
    language: "en",
    words: 5 + 5,
    digest: digestOf(file),
  });
});

it("words at the edge of a block do not glue together, those within one do", () => {
  const words = (chapter: string) => countWords(textOf(chapter), "en");
  expect(words("<p>one</p><p>two</p>")).toBe(2);
  expect(words("<ul><li>one</li><li>two</li></ul>three<br/>four")).toBe(4);
  expect(words("<p><span>O</span>nce upon a t<i>i</i>me</p>")).toBe(4);
  expect(words("<p>It’s 3,000 &eacute;t&eacute;s</p>")).toBe(3);
});

it("text that is not part of the book is not counted", () => {
  const words = (chapter: string) => countWords(textOf(chapter), "ja");
  expect(words("<body><style>p { color: red }</style><script>let words;</script><!-- a comment --></body>")).toBe(0);
  expect(words("<body><ruby>本<rp>(</rp><rt>ほん</rt><rp>)</rp></ruby></body>")).toBe(1);
});

it("a text without spaces has words too", () => {
  expect(countWords("吾輩は猫である。", "ja")).toBeGreaterThan(3);
  expect(countWords("Two words", "no such language!")).toBe(2);
});

it("chapters that need a key are called copy-protected, fonts that need one are not", () => {
  const encryption = (uri: string) =>
    `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`;
  const locked = (uri: string) => epub({ "META-INF/encryption.xml": encryption(uri) });
  expect(problemOf(locked("OEBPS/text/chapter%201.xhtml"))).toBe("protected");
  expect(problemOf(locked("OEBPS/fonts/serif.otf"))).toBe("none");
});

it.each([
  ["no zip file", strToU8("PK, but not really")],
  ["a zip file of something else", zipSync({ "a.txt": strToU8("text") })],
  ["one without its chapters", epub({ "OEBPS/text/two.xhtml": null })],
  ["one without its package", epub({ "OEBPS/content.opf": null })],
])("%s can't be read", (_, file) => {
  expect(problemOf(file)).toBe("unreadable");
});

it("an ISBN counts only when it is one", () => {
  expect(isbnIn("urn:isbn:978-0-8070-8369-7")).toBe("9780807083697");
  expect(isbnIn("9780807083698")).toBe("");
  expect(isbnIn("urn:uuid:9780807083697-0")).toBe("");
});

const COVERED = PACKAGE.replace(`href="cover.jpg"`, `href="cover%201.jpg" properties="cover-image"`);

it("reads the cover that the package names, of EPUB 3 and of EPUB 2", async () => {
  const bytes = async (changes: Record<string, string | null>) =>
    (await readEpub(epub(changes)).cover?.arrayBuffer())?.byteLength;
  expect(await bytes({ "OEBPS/content.opf": COVERED, "OEBPS/cover 1.jpg": "pixels" })).toBe(6);
  const second = PACKAGE.replace("<dc:language>", `<meta name="cover" content="cover"/><dc:language>`);
  expect(await bytes({ "OEBPS/content.opf": second, "OEBPS/cover.jpg": "four" })).toBe(4);
});

it("has no cover where the picture is missing, encrypted or of a kind that no browser draws", () => {
  const encrypted = `<encryption><EncryptedData><CipherReference URI="OEBPS/cover%201.jpg"/></EncryptedData></encryption>`;
  const drawn = { "OEBPS/content.opf": COVERED, "OEBPS/cover 1.jpg": "pixels" };
  expect(readEpub(epub({ "OEBPS/content.opf": COVERED })).cover).toBeUndefined();
  expect(readEpub(epub({ ...drawn, "META-INF/encryption.xml": encrypted })).cover).toBeUndefined();
  const svg = COVERED.replace(`media-type="image/jpeg"`, `media-type="image/svg+xml"`);
  expect(readEpub(epub({ ...drawn, "OEBPS/content.opf": svg })).cover).toBeUndefined();
});
