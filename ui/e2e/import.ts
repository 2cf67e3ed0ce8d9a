import { expect, type Page } from "@playwright/test";
import { get } from "./people";

/** Chooses a file on the import page. */
export async function chooseFile(page: Page, name: string, content: string | Buffer) {
  await page.goto("/import");
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content) });
}

/** Imports a file of books on the page, up to the result. `again`: as new, though its tracker is known to the library. */
export async function importBooks(page: Page, name: string, content: string | Buffer, { again = false } = {}) {
  await chooseFile(page, name, content);
  if (again) await page.getByRole("button", { name: "Import it as new" }).click();
  await page.getByRole("button", { name: "Import as Read Books" }).click();
  await expect(page.getByText("Successfully imported").first()).toBeVisible({ timeout: 30_000 });
}

/** The figures above the choices about a file: `Books 3`. */
export async function expectFigures(page: Page, ...figures: string[]) {
  const shown = () =>
    page
      .locator("main dl > div")
      .evaluateAll((all) => all.map((one) => [...one.children].map((part) => part.textContent).join(" ")));
  await expect.poll(shown).toEqual(expect.arrayContaining(figures));
}

/** Opens or closes a folded part of the page by its name. */
export async function fold(page: Page, name: string) {
  await page
    .locator("summary")
    .filter({ has: page.getByText(name, { exact: true }) })
    .first()
    .click();
}

/** Books and items as the API returns them. */
export async function library(page: Page) {
  type List = { data: Record<string, unknown>[] };
  const [books, items] = [await get<List>(page.request, "/api/books"), await get<List>(page.request, "/api/tbr")];
  return { books: books.data, items: items.data };
}

/** The cells of a CSV's rows, the header included. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [[]];
  let rest = text.replace(/\r?\n$/, "");
  for (;;) {
    const [all, quoted, plain = "", end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/.exec(rest) ?? [];
    if (all === undefined) throw new Error(`no cell begins at ${rest.slice(0, 40)}`);
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    rest = rest.slice(all.length);
    if (end === "") return rows;
    if (end !== ",") rows.push([]);
  }
}
