import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { expectAccessible, expectToFitPhones } from "./accessible";
import { fold } from "./import";
import { setPlan, signUp } from "./people";

/*
 * A library leaves for another program, on a phone.
 */

test("a reader sees what another program has no place for, answers, and downloads the file", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  setPlan(await signUp(page), "shelfwise_plus");
  const books = [
    {
      title: "Emma",
      author: "Jane Austen",
      wordCount: 155_887,
      status: "completed",
      dateCompleted: "2024-05-06",
      rating: 8,
    },
    {
      title: "Kim",
      author: "Rudyard Kipling",
      status: "completed",
      dateCompleted: "spring 2020",
      quotes: ["The Great Game"],
    },
  ];
  for (const data of books) expect((await page.request.post("/api/books", { data })).status()).toBe(201);

  await page.goto("/account?tab=connections");
  await page.getByRole("link", { name: "Export" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Export" })).toBeVisible();
  await expectAccessible(page);
  await fold(page, "Goodreads");
  await expect(page.getByText("2 books come along.").first()).toBeVisible();
  await expect(page.getByText("Goodreads has no place for")).toBeVisible();
  await fold(page, "Rough dates");
  await expect(page.getByRole("link", { name: "Kim" }).first()).toBeVisible();
  await fold(page, "Choices");
  await page.getByRole("radio", { name: "Add them to the review" }).first().check();
  await expectAccessible(page);
  await expectToFitPhones(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download for Goodreads" }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^goodreads-\d{4}-\d\d-\d\d\.csv$/);
  const text = readFileSync(await file.path(), "utf8");
  expect(text).toContain("Emma,Jane Austen");
  expect(text).toContain("2020/05/31");
  expect(text).toContain("The Great Game");
  await expect(page.getByRole("status").filter({ hasText: "Downloaded. Then in Goodreads: My Books" })).toBeVisible();

  await page.goto("/account/elsewhere");
  await expect(page).toHaveURL(/\/account\/export$/);
});
