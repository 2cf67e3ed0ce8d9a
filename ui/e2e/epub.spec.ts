import { expect, test } from "@playwright/test";
import { strToU8, zipSync } from "fflate";
import { expectAccessible } from "./accessible";
import { pathOf } from "./below";
import { unfold } from "./books";

const CONTAINER = `<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>`;
const PACKAGE = `<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Kindred</dc:title>
  <dc:creator>Octavia E. Butler</dc:creator><dc:language>en</dc:language><dc:subject>Science Fiction</dc:subject>
  </metadata><manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>
  <spine><itemref idref="one"/></spine></package>`;

/** An EPUB with one chapter of the given number of words. */
function epub(words: number): Buffer {
  const chapter = `<html><body>${"<p>word word</p>".repeat(words / 2)}</body></html>`;
  const files = { "META-INF/container.xml": CONTAINER, "book.opf": PACKAGE, "one.xhtml": chapter };
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))));
}

test("an EPUB fills in the form, its words counted on the device and kept as such", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(pathOf(request.url())));
  const data = { displayName: "Nora", email: `epub-${Date.now()}@example.org`, password: "a shelf of one's own" };
  await page.request.post("/api/auth/signup", { data });
  await page.goto("/add-book");
  const mimeType = "application/epub+zip";
  await page
    .getByLabel("Have the EPUB? Open it")
    .setInputFiles({ name: "kindred.epub", mimeType, buffer: epub(97_300) });
  await expect(page.getByText("97,300 words counted")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Kindred");
  await expect(page.getByLabel("Author")).toHaveValue("Octavia E. Butler");
  await expect(page.getByLabel("Word Count")).toHaveValue("97300");
  await expect(page.getByText("1 field filled in")).toBeVisible();
  await unfold(page, "More about this edition");
  await expect(page.getByRole("textbox", { name: "Genres" })).toHaveValue("Science Fiction");
  await expectAccessible(page);
  expect(sent).toEqual([]);

  await page.getByLabel("No date").check();
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  const { data: books } = await (await page.request.get("/api/books")).json();
  expect(books[0]).toMatchObject({ title: "Kindred", wordCount: 97_300, wordCountSource: "epub" });
  const { data: documents } = await (await page.request.get("/api/documents")).json();
  expect(documents).toMatchObject([{ digest: expect.stringMatching(/^[0-9a-f]{32}$/), bookId: books[0].id }]);
});

test("a file that is not an EPUB says so, and the form stays as it was", async ({ page }) => {
  const data = { displayName: "Nora", email: `no-epub-${Date.now()}@example.org`, password: "a shelf of one's own" };
  await page.request.post("/api/auth/signup", { data });
  await page.goto("/add-book");
  await page.getByLabel("Title").fill("Typed");
  const file = { name: "novel.epub", mimeType: "application/epub+zip", buffer: Buffer.from("not a book") };
  await page.getByLabel("Have the EPUB? Open it").setInputFiles(file);
  await expect(page.getByText("This EPUB can’t be read.")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Typed");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Forget this file" }).click();
  await expect(page.getByText("Have the EPUB? Open it")).toBeVisible();
});
