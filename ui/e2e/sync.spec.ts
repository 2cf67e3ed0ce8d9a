import { expect, test } from "@playwright/test";
import { expectAccessibleInBoth, expectToFitPhones } from "./accessible";
import { chooseFile, fold, importBooks, library } from "./import";
import { setPlan, signUp } from "./people";

const HEADER = "Book Id,Title,Author,My Rating,Publisher,Date Read,Bookshelves,Exclusive Shelf,Read Count\n";
const LAST = `${HEADER}1,Emma,Jane Austen,3,Penguin,2024/01/05,,read,1
2,Trust,Hernan Diaz,0,Picador,,to-read,to-read,0
3,In the Woods,Tana French,4,Viking,2023/02/03,,read,1
4,Circe,Madeline Miller,4,Bloomsbury,2023/05/06,,read,1
`;
const NEW = `${HEADER}1,Emma,Jane Austen,5,Penguin,2024/01/05,,read,1
2,Trust,Hernan Diaz,4,Picador,2026/05/01,,read,1
4,Circe,Madeline Miller,5,Bloomsbury,2023/05/06,,read,1
5,Kindred,Octavia Butler,0,Beacon,,currently-reading,currently-reading,0
`;

test.use({ viewport: { width: 390, height: 844 } });

test("a newer file brings a library up to date, a conflict is settled, and all of it is undone", async ({ page }) => {
  setPlan(await signUp(page), "shelfwise_plus");
  await importBooks(page, "goodreads_library_export.csv", LAST);
  const first = await library(page);
  const emma = first.books.find(({ title }) => title === "Emma");
  expect((await page.request.patch(`/api/books/${emma?.id}`, { data: { rating: 8.5 } })).status()).toBe(200);
  const before = await library(page);

  await chooseFile(page, "goodreads_library_export.csv", NEW);
  // The field is gone, and the keyboard goes on in what came in its place.
  await expect(page.locator(":focus")).toContainText(
    "You’ve imported from Goodreads before. Only what changed there since",
  );
  await expect(page.getByText("“Emma”: rated 8.5 here, 10 there; it was 6 in the last file.")).toBeVisible();
  await expect(page.getByText("1 book, kept here")).toBeVisible();
  for (const part of ["New", "Moved on", "Changed", "Removed there", "How it decides"]) await fold(page, part);
  await expect(page.getByText("rating 8 → 10")).toBeVisible();
  await expect(page.getByText("read May 1, 2026")).toBeVisible();
  await expect(page.getByText("In the Woods")).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);

  // The keyboard settles the conflict and leaves one row out.
  await page.getByRole("radio", { name: "Here" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "In this file" })).toBeChecked();
  await page.getByRole("checkbox", { name: /^Circe/ }).uncheck();

  // A request that fails keeps the choices.
  await page.route("**/api/books/import?mode=sync", (route) => route.abort());
  await page.getByRole("button", { name: "Apply 3 changes" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await fold(page, "Changed");
  await expect(page.getByRole("checkbox", { name: /^Circe/ })).not.toBeChecked();
  await page.unroute("**/api/books/import?mode=sync");
  await page.getByRole("button", { name: "Apply 3 changes" }).click();
  await expect(page.getByRole("heading", { name: /^Up to date: / })).toBeVisible();
  const after = await library(page);
  const rated = Object.fromEntries(after.books.map(({ title, rating }) => [title, rating]));
  expect(rated).toEqual({ Emma: 10, Trust: 8, "In the Woods": 8, Circe: 8, Kindred: null });
  expect(after.items).toEqual([]);

  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();
  expect(await library(page)).toEqual(before);
});

test("a newer file is asked what the first one was, and an answer changes what comes of it", async ({ page }) => {
  setPlan(await signUp(page), "shelfwise_plus");
  const ambiguous = `${HEADER}1,Emma,Jane Austen,3,Penguin,03/04/2024,,read,1\n`;
  await importBooks(page, "goodreads_library_export.csv", ambiguous);
  const days = async () => (await library(page)).books.map(({ dateCompleted }) => dateCompleted);
  expect(await days()).toEqual(["2024-03-04"]);

  await chooseFile(page, "goodreads_library_export.csv", ambiguous);
  await expect(page.getByText("Everything in this file is already here.")).toBeVisible();
  await page.getByRole("radio", { name: "Day first: Apr 3, 2024" }).check();
  await page.getByRole("button", { name: "Apply 1 change" }).click();
  await expect(page.getByRole("heading", { name: /^Up to date: / })).toBeVisible();
  expect(await days()).toEqual(["2024-04-03"]);
});
