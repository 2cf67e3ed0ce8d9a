import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { modulesOf } from "../src/library/lookup/scan/test-picture";
import { expectAccessibleInBoth, expectToFitPhones } from "./accessible";
import { unfold } from "./books";
import { OpenLibrary, openFormAt } from "./open-library";
import { OwnServer } from "./server";

test.use({ serviceWorkers: "block" });

/** A catalogue in the place of Open Library, and a server that asks it. */
let library: OpenLibrary;
let server: OwnServer;

test.beforeEach(async () => {
  library = await OpenLibrary.start();
  server = await OwnServer.at();
  await server.start(library.settings);
});

test.afterEach(async () => {
  await server.stop();
  library.stop();
});

const openForm = (page: Page) => openFormAt(page, server.url);

test("a finished book is saved with three acts after its title is typed", async ({ page }) => {
  await openForm(page);
  await expect(
    page.getByText("Asks openlibrary.org through this server. It learns the title, not who you are."),
  ).toBeVisible();
  await page.evaluate(() => {
    const acts = { presses: 0, keys: 0 };
    Object.assign(window, { acts });
    document.addEventListener("pointerdown", () => acts.presses++, true);
    document.addEventListener("keydown", () => acts.keys++, true);
  });
  await page.getByRole("searchbox", { name: "Look it up" }).click();
  await page.keyboard.type("kindred");
  expect(library.asked).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Kindred/ }).click();
  await expect(page.getByText(/Filled in: title, author, words, pages, ISBN, genres, cover\./)).toBeVisible();
  await page.getByRole("radio", { name: "8", exact: true }).check({ force: true });
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(page.getByText("Book added successfully!").first()).toBeVisible();
  const acts = await page.evaluate(() => (window as unknown as { acts: object }).acts);
  // The field, the book, the rating, the button; seven characters and Enter.
  expect(acts).toEqual({ presses: 4, keys: 8 });
  expect(library.asked).toEqual([expect.stringMatching(/^\/search\.json/), library.coverPath]);
  const { data } = await (await page.request.get(`${server.url}/api/books`)).json();
  expect(data[0]).toMatchObject({
    title: "Kindred",
    wordCount: 72_600,
    wordCountSource: "pages",
    isbn: "9780807083697",
    cover: { width: 60, height: 90 },
  });
});

test("a stored book gets what its reader ticks", async ({ page }) => {
  await openForm(page);
  const data = { title: "Kindred", author: "Octavia Butler", wordCount: 90_000, status: "undated" };
  const { book } = await (await page.request.post(`${server.url}/api/books`, { data })).json();
  await page.goto(`${server.url}/add-book?tab=edit&bookId=${book.id}`);
  await page.getByRole("searchbox", { name: "Look it up" }).fill("9780807083697");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Kindred/ }).click();
  await expect(page.getByRole("checkbox", { name: "Author" })).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Cover" })).toBeChecked();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  await page.getByRole("checkbox", { name: "Author" }).check();
  await page.getByRole("button", { name: "Fill in 4 fields" }).click();
  await expect(page.getByText("Filled in: author, pages, ISBN, cover.")).toBeVisible();
  await page.getByRole("button", { name: "Update Book" }).click();
  await expect(page.getByText("Book updated successfully!").first()).toBeVisible();
  const stored = await (await page.request.get(`${server.url}/api/books/${book.id}`)).json();
  expect(stored.book).toMatchObject({ author: "Octavia E. Butler", wordCount: 90_000, pages: 264 });
  expect(stored.book.cover).toMatchObject({ width: 60, height: 90 });
});

test("the catalogue on the server answers while one types, and its cover is fetched with the choice", async ({
  page,
}) => {
  const line = (kind: string, key: string, about: object) =>
    `/type/${kind}\t${key}\t1\t2026-10-31T00:00:00\t${JSON.stringify(about)}\n`;
  const english = [{ key: "/languages/eng" }];
  const dump = {
    works: line("work", "/works/OL1W", {
      title: "Kindred",
      authors: [{ author: { key: "/authors/OL1A" } }],
      first_publish_date: "1979",
    }),
    editions: line("edition", "/books/OL1M", {
      title: "Kindred",
      works: [{ key: "/works/OL1W" }],
      number_of_pages: 264,
      isbn_13: ["9780807083697"],
      covers: [7],
      languages: english,
    }),
    authors: line("author", "/authors/OL1A", { name: "Octavia E. Butler" }),
  };
  const args = ["catalogue", "build", "--to", join(server.folder, "data", "catalogue.db")];
  for (const [name, lines] of Object.entries(dump)) {
    const file = join(server.folder, `${name}.txt`);
    writeFileSync(file, lines);
    args.push(`--${name}`, file);
  }
  const built = spawnSync(process.env.BINARY ?? "", args, { encoding: "utf8" });
  expect(built.status, built.stderr).toBe(0);

  await openForm(page);
  await page.getByRole("searchbox", { name: "Look it up" }).pressSequentially("butler kind");
  const found = page.getByRole("button", { name: /^Kindred/ });
  await expect(found).toBeVisible();
  await expect(page.getByText("Catalog on this server: 1 found")).toBeVisible();
  expect(library.asked).toEqual([]);
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  await found.click();
  await expect(page.getByText(/^Filled in: title, author, words, pages, ISBN, .*cover\./)).toBeVisible();
  expect(library.asked).toEqual([library.coverPath]);
  await unfold(page, "More about this edition");
  await expect(page.getByRole("img", { name: "Cover of Kindred" })).toBeVisible();
});

test("a photo of a barcode is read in the browser and looked up", async ({ page }) => {
  await openForm(page);
  const picture = await page.evaluate((modules) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [900, 700];
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.fillStyle = "#999";
    context.fillRect(0, 0, 900, 700);
    context.filter = "blur(1.5px)";
    context.translate(450, 350);
    context.rotate(0.4);
    context.fillStyle = "#fff";
    context.fillRect(-260, -120, 520, 240);
    context.fillStyle = "#111";
    for (const [at, module] of [...modules].entries())
      if (module === "1") context.fillRect(at * 5 - 237.5, -90, 5, 180);
    return canvas.toDataURL("image/png").split(",")[1] as string;
  }, modulesOf("9780807083697"));
  await page.getByRole("button", { name: "Scan" }).click();
  await expect(page.getByRole("dialog", { name: "Scan the barcode" })).toBeVisible();
  await expect(page.getByText("The camera is not available. Take a photo, or type the 13 digits.")).toBeVisible();
  await expectAccessibleInBoth(page);
  const file = { name: "book.png", mimeType: "image/png", buffer: Buffer.from(picture, "base64") };
  await page.locator('input[type="file"][capture]').setInputFiles(file);
  await expect(page.getByText(/^Filled in: title, author/)).toBeVisible();
  expect(library.asked[0]).toContain("/api/books?bibkeys=ISBN%3A9780807083697&");
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
});
