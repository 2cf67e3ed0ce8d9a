import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, request, test } from "@playwright/test";
import { expectAccessible } from "./accessible";

/** KOReader's statistics of two pages of "Trust", on November 10, 2025. */
const STATISTICS = readFileSync(join(import.meta.dirname, "../../fuzz/seeds/statistics/small.sqlite3"));

const shown = (page: Page, label: string) => page.getByRole("dialog").getByLabel(label, { exact: true }).inputValue();

test("a device gets its login on the page, reports, and the days stand in the book's log", async ({
  page,
  baseURL,
}) => {
  const email = `devices-${Date.now()}-${Math.random()}@example.org`;
  const data = { displayName: "Nora", email, password: "a shelf of one's own", timezone: "UTC" };
  expect((await page.request.post("/api/auth/signup", { data })).status()).toBe(201);
  const book = { title: "Trust", author: "Hernan Diaz", status: "in-progress", wordCount: 100_000 };
  const made = await page.request.post("/api/books", { data: book });
  const { id } = (await made.json()).book;

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
