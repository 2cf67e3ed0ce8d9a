import { expect, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth, expectToFitPhones, refusals } from "./accessible";
import { withPath } from "./below";
import { addBook, books, daysBefore, downloadCsv, unfold } from "./books";
import { chartRows, expectFigure } from "./dashboard";
import { setPlan, signUp, today } from "./people";
import { OURS } from "./server";

// Requests by the service worker would bypass the routes that a test intercepts.
test.use({ serviceWorkers: "block" });

const DAY = today();

const toast = (page: Page, title: string) => page.getByText(title, { exact: true }).first();

/** The table's only row. */
const row = (page: Page) => books(page).locator("tr[data-index]");

/** Opens the only book's form, from the table. */
async function edit(page: Page) {
  await page.getByRole("link", { name: "Edit Emma" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Emma");
}

async function save(page: Page) {
  await page.getByRole("button", { name: "Update Book" }).click();
  await expect(toast(page, "Book updated successfully!")).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
}

test("a book goes through all four ways of reading, and every number follows", async ({ page }) => {
  test.setTimeout(120_000);
  const refused = refusals(page);
  const email = await signUp(page);
  setPlan(email, "shelfwise_plus");

  // In progress: in the table, and in no figure.
  await page.goto("/add-book");
  await page.getByLabel("Title").fill("Emma");
  await page.getByLabel("Author").fill("Jane Austen");
  await page.getByLabel("Word Count").fill("90000");
  await unfold(page, "More about this edition");
  await page.getByRole("textbox", { name: "Genres" }).fill("Classics, Romance");
  await page.getByRole("radio", { name: "Currently reading" }).check();
  await expectAccessibleInBoth(page);
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(toast(page, "Book added successfully!")).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText("1 book tracked")).toBeVisible();
  await expect(row(page)).toContainText("In Progress");
  await expectFigure(page, "Books Read", "0");
  await expect(page.getByText("No data available")).toHaveCount(4);
  expect((await downloadCsv(page)).lines[1]).toBe('Emma,Jane Austen,90000,,,Print,No,"Classics, Romance"');

  // Finished on one day: counts everywhere.
  await edit(page);
  await page.getByRole("radio", { name: "Completed on a single date" }).check();
  await page.getByLabel("Date Completed").fill(DAY);
  await page.getByRole("radio", { name: "9", exact: true }).check({ force: true });
  await expectAccessibleInBoth(page);
  await save(page);
  await expect(row(page)).toContainText(DAY);
  await expectFigure(page, "Words (30 days)", "90.0K");
  await expectFigure(page, "Avg Rating", "9.0");
  await expect.poll(() => chartRows(page, "Words per month")).toEqual([[DAY.slice(0, 7), 90_000, 1]]);
  await expect.poll(() => chartRows(page, "Words by format")).toEqual([["Print", 90_000, 1]]);
  expect((await downloadCsv(page)).lines[1]).toBe(`Emma,Jane Austen,90000,${DAY},9,Print,No,"Classics, Romance"`);

  // Over a span, spread evenly: the months' words add up to the book's.
  await edit(page);
  await page.getByRole("radio", { name: "Read over a date span" }).check();
  await page.getByLabel("Start Date").fill(daysBefore(DAY, 69));
  await page.getByLabel("End Date").fill(DAY);
  await page.getByText("count on the last day").click();
  await page.getByRole("radio", { name: "All days equally" }).check();
  await expectAccessibleInBoth(page);
  await save(page);
  await expect.poll(async () => (await chartRows(page, "Words per month")).length).toBeGreaterThan(1);
  const months = await chartRows(page, "Words per month");
  expect(months.reduce((sum, [, words = 0]) => sum + words, 0)).toBe(90_000);
  // The figures count whole books by the day of completion.
  await expectFigure(page, "Words (30 days)", "90.0K");

  // Without a date: words, authors and genres, but no month.
  await edit(page);
  await page.getByRole("radio", { name: /^No date/ }).check();
  await save(page);
  await expect(row(page)).toContainText("No Date");
  await expectFigure(page, "Total Words", "90.0K");
  await expectFigure(page, "Words YTD", "0");
  await expect.poll(() => chartRows(page, "Top authors by words")).toEqual([["Jane Austen", 90_000, 1]]);
  await expect(page.getByRole("figure", { name: "Words per Month" }).getByText("No data available")).toBeVisible();
  expect((await downloadCsv(page)).lines[1]).toMatch(/^Emma,Jane Austen,90000,,/);
  expect(refused).toEqual([]);
});

test("a failed save keeps the form's values", async ({ page }) => {
  await signUp(page);
  await page.goto("/add-book");
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(page.getByLabel("Title")).toBeFocused();
  await expectAccessibleInBoth(page);

  await page.getByLabel("Title").fill("Emma");
  await page.getByLabel("Author").fill("Jane Austen");
  await page.getByLabel("Word Count").fill("155887");
  await page.getByRole("radio", { name: /^No date/ }).check();
  await page.route("**/api/books", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 507, headers: OURS, json: { error: "The disk is full.", code: "disk_full" } })
      : route.continue(),
  );
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(toast(page, "Failed to add book")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Emma");
  await expect(page.getByLabel("Word Count")).toHaveValue("155887");
  await expectAccessibleInBoth(page);

  await page.unroute("**/api/books");
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(page.getByText("1 book tracked")).toBeVisible();
});

test("a book is deleted only once that was said twice", async ({ page }) => {
  await signUp(page);
  const id = await addBook(page, { dateCompleted: DAY });
  await page.goto(`/add-book?tab=edit&bookId=${id}`);
  await page.getByRole("button", { name: "Delete Book" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Are you sure you want to delete this book?" });
  await expect(dialog.getByRole("button", { name: "Keep book" })).toBeFocused();
  await expectAccessibleInBoth(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Delete Book" })).toBeFocused();

  await page.getByRole("button", { name: "Delete Book" }).click();
  await dialog.getByRole("button", { name: "I'm sure" }).click();
  await expect(toast(page, "Book deleted successfully!")).toBeVisible();
  await expect(page.getByText("0 books tracked")).toBeVisible();
  expect((await page.request.get(`/api/books/${id}`)).status()).toBe(404);
});

test("a free shelf is full at 150 books, and says so in place of the form", async ({ page }) => {
  const email = await signUp(page);
  for (let number = 1; number <= 149; number++) {
    await addBook(page, { title: `Book ${number}`, status: "undated", wordCount: 1_000 });
  }
  await page.goto("/add-book");
  await expect(page.getByLabel("Title")).toBeVisible();
  await addBook(page, { title: "Book 150", status: "undated" });
  await page.reload();
  await expect(page.getByText(/^You've reached the 150 book limit on the Reader plan\./)).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("link", { name: "Upgrade" })).toHaveAttribute(
    "href",
    withPath("/pricing"),
  );
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);

  // The shelf of 150 books, and the rows of a long table, on every screen.
  await page.goto("/dashboard");
  await expect(page.getByText("150 books tracked")).toBeVisible();
  await books(page).scrollIntoViewIfNeeded();
  await expect(books(page)).toHaveAttribute("aria-rowcount", "151");
  await expect(books(page).locator("tr[data-index]")).toHaveCount(25);
  await page.getByRole("button", { name: "50 more" }).click();
  await expect(page.getByText("75 of 150 books")).toBeVisible();
  await expect(page.locator(":focus")).toHaveText("Book 125");
  await page.getByRole("button", { name: "All 150 books" }).click();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(books(page).locator('tr[aria-rowindex="151"]')).toBeVisible();
  await expect(books(page).locator('tr[aria-rowindex="151"]')).not.toBeEmpty();
  expect(await books(page).locator("tr[data-index]").count()).toBeLessThan(60);
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);

  setPlan(email, "shelfwise_plus");
  await page.goto("/add-book");
  await expect(page.getByLabel("Title")).toBeVisible();
});
