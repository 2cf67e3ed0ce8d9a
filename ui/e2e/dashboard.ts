import { expect, type Page } from "@playwright/test";
import type { Expected } from "./expected";
import { get } from "./people";

/** K and M as the product shows them. */
function short(n: number): string {
  const unit = (size: number) => (Math.min(Math.round((n / size) * 10), 9999) / 10).toFixed(1);
  if (n >= 1_000_000) return `${unit(1_000_000)}M`;
  return n >= 1000 ? `${unit(1000)}K` : String(n);
}

/** The value of a figure on the dashboard. */
export async function expectFigure(page: Page, label: string, value: string) {
  const figure = page.locator("dl > div").filter({ has: page.getByText(label, { exact: true }) });
  await expect(figure.locator("dd").first()).toHaveText(value);
}

/** The numbers of a chart from its hidden table: name, then the numbers of its columns. */
export async function chartRows(page: Page, caption: string): Promise<[string, ...number[]][]> {
  const rows = page.getByRole("table", { name: caption }).locator("tbody tr");
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? "")),
  );
  return texts.map(([name = "", ...numbers]) => [name, ...numbers.map((text) => Number(text.replaceAll(",", "")))]);
}

/** The rows of a chart's table by name, without those that have neither words nor books. */
async function chartSums(page: Page, caption: string) {
  const rows = (await chartRows(page, caption)).filter(([, words, books]) => words || books);
  return Object.fromEntries(rows.map(([name, words, books]) => [name, { words, books }]));
}

const whole = (n: number) => n.toLocaleString("en-US");

/** Compares every number of the dashboard with the expected one. `others` are books that count only in the total. */
export async function expectNumbers(page: Page, expected: Expected, others = 0) {
  await page.goto("/dashboard");
  await expect(page.getByText(`${whole(expected.books + others)} books tracked`)).toBeVisible();
  await expectFigure(page, "Total Words", short(expected.totalWords));
  await expectFigure(page, "Words YTD", short(expected.wordsYtd));
  await expectFigure(page, "Words (30 days)", short(expected.wordsLast30Days));
  await expectFigure(page, "Books Read", whole(expected.booksRead));
  await expectFigure(page, "Avg Rating", expected.averageRating.toFixed(1));
  await expectFigure(page, "Authors", whole(expected.authors));

  const measured = async (measure: "words" | "books") => {
    const genres = page.getByRole("group", { name: "Measure genres by" });
    await genres.getByRole("button", { name: measure === "words" ? "Words" : "Books" }).click();
    const sums = Object.entries(expected.genres).map(([name, sum]) => [name, sum[measure]] as const);
    await expect
      .poll(async () =>
        Object.fromEntries(
          (await chartRows(page, `Genre distribution by ${measure}`)).map(([name, sum]) => [name, sum]),
        ),
      )
      .toEqual(Object.fromEntries(sums.filter(([, sum]) => sum > 0)));
  };
  await measured("words");
  await measured("books");
  expect(await chartSums(page, "Words per month")).toEqual(expected.months);
  expect(await chartSums(page, "Words by format")).toEqual(expected.formats);
  const authors = (await chartRows(page, "Top authors")).map(([name, words, books]) => ({ name, words, books }));
  expect(authors).toEqual(expected.topAuthors.slice(0, 10));

  const { kpis } = await get<{ kpis: { rereads: number } }>(page.request, "/api/stats");
  expect(kpis.rereads).toBe(expected.rereads);
}
