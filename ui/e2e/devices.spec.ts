import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, request, test } from "@playwright/test";
import { expectAccessible } from "./accessible";

/** KOReader's statistics of two pages of "Trust", on November 10, 2025. */
const STATISTICS = readFileSync(join(import.meta.dirname, "../../fuzz/seeds/statistics/small.sqlite3"));

const shown = (page: Page, label: string) => page.getByRole("dialog").getByLabel(label, { exact: true }).inputValue();

async function signUp(page: Page): Promise<void> {
  const email = `devices-${Date.now()}-${Math.random()}@example.org`;
  const data = { displayName: "Nora", email, password: "a shelf of one's own", timezone: "UTC" };
  expect((await page.request.post("/api/auth/signup", { data })).status()).toBe(201);
}

/** A book in progress that the statistics know. Returns its id. */
async function addTrust(page: Page): Promise<number> {
  const book = { title: "Trust", author: "Hernan Diaz", status: "in-progress", wordCount: 100_000 };
  const made = await page.request.post("/api/books", { data: book });
  return (await made.json()).book.id;
}

test("a device gets its login on the page, reports, and the days stand in the book's log", async ({
  page,
  baseURL,
}) => {
  await signUp(page);
  const id = await addTrust(page);

  await page.goto("/devices");
  await expect(page.getByText("Nothing reports yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New device" }).click();
  await page.getByLabel("Name").fill("Kobo Libra");
  await page.getByRole("button", { name: "Create login" }).click();
  await expect(page.getByText("Type these into the device now.")).toBeVisible();
  await expectAccessible(page);
  const [username, password] = [await shown(page, "User name"), await shown(page, "Password")];
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Nothing yet.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Try this address" }).click();
  await expect(page.getByText("Devices that can open this address reach Shelfwise.")).toBeVisible();

  const device = await request.newContext({ baseURL, httpCredentials: { username, password, send: "always" } });
  const sent = await device.put("/dav/statistics/statistics.sqlite3", { data: STATISTICS });
  expect(sent.status()).toBe(201);
  await page.reload();
  await expect(page.getByText(/Last report .*1 day and 1 book/)).toBeVisible();
  const log = await (await page.request.get(`/api/books/${id}/days`)).json();
  expect(log.data).toMatchObject([{ day: "2025-11-10", at: 66, minutes: 2, covered: 66 }]);
});

test("a file from a device says what it brings, is taken over by the keyboard, and taken back", async ({ page }) => {
  await signUp(page);
  const id = await addTrust(page);
  const log = async () => (await (await page.request.get(`/api/books/${id}/days`)).json()).data;
  const choose = (name: string, buffer: Buffer) =>
    page
      .getByLabel("Drop a file from a device, or choose one")
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer });

  await page.goto("/devices");
  await choose("statistics.sqlite3", Buffer.from("SQLite format 3\0 and nothing else"));
  await expect(page.getByRole("alert")).toBeVisible();
  await choose("statistics.sqlite3", STATISTICS);
  await expect(page.getByText("KOReader’s statistics", { exact: true })).toBeVisible();
  await expectAccessible(page);
  expect(await log()).toEqual([]);
  await page.getByRole("button", { name: "Take over" }).press("Enter");
  await expect(page.getByText("1 book, 1 day, 2 min.")).toBeVisible();
  await expectAccessible(page);
  expect(await log()).toMatchObject([{ day: "2025-11-10", at: 66, minutes: 2, covered: 66 }]);

  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).press("Enter");
  await expect(page.getByText("What the file brought is gone again.", { exact: false })).toBeVisible();
  expect(await log()).toEqual([]);
  await page.goto("/import/history");
  await expect(page.getByText("Took 1 day of 1 book from statistics.sqlite3.")).toBeVisible();
});

test("a table of days is read once its columns are chosen", async ({ page }) => {
  await signUp(page);
  const id = await addTrust(page);
  await page.goto("/devices");
  const table = "Wann,Werk,Wer,Wie lange\n2025-11-10,Trust,Hernan Diaz,30\n2025-11-11,Trust,Hernan Diaz,45\n";
  await page
    .getByLabel("Drop a file from a device, or choose one")
    .setInputFiles({ name: "journal.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
  await page.getByLabel("Wann").selectOption("Day");
  await page.getByLabel("Werk").selectOption("Title");
  await page.getByLabel("Wer", { exact: true }).selectOption("Author");
  await page.getByLabel("Wie lange").selectOption("Minutes read");
  await page.getByRole("button", { name: "Take over" }).click();
  await expect(page.getByText("1 book, 2 days, 1 h 15 min.")).toBeVisible();
  const log = await (await page.request.get(`/api/books/${id}/days`)).json();
  expect(log.data).toMatchObject([
    { day: "2025-11-10", minutes: 30 },
    { day: "2025-11-11", minutes: 45 },
  ]);
});
