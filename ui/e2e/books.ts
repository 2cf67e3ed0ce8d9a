import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";

/** The body of `POST /api/books`. Missing fields are those of Emma. */
export interface Seed {
  title?: string;
  author?: string;
  wordCount?: number;
  pages?: number | null;
  quotes?: string[];
  format?: "Print" | "eBook" | "Audio";
  status?: "completed" | "in-progress" | "undated";
  startDate?: string | null;
  dateCompleted?: string | null;
  wordDistribution?: "final" | "spread";
  rating?: number | null;
  reread?: boolean;
  genres?: string[];
  impressions?: string | null;
  series?: { name: string; number: string | null };
  tags?: string[];
}

const EMMA = {
  title: "Emma",
  author: "Jane Austen",
  wordCount: 155_887,
  format: "Print",
  status: "completed",
  rating: 8,
  genres: ["Classics"],
};

/** Adds a book through the API, of another server than that of all tests at `url`, and returns its id. */
export async function addBook(page: Page, seed: Seed, url = ""): Promise<number> {
  const answer = await page.request.post(`${url}/api/books`, { data: { ...EMMA, ...seed } });
  if (!answer.ok()) throw new Error(`${answer.status()}: ${await answer.text()}`);
  return ((await answer.json()) as { book: { id: number } }).book.id;
}

/** The day a number of days before another, both yyyy-MM-dd. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}

/** The table of books. */
export const books = (page: Page): Locator =>
  page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "Author" }).getByRole("button") });

/** The titles in the table, from the top. */
export async function expectTitles(page: Page, titles: string[]): Promise<void> {
  await expect(books(page).getByRole("link", { name: /^Edit / })).toHaveCount(titles.length);
  const cells = books(page).locator("tr[data-index] td:first-child");
  await expect(cells).toHaveText(titles);
}

/** Presses Download CSV, and returns the file's name and lines. */
export async function downloadCsv(page: Page): Promise<{ name: string; lines: string[] }> {
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const file = await coming;
  const text = readFileSync(await file.path(), "utf8");
  // Excel takes a file without the byte order mark for one in the system's encoding.
  expect(text.startsWith("\uFEFF")).toBe(true);
  return { name: file.suggestedFilename(), lines: text.slice(1).trimEnd().split("\n") };
}

/** Opens a folded part of the book form. */
export async function unfold(page: Page, title: "More about this edition" | "Impressions and quotes"): Promise<void> {
  await page.locator("summary").filter({ hasText: title }).click();
}

/** Turns the wheel, and waits until the rows that came into view are drawn. */
export async function scroll(page: Page, pixels: number): Promise<void> {
  await page.mouse.wheel(0, pixels);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}
