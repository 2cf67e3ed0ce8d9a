import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectToFitPhones } from "./accessible";
import { withPath } from "./below";
import { addBook, books, daysBefore, downloadCsv } from "./books";
import { chartRows, expectFigure } from "./dashboard";
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

async function editEverything(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More for this book" }).click();
  await page.getByRole("menuitem", { name: "Edit everything" }).click();
}

test("a book is read again from its page: noted, paused, gone on with, finished", async ({ page }) => {
  setPlan(await signUp(page), "shelfwise_plus");
  await addBook(page, { dateCompleted: daysBefore(DAY, 400), rating: 7, wordCount: 100_000 });
  await openBook(page, "Emma");
  await expect(page.getByRole("heading", { name: "1 read" })).toBeVisible();
  await expectAccessible(page);

  await press(page, "Read again");
  await dialog(page).getByLabel("Format").selectOption("Audio");
  await press(page, "Start reading");
  await expect(page.getByRole("heading", { name: "2 reads" })).toBeVisible();

  await press(page, "Note where I am");
  const hint = "Type a percentage, or add the length to use times.";
  await expect(dialog(page).getByText(hint)).toBeVisible();
  await dialog(page).getByLabel("Place reached").fill("25");
  await dialog(page).getByLabel("Day", { exact: true }).fill(daysBefore(DAY, 1));
  await press(page, "Note");
  await expect(page.getByText(/Start moved to/).first()).toBeVisible();
  await press(page, "Note where I am");
  await dialog(page).getByLabel("Place reached").fill("62.5");
  await press(page, "Note");
  await expect(page.getByText(/ 62\.5%\.$/)).toBeVisible();

  await press(page, "Pause");
  await expect(page.getByText(/^Paused since .*, at 62\.5%\.$/)).toBeVisible();
  await press(page, "Resume");
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();

  await page.goto("/dashboard");
  await expectFigure(page, "Books Read", "1");
  await page.goBack();
  await press(page, "Finish");
  await dialog(page).getByRole("radio", { name: "9", exact: true }).check({ force: true });
  await dialog(page).getByRole("button", { name: "Finish", exact: true }).click();
  await expect(page.getByText(/^Read twice, last finished on /)).toBeVisible();
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
  await dialog(page).getByRole("button", { name: "Stop reading", exact: true }).click();
  await expect(page.getByText(/^Not finished\. Stopped on .*, at 30%\.$/)).toBeVisible();
  await expectAccessible(page);

  expect(await get<object>(page.request, "/api/stats")).toEqual(before);
  await page.goto("/dashboard?status=did-not-finish");
  const row = books(page).getByRole("row").filter({ hasText: "Ulysses" });
  await expect(row.getByText("Did Not Finish")).toBeVisible();
  await expect(row.getByRole("link", { name: "Edit Ulysses" })).toHaveAttribute(
    "href",
    withPath(`/add-book?tab=edit&bookId=${id}`),
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
  await expect(page.getByText("Day log")).toHaveCount(0);

  await editEverything(page);
  await page.getByLabel("Word Count").fill("99000");
  await press(page, "Update Book");
  await expect(page).toHaveURL(new RegExp(`/book/${id}$`));
  await expect(page.getByText("99,000", { exact: true })).toBeVisible();
  await editEverything(page);
  await press(page, "Delete Book");
  await press(page, "I'm sure");
  await expect(page).toHaveURL(/\/dashboard$/);
});

/** The lines of the own CSV that have a title, each as its cells. */
async function exported(page: Page, title: string): Promise<string[]> {
  const answer = await page.request.get("/api/account/export/books.csv");
  expect(answer.ok()).toBe(true);
  return (await answer.text()).split(/\r?\n/).filter((line) => line.startsWith(`${title},`));
}

test("on a phone: read again, paused, given up and remembered roughly, and every number says so", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 });
  setPlan(await signUp(page), "shelfwise_team");
  const preferences = { ratingStep: 0.5, hemisphere: "north", shareWithTeam: true };
  expect((await page.request.patch("/api/preferences", { data: preferences })).ok()).toBe(true);
  const dune = { title: "Dune", author: "Frank Herbert", wordCount: 200_000, genres: ["Science Fiction"] };
  const id = await addBook(page, { ...dune, dateCompleted: "2019", rating: 7 });
  await addBook(page, { title: "Ulysses", status: "in-progress", rating: null, startDate: daysBefore(DAY, 9) });

  // Read again: a page is noted, the book rests, goes on, and gets half a point more than eight.
  await page.goto(`/book/${id}`);
  await expect(page.getByText("Finished in 2019.")).toBeVisible();
  await press(page, "Read again");
  await dialog(page)
    .getByLabel(/^The same edition as last time/)
    .uncheck();
  await dialog(page).getByLabel("Pages").fill("400");
  await press(page, "Start reading");
  await expect(page.getByRole("heading", { name: "2 reads" })).toBeVisible();
  await press(page, "Note where I am");
  await dialog(page).getByLabel("Place reached").fill("100");
  await press(page, "Note");
  await expect(page.getByText(/Page 100 of 400\.$/)).toBeVisible();
  await press(page, "Pause");
  await expect(page.getByText(/^Paused since .*, at page 100 of 400\.$/)).toBeVisible();
  await expectToFitPhones(page);
  await expectAccessible(page);
  await page.goto("/dashboard?status=paused");
  await expect(page.getByText("1 of 3 books")).toBeVisible();
  await expect(page.getByRole("region", { name: "Reading now" }).getByRole("link")).toHaveText(["Ulysses"]);
  await page
    .getByRole("region", { name: "Books", exact: true })
    .getByRole("link", { name: "Dune", exact: true })
    .click();
  await press(page, "Resume");
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await press(page, "Finish");
  await dialog(page).getByRole("radio", { name: "8", exact: true }).check({ force: true });
  await dialog(page).getByRole("checkbox", { name: "and a half" }).check({ force: true });
  await dialog(page).getByRole("button", { name: "Finish", exact: true }).click();
  await expect(page.getByText("7 in 2019, 8.5 now.")).toBeVisible();

  // Another one is given up at 30%.
  await page.goto("/dashboard");
  await page.getByRole("region", { name: "Reading now" }).getByRole("link", { name: "Ulysses" }).click();
  await press(page, "Did not finish");
  await dialog(page).getByLabel("Place reached").fill("30");
  await dialog(page).getByRole("button", { name: "Stop reading", exact: true }).click();
  await expect(page.getByText(/^Not finished\. Stopped on .*, at 30%\.$/)).toBeVisible();
  await editEverything(page);
  await expect(page.getByLabel("Place reached")).toHaveValue("30");

  // A third one was finished in the spring of 2020.
  await page.goto("/add-book");
  await page.getByLabel("Title").fill("Emma");
  await page.getByLabel("Author").fill("Jane Austen");
  await page.getByLabel("Word Count").fill("92000");
  await page.getByLabel("Date Completed").fill("spring 2020");
  await expect(page.getByText(/Mar 1 to May 31, 2020/)).toBeVisible();
  await page.getByRole("radio", { name: "8", exact: true }).check({ force: true });
  await press(page, "Add Book");
  await expect(page).toHaveURL(/\/dashboard$/);

  // Three reads count; what was given up counts in no figure.
  await expect(page.getByText("4 books tracked")).toBeVisible();
  await expectFigure(page, "Books Read", "3");
  await expectFigure(page, "Total Words", "492.0K");
  await expectFigure(page, "Words YTD", "200.0K");
  await expectFigure(page, "Words (30 days)", "200.0K");
  await expectFigure(page, "Avg Rating", "7.8");
  await expectFigure(page, "Authors", "2");
  const months = await chartRows(page, "Words per month");
  const spring = months.filter(([month]) => /^2020-0[345]$/.test(month));
  expect(spring.map(([, words, count, about]) => [words, count, about])).toEqual([
    [0, 0, 31_000],
    [0, 0, 30_000],
    [0, 0, 31_000],
  ]);
  expect(months.find(([month]) => month === DAY.slice(0, 7))?.slice(1, 3)).toEqual([200_000, 1]);
  await page.getByRole("searchbox", { name: "Search titles" }).fill("emma");
  await expect(page.getByText("read Mar – May 2020")).toBeVisible();
  await page.goto("/dashboard");

  // The dashboard's file, the own file and the team's page say the same.
  const { lines } = await downloadCsv(page);
  const rows = lines.slice(1).map((line) => line.split(",").slice(0, 5).join());
  expect(rows.sort()).toEqual([
    "Dune,Frank Herbert,200000,2019,7",
    `Dune,Frank Herbert,200000,${DAY},8.5`,
    "Emma,Jane Austen,92000,2020-03/2020-05,8",
    "Ulysses,Jane Austen,155887,,",
  ]);
  const [first = "", again = ""] = await exported(page, "Dune");
  expect([first, again].sort().map((line) => /,(2019|\d{4}-\d\d-\d\d),/.exec(line)?.[1])).toContain("2019");
  expect((await exported(page, "Ulysses")).join()).toContain("did-not-finish");
  expect((await exported(page, "Emma")).join()).toContain("2020-03/2020-05");
  await page.goto("/team?tab=dashboard");
  await expect(page.getByText("492,000", { exact: true }).first()).toBeVisible();
  await expectFigure(page, "Books Read", "3");
});
