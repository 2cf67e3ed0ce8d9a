import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { type Expected, goodreads } from "./goodreads";
import { get, setPlan, signUp, today } from "./people";

/** K and M as the product says them. */
function short(n: number): string {
  const unit = (size: number) => (Math.min(Math.round((n / size) * 10), 9999) / 10).toFixed(1);
  if (n >= 1_000_000) return `${unit(1_000_000)}M`;
  return n >= 1000 ? `${unit(1000)}K` : String(n);
}

async function importFile(page: Page, name: string, csv: string) {
  await page.goto("/import");
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(csv) });
}

/** The value of a figure on the dashboard. */
async function expectFigure(page: Page, label: string, value: string) {
  const figure = page.locator("dl > div").filter({ has: page.getByText(label, { exact: true }) });
  await expect(figure.locator("dd").first()).toHaveText(value);
}

/** The numbers beside a chart, as its hidden table says them. */
async function chartRows(page: Page, caption: string): Promise<string[][]> {
  const rows = page.getByRole("table", { name: caption }).locator("tbody tr");
  return rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? "")));
}

async function expectNumbers(page: Page, expected: Expected) {
  await page.goto("/dashboard");
  await expect(page.getByText(`${expected.books.toLocaleString("en-US")} books tracked`)).toBeVisible();
  await expectFigure(page, "Total Words", short(expected.totalWords));
  await expectFigure(page, "Words YTD", short(expected.wordsYtd));
  await expectFigure(page, "Words (30 days)", short(expected.wordsLast30Days));
  await expectFigure(page, "Books Read", expected.booksRead.toLocaleString("en-US"));
  await expectFigure(page, "Avg Rating", expected.averageRating.toFixed(1));
  await expectFigure(page, "Authors", expected.authors.toLocaleString("en-US"));

  const number = (text: string | undefined) => Number((text ?? "").replaceAll(",", ""));
  const genres = Object.fromEntries(
    (await chartRows(page, "Genre distribution")).map((row) => [row[0], number(row[1])]),
  );
  expect(genres).toEqual(Object.fromEntries(Object.entries(expected.genres).map(([name, sum]) => [name, sum.words])));
  const months = (await chartRows(page, "Words per month")).map((row) => [row[0], number(row[1])] as const);
  expect(Object.fromEntries(months.filter(([, words]) => words > 0))).toEqual(
    Object.fromEntries(
      Object.entries(expected.months)
        .filter(([, sum]) => sum.words > 0)
        .map(([month, sum]) => [month, sum.words]),
    ),
  );
  const formats = Object.fromEntries((await chartRows(page, "Words by format")).map((row) => [row[0], number(row[1])]));
  expect(formats).toEqual(Object.fromEntries(Object.entries(expected.formats).map(([name, sum]) => [name, sum.words])));
  const authors = (await chartRows(page, "Top authors")).map((row) => ({ name: row[0], words: number(row[1]) }));
  expect(authors).toEqual(expected.topAuthors.slice(0, 10));
}

test("a newcomer brings 2,600 rows from Goodreads, and every number on the dashboard is right", async ({ page }) => {
  test.setTimeout(180_000);
  const day = today();
  const { csv, expected } = goodreads(2600, day);
  const email = await signUp(page);
  setPlan(email, "shelfwise_plus");

  await importFile(page, "goodreads_library_export.csv", csv);
  const summary = `Goodreads export: ${expected.books.toLocaleString("en-US")} books, ${expected.items.toLocaleString("en-US")} to your TBR`;
  await expect(page.getByText(summary)).toBeVisible();
  await expectAccessible(page);
  expect((await get<{ total: number }>(page.request, "/api/books?limit=1")).total).toBe(0);
  await page.getByRole("button", { name: "Import as Read Books" }).click();
  await expect(
    page.getByText(`Successfully imported ${expected.books.toLocaleString("en-US")} books`).first(),
  ).toBeVisible();
  await expectAccessible(page);

  const { data: imports } = await get<{ data: { id: number; errors: number }[] }>(page.request, "/api/imports");
  expect(imports[0]?.errors).toBe(expected.rejectedLines.length);
  const rejected = await (await page.request.get(`/api/imports/${imports[0]?.id}/rejected`)).text();
  expect(rejected.trim().split("\n")).toHaveLength(expected.rejectedLines.length + 1);
  const { data: items } = await get<{ data: { title: string }[] }>(page.request, "/api/tbr");
  expect(items.map((item) => item.title)).toEqual(expected.itemTitles);
  await expectNumbers(page, expected);
  await expectAccessible(page);

  // The same file again adds nothing.
  const before = await get<{ data: unknown[] }>(page.request, "/api/books");
  await importFile(page, "goodreads_library_export.csv", csv);
  await page.getByRole("button", { name: "Import as Read Books" }).click();
  await expect(page.getByText("Successfully imported 0 books").first()).toBeVisible();
  expect(await get(page.request, "/api/books")).toEqual(before);

  // Undo leaves the library as it was: empty.
  const undone = await page.request.delete(`/api/imports/${imports[0]?.id}`);
  expect(await undone.json()).toEqual({ removed: expected.books, removedTbr: expected.items, kept: [], keptTbr: [] });
  await page.goto("/dashboard");
  await expect(page.getByText("0 books tracked")).toBeVisible();
});
