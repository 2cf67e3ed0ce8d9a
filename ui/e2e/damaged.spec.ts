import { request as send } from "node:http";
import { expect, type Page, test } from "@playwright/test";
import { pathOf } from "./below";
import { DAMAGED, FORMULA } from "./damaged";
import { goodreads } from "./goodreads";
import { chooseFile, csvRows, expectFigures, fold, importBooks, library } from "./import";
import { cell } from "./made-up";
import { get, setPlan, signUp, today } from "./people";

const EMPTY = { books: [], items: [] };
const IMPORT = (url: URL) => pathOf(url) === "/api/books/import" && !url.search;

/** Each refused row on the page, with its reason, in order. */
async function refusedOnPage(page: Page) {
  const rows = page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ hasText: /^Row \d/ });
  return rows.evaluateAll((all) => all.map((row) => [...row.children].map((part) => part.textContent)));
}

for (const { kind, fileName, csv, good, notes, reasons, mended } of DAMAGED) {
  test(`of a damaged ${kind} file every bad row is named, and can be mended and imported`, async ({ page }) => {
    setPlan(await signUp(page), "shelfwise_plus");
    const lines = Object.keys(reasons);
    const rowsOf = (said: Record<number, string>) =>
      Object.entries(said).map(([line, sentence]) => [`Row ${line}`, "", sentence]);
    const shown = rowsOf(reasons);
    await chooseFile(page, fileName, csv);
    await expect(page.getByText(`${kind} export`)).toBeVisible();
    await expectFigures(page, `Books ${good}`);
    await expect(page.getByText(`${lines.length} rows can’t be imported.`)).toBeVisible();
    await fold(page, "Errors");
    expect(await refusedOnPage(page)).toEqual([...shown, ...rowsOf(notes)]);
    await page.getByRole("button", { name: "Import as Read Books" }).click();
    const result = `Successfully imported ${good} books, ${lines.length} rows had errors`;
    await expect(page.getByText(result).first()).toBeVisible();
    await fold(page, "Errors");
    expect(await refusedOnPage(page)).toEqual([...shown, ...rowsOf(notes)]);
    expect((await library(page)).books).toHaveLength(good);

    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download these rows" }).click();
    const download = await downloading;
    const path = `/api/imports/${(await get<{ data: { id: number }[] }>(page.request, "/api/imports")).data[0]?.id}`;
    expect(pathOf(download.url())).toBe(`${path}/rejected`);
    const [header = [], ...rows] = csvRows(await (await page.request.get(`${path}/rejected`)).text());
    expect(rows.map((row) => [row.at(-2), row.at(-1)])).toEqual(Object.entries(reasons));
    const repaired = rows.map((row) => {
      const over = mended[Number(row.at(-2))] ?? {};
      return header.map((name, at) => over[name] ?? row[at] ?? "");
    });
    const file = [header, ...repaired].map((row) => row.map(cell).join(",")).join("\r\n");
    await importBooks(page, "mended.csv", file, { again: kind !== "Shelfwise" });
    await expect(page.getByText(`Successfully imported ${lines.length} books`, { exact: true }).first()).toBeVisible();
    const { books } = await library(page);
    expect(books).toHaveLength(good + lines.length);
    expect(new Set(books.map(({ author }) => author))).toEqual(new Set(["Ann Author", "Somebody"]));
    expect(books.map(({ title }) => title)).toContain(FORMULA);
    const texts = books.map(({ impressions }) => impressions).filter(Boolean);
    expect(texts.sort()).toEqual(["One line,\nand another.", "One line,\nand another.", "Two\r\nlines"]);
  });
}

test("an import that is cut off leaves file and choices, writes nothing, and is never made twice", async ({ page }) => {
  setPlan(await signUp(page), "shelfwise_plus");
  const csv = [
    "Book Id,Title,Author,My Rating,Number of Pages,Date Read,Bookshelves,Exclusive Shelf,Read Count,Wo gekauft",
    "1,Read,Ann Author,4,200,2024/05/06,,read,3,Bergen",
    "2,Given up,Ann Author,2,100,,abandoned,abandoned,0,Oslo",
  ].join("\n");
  await chooseFile(page, "goodreads_library_export.csv", csv);
  for (const part of ["Columns", "Shelves", "Details"]) await fold(page, part);
  await page.getByLabel("abandoned").selectOption("read");
  await page.getByLabel("Also add 2 earlier reads").check();
  await page.getByRole("button", { name: /^Show \d+ more columns?$/ }).click();
  await page.getByLabel("Wo gekauft").selectOption("notes");
  await expectFigures(page, "Books 4");
  const expectChoices = async () => {
    await expect(page.getByRole("alert").filter({ hasText: "Import failed" })).toBeVisible();
    await expect(page.getByLabel("abandoned")).toHaveValue("read");
    await expect(page.getByLabel("Also add 2 earlier reads")).toBeChecked();
    await expect(page.getByLabel("Wo gekauft")).toHaveValue("notes");
  };

  // The server can't be reached.
  await page.route(IMPORT, (route) => route.abort("connectionreset"));
  await page.getByRole("button", { name: "Import as Read Books" }).click();
  await expectChoices();
  expect(await library(page)).toEqual(EMPTY);
  expect(await get(page.request, "/api/imports")).toEqual({ data: [] });

  // The import is made, and its answer is lost.
  await page.unroute(IMPORT);
  await page.route(IMPORT, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(async () => (await library(page)).books.length).toBe(4);
  await expectChoices();
  await page.unroute(IMPORT);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Successfully imported 4 books").first()).toBeVisible();
  const { books } = await library(page);
  expect(books).toHaveLength(4);
  expect(books.filter(({ impressions }) => impressions === "Bergen")).toHaveLength(1);
  expect((await get<{ data: unknown[] }>(page.request, "/api/imports")).data).toHaveLength(1);
});

test("a file of which only the beginning arrives writes nothing", async ({ page, baseURL }) => {
  await signUp(page);
  const { csv } = goodreads(500, today());
  const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const boundary = "half-a-file";
  const body = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="half.csv"\r\n\r\n${csv}`;
  await new Promise<void>((resolve) => {
    const headers = {
      cookie: cookies,
      origin: baseURL,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": Buffer.byteLength(body) * 2,
    };
    const request = send(new URL("/api/books/import", baseURL), { method: "POST", headers });
    request.on("close", resolve).on("error", () => {});
    request.write(body, () => request.destroy());
  });
  expect(await library(page)).toEqual(EMPTY);
  expect(await get(page.request, "/api/imports")).toEqual({ data: [] });
});

for (const [what, name, content, sentence] of [
  [
    "a picture",
    "cover.csv",
    Buffer.from("89504e470d0a1a0a0000000d49484452000001000000010008060000005c72a866", "hex"),
    "not text",
  ],
  [
    "a workbook",
    "books.csv",
    Buffer.from(`PK\u0003\u0004${"\0".repeat(22)}\u0013\0\0\0[Content_Types].xml`),
    "a spreadsheet file with another ending",
  ],
  ["a file of another ending", "books.pdf", Buffer.from("%PDF-1.7"), "Only .csv files can be imported"],
  ["a file of line breaks", "blank.csv", Buffer.from("\n\n\n"), "This file is empty"],
  ["an empty file", "empty.csv", Buffer.alloc(0), "This file is empty"],
] as const) {
  test(`${what} is refused in a sentence, and another file can be chosen`, async ({ page }) => {
    await signUp(page);
    await chooseFile(page, name, content);
    await expect(page.getByRole("alert").filter({ hasText: sentence })).toContainText("Nothing was imported.");
    await expect(page.getByRole("button", { name: "Import as Read Books" })).toBeDisabled();
    expect(await get(page.request, "/api/imports")).toEqual({ data: [] });
    await page.getByRole("button", { name: "Remove file" }).click();
    await expect(page.getByText("Drop a CSV file here, or choose one")).toBeVisible();
  });
}
