import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { addBook, books, daysBefore } from "./books";
import { expectFigure } from "./dashboard";
import { get, setPlan, signUp, today } from "./people";

/*
 * A book is read again, paused, finished and given up from its page.
 */

const DAY = today();

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole("dialog");

/** Opens a book's page by its title in the table. */
async function openBook(page: Page, title: string) {
  await page.goto("/dashboard");
  await books(page).getByRole("link", { name: title, exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
}

test("a book is read again from its page: noted, paused, gone on with, finished", async ({ page }) => {
  setPlan(await signUp(page), "shelfwise_plus");
  await addBook(page, { dateCompleted: daysBefore(DAY, 400), rating: 7, wordCount: 100_000 });
  await openBook(page, "Emma");
  await expect(page.getByText("You have read this once.")).toBeVisible();
  await expectAccessible(page);

  await press(page, "Read again");
  await dialog(page).getByLabel("Format").selectOption("Audio");
  await press(page, "Start reading");
  await expect(page.getByRole("heading", { name: "2 reads" })).toBeVisible();

  await press(page, "Note where I am");
  const hint = "Type a percentage, or add the number of pages to use page numbers.";
  await expect(dialog(page).getByText(hint)).toBeVisible();
  await dialog(page).getByLabel("Place reached").fill("25");
  await dialog(page).getByLabel("Day").fill(daysBefore(DAY, 1));
  await press(page, "Note");
  await expect(page.getByText(/Start moved to/).first()).toBeVisible();
  await press(page, "Note where I am");
  await dialog(page).getByLabel("Place reached").fill("62.5");
  await press(page, "Note");
  await expect(page.getByText(/ 62\.5%\.$/)).toBeVisible();

  await press(page, "Pause");
  await expect(page.getByText(/^Paused since .*, at 62\.5%\.$/)).toBeVisible();
  await press(page, "Read on");
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();

  await page.goto("/dashboard");
  await expectFigure(page, "Books Read", "1");
  await page.goBack();
  await press(page, "Finish");
  await dialog(page).getByRole("radio", { name: "9", exact: true }).check({ force: true });
  await dialog(page).getByRole("button", { name: "Finish", exact: true }).click();
  await expect(page.getByText(/^Read 2 times, last finished on /)).toBeVisible();
  await expect(page.getByText(/^7 in \d{4}, 9 now\.$/)).toBeVisible();
  await page.goto("/dashboard");
  await expectFigure(page, "Books Read", "2");
  await expectFigure(page, "Total Words", "200.0K");
});

test("a book is given up at 30%, and no figure counts it", async ({ page }) => {
  setPlan(await signUp(page), "shelfwise_plus");
  await addBook(page, { dateCompleted: DAY, wordCount: 100_000 });
  const id = await addBook(page, {
    title: "Ulysses",
    status: "in-progress",
    rating: null,
    startDate: daysBefore(DAY, 9),
  });
  const before = await get<object>(page.request, "/api/stats");

  await openBook(page, "Ulysses");
  await press(page, "Did not finish");
  await dialog(page).getByLabel("Place reached").fill("30");
  await dialog(page).getByRole("button", { name: "Did not finish", exact: true }).click();
  await expect(page.getByText(/^Not finished\. Stopped on .*, at 30%\.$/)).toBeVisible();
  await expectAccessible(page);

  expect(await get<object>(page.request, "/api/stats")).toEqual(before);
  await page.goto("/dashboard?status=did-not-finish");
  const row = books(page).getByRole("row").filter({ hasText: "Ulysses" });
  await expect(row.getByText("Did Not Finish")).toBeVisible();
  await expect(row.getByRole("link", { name: "Edit Ulysses" })).toHaveAttribute(
    "href",
    `/add-book?tab=edit&bookId=${id}`,
  );
});

test("a day of the log is corrected and removed, and edit and delete lead back", async ({ page }) => {
  await signUp(page);
  const id = await addBook(page, { status: "in-progress", rating: null, startDate: daysBefore(DAY, 9) });
  expect((await page.request.put(`/api/books/${id}/days/${DAY}`, { data: { percent: 40 } })).ok()).toBe(true);
  await page.goto(`/book/${id}`);
  await page.getByText("Day log").click();
  await page.getByRole("button", { name: /^Change / }).click();
  await dialog(page).getByLabel("Place reached").fill("45");
  await press(page, "Save");
  await expect(page.getByRole("cell", { name: "45%" })).toBeVisible();
  await page.getByRole("button", { name: /^Change / }).click();
  await press(page, "Remove");
  await expect(page.getByText("no days")).toBeVisible();

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Word Count").fill("99000");
  await press(page, "Update Book");
  await expect(page).toHaveURL(new RegExp(`/book/${id}$`));
  await expect(page.getByText("99,000", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await press(page, "Delete Book");
  await press(page, "I'm sure");
  await expect(page).toHaveURL(/\/dashboard$/);
});
