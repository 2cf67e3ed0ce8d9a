import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { expectAccessible, expectToFitPhones } from "./accessible";
import { setPlan, signUp } from "./people";

/*
 * A library leaves for another program, on a phone.
 */

test("a reader sees what another program can't hold, answers, and downloads the file", async ({ page }) => {
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
  await page.getByRole("link", { name: "Choose a program" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Take it elsewhere" })).toBeVisible();
  const sentence =
    "Nothing is lost on the way to Goodreads but: words of 1 book, 1 rough date (written as its last day), quotes of 1.";
  await expect(page.getByText(sentence)).toBeVisible();
  await expectAccessible(page);
  await expectToFitPhones(page);
  await page.getByText("Rough dates", { exact: true }).first().click();
  await expect(page.getByRole("link", { name: "Kim" })).toBeVisible();
  await page.getByRole("radio", { name: "Put them below the review" }).check();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download for Goodreads" }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^goodreads-\d{4}-\d\d-\d\d\.csv$/);
  const text = readFileSync(await file.path(), "utf8");
  expect(text).toContain("Emma,Jane Austen");
  expect(text).toContain("2020/05/31");
  expect(text).toContain("The Great Game");
  await expect(page.getByRole("status").filter({ hasText: "In Goodreads: My Books" })).toBeVisible();

  await page.getByRole("radio", { name: /^Shelfwise/ }).check();
  await expect(page.getByText(/^Everything fits\. Import reads it back/)).toBeVisible();
  await expectToFitPhones(page);
});
