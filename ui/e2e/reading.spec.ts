import { expect, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth, expectReachable, expectToFitPhones } from "./accessible";
import { addBook, daysBefore } from "./books";
import { PASSWORD, setPlan, signUp, today } from "./people";

/*
 * The page of what is being read: places, goals and the calendar.
 */

const DAY = today();

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test("a place is noted by a step, undone, typed, and stands in the calendar", async ({ page }) => {
  await signUp(page);
  await page.goto("/reading");
  await expect(page.getByText("Nothing open", { exact: true })).toBeVisible();
  await expect(page.getByText("Imported books don't have any.")).toBeVisible();
  await expectAccessibleInBoth(page);

  const open = { status: "in-progress", rating: null, dateCompleted: null } as const;
  await addBook(page, { ...open, title: "Trust", pages: 400, wordCount: 100_000, startDate: DAY });
  await addBook(page, { ...open, title: "Orlando", pages: null, startDate: daysBefore(DAY, 30) });
  await page.reload();
  await page.getByRole("button", { name: "Note where you are in Orlando" }).click();
  await page.getByRole("button", { name: "5 percent on: 5 percent" }).click();
  await expect(page.getByText("Noted: Orlando, 5%.")).toBeVisible();
  await press(page, "Undo");
  await expect(page.getByText("Noted: Orlando")).toHaveCount(0);
  await expect(page.getByText(/^Reading since /)).toHaveCount(2);

  await page.getByRole("button", { name: "Note where you are in Trust" }).click();
  const place = page.getByLabel("Where you are in Trust");
  await place.fill("999");
  await press(page, "Note");
  await expect(page.getByText("This edition has 400 pages.")).toBeVisible();
  await place.fill("100");
  await press(page, "Note");
  await expect(page.getByText("Noted: Trust, page 100.")).toBeVisible();
  await expect(page.getByText(/^Page 100 of 400, noted/)).toBeVisible();
  await expect(page.getByRole("button", { name: /25,000 words, Trust$/ })).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectReachable(page);
  await expectToFitPhones(page);

  await press(page, "Table");
  await expect(page.getByRole("row", { name: /25,000 100 - Trust/ })).toBeVisible();
  await expectAccessibleInBoth(page);
  await press(page, "Pause");
  await expect(page.getByRole("heading", { name: "Paused" })).toBeVisible();
  await page.getByRole("button", { name: "Resume: Trust" }).click();
  await expect(page.getByRole("heading", { name: "Paused" })).toHaveCount(0);
});

test("a goal is set, names its books, is reached, and is removed", async ({ page }) => {
  setPlan(await signUp(page), "shelfwise_plus");
  await addBook(page, { title: "Emma", dateCompleted: DAY });
  await addBook(page, { title: "Momo", dateCompleted: daysBefore(DAY, 800) });
  await page.goto("/reading");
  await expect(page.getByText(/^No goal for \d{4}\. Some like one, some don't\.$/)).toBeVisible();
  await press(page, "Create a goal");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("How many").fill("none");
  await press(page, "Create goal");
  await expect(dialog.getByText("A goal is a whole number from 1.")).toBeVisible();
  await expectAccessibleInBoth(page);
  await dialog.getByLabel("How many").fill("2");
  await press(page, "Create goal");
  const goal = page.getByRole("region", { name: `Books in ${DAY.slice(0, 4)}` });
  await expect(goal.getByText("1 of 2")).toBeVisible();
  await goal.getByRole("button", { name: /^Which books count/ }).click();
  await expect(dialog.getByRole("link", { name: "Emma" })).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Momo" })).toHaveCount(0);
  await expectAccessibleInBoth(page);
  await press(page, "Close");
  await goal.getByRole("button", { name: /^Change the goal/ }).click();
  await dialog.getByLabel("How many").fill("1");
  await press(page, "Save");
  await expect(goal.getByText("1 of 1. Everything from here is for pleasure.")).toBeVisible();
  await goal.getByRole("button", { name: /^Change the goal/ }).click();
  await press(page, "Remove");
  await expect(page.getByText(/^No goal for/)).toBeVisible();
});

test("the calendar is one stop for the keyboard, and arrows move by day and week", async ({ page }) => {
  await signUp(page);
  const book = { status: "in-progress", rating: null, dateCompleted: null, startDate: daysBefore(DAY, 3) } as const;
  const id = await addBook(page, { ...book, title: "Trust", pages: 400 });
  expect((await page.request.put(`/api/books/${id}/days/${DAY}`, { data: { page: 9 } })).status()).toBe(200);
  await page.goto("/reading");
  const days = page.getByRole("group", { name: /^Days of/ });
  await days.locator(`[data-day="${DAY}"]`).focus();
  const month = DAY.slice(0, 7);
  // The year begins with the month of the first note.
  await page.keyboard.press("Home");
  await expect(days.locator(`[data-day="${month}-01"]`)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(days.locator(`[data-day="${month}-08"]`)).toBeFocused();
  await page.keyboard.press("PageUp");
  await expect(days.locator(`[data-day="${month}-08"]`)).toBeFocused();
  await expect(days.locator('[tabindex="0"]')).toHaveCount(1);
});

/** A reader of today: 100 of 400 pages of Trust, and Emma, which was finished. Returns today's cell of the calendar. */
async function aDay(page: Page) {
  await signUp(page);
  const open = { status: "in-progress", rating: null, dateCompleted: null, startDate: DAY } as const;
  const id = await addBook(page, { ...open, title: "Trust", pages: 400, wordCount: 100_000 });
  await addBook(page, { title: "Emma", pages: 500, dateCompleted: DAY });
  await addBook(page, { title: "Momo", dateCompleted: daysBefore(DAY, 1) });
  expect((await page.request.put(`/api/books/${id}/days/${DAY}`, { data: { page: 100 } })).status()).toBe(200);
  await page.goto("/reading");
  return page.getByRole("group", { name: /^Days of/ }).locator(`[data-day="${DAY}"]`);
}

test("a day of the calendar opens with Enter, and a note of it is corrected", async ({ page }) => {
  const cell = await aDay(page);
  await cell.focus();
  await page.keyboard.press("Enter");
  const day = page.getByRole("dialog").filter({ hasText: "25,000 words, 100 pages." });
  await expect(day.getByText("Page 100 of 400")).toBeVisible();
  await expect(day.getByText("Finished")).toBeVisible();
  await expectAccessibleInBoth(page);
  await day.getByRole("button", { name: "Change what you read of Trust" }).click();
  const form = page.getByRole("dialog", { name: /“Trust”$/ });
  await form.getByLabel("Minutes").fill("40");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Page 100 of 400, 40 minutes")).toBeVisible();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await expect(cell).toBeFocused();
});

test("a forgotten day may be of a book that was finished on that day or later", async ({ page }) => {
  const cell = await aDay(page);
  await cell.click();
  await page.getByRole("button", { name: "Note a book" }).click();
  const search = page.getByRole("searchbox", { name: "Find another book" });
  await expect(page.getByRole("button", { name: "Trust", exact: true })).toHaveCount(0);
  await search.fill("momo");
  await expect(page.getByText("No book with this title or author can take this day.")).toBeVisible();
  await search.fill("emma");
  const emma = page.getByRole("button", { name: /^Emma/ });
  await expect(emma).toBeVisible();
  await expectAccessibleInBoth(page);
  await emma.click();
  await page.getByLabel("Place reached").fill("120");
  await page.getByRole("button", { name: "Note", exact: true }).click();
  await expect(page.getByText("Finished. Page 120 of 500")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test.describe("on another day", () => {
  // The answers that the worker fetches can't be changed here.
  test.use({ serviceWorkers: "block" });

  test("January asks for a goal of the new year, and takes a no", async ({ page }) => {
    await signUp(page);
    const goal = { data: { target: 52 } };
    const year = Number(DAY.slice(0, 4));
    expect((await page.request.put(`/api/goals/${year}/books`, goal)).status()).toBe(200);
    await addBook(page, { title: "Emma", dateCompleted: DAY });
    await page.route("**/api/reading", async (route) => {
      const answer = await route.fetch();
      const reading = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...reading, goals: [], today: `${year + 1}-01-02` } });
    });
    await page.goto("/reading");
    await expect(page.getByText(`A new year. In ${year} you read 1 book of 52. A goal for ${year + 1}?`)).toBeVisible();
    await expectAccessibleInBoth(page);
    await expectToFitPhones(page);
    await press(page, "Not this year");
    await expect(page.getByText(`No goal for ${year + 1}. Some like one, some don't.`)).toBeVisible();
    await page.reload();
    await expect(page.getByText(`No goal for ${year + 1}. Some like one, some don't.`)).toBeVisible();
  });
});

test("the installed app starts at the open books, and at the dashboard without one", async ({ page, request }) => {
  const manifest = (await (await request.get("/manifest.webmanifest")).json()) as {
    start_url: string;
    shortcuts: { name: string; url: string }[];
  };
  expect(manifest.shortcuts.map(({ name, url }) => `${name} ${url}`).slice(0, 2)).toEqual([
    "Note my place reading",
    "Add a book add-book",
  ]);
  await signUp(page);
  await page.goto(manifest.start_url);
  await expect(page).toHaveURL(/\/dashboard$/);
  await addBook(page, { title: "Trust", status: "in-progress", rating: null, dateCompleted: null, startDate: DAY });
  await page.goto(manifest.start_url);
  await expect(page.getByLabel("Where you are in Trust")).toBeVisible();
  await expect(page).toHaveURL(/\/reading$/);
});

test("a page that was shared to the installed app waits for its reader to log in", async ({ page, request }) => {
  const { share_target: target } = (await (await request.get("/manifest.webmanifest")).json()) as {
    share_target: { action: string; method: string; params: Record<"title" | "text" | "url", string> };
  };
  expect(target.method).toBe("GET");
  const email = await signUp(page);
  await page.context().clearCookies();
  const { title, text, url } = target.params;
  const shared = { [title]: "Best novels", [text]: "Orbital by Samantha Harvey", [url]: "https://news.example/best" };
  await page.goto(`${target.action}?${new URLSearchParams(shared)}`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log In", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Author" })).toHaveValue("Samantha Harvey");
  await page.getByRole("button", { name: "Add to TBR" }).click();
  await expect(page).toHaveURL(/\/tbr$/);
  await expect(page.getByText("Orbital", { exact: true }).first()).toBeVisible();
});

test("a streak and the pace of goals are chosen in the preferences", async ({ page }) => {
  await signUp(page);
  const open = { status: "in-progress", rating: null, dateCompleted: null, startDate: DAY } as const;
  const id = await addBook(page, { ...open, title: "Trust", pages: 400 });
  expect((await page.request.put(`/api/books/${id}/days/${DAY}`, { data: { page: 9 } })).status()).toBe(200);
  expect((await page.request.put(`/api/goals/${DAY.slice(0, 4)}/books`, { data: { target: 5_000 } })).status()).toBe(
    200,
  );
  await page.goto("/reading");
  await expect(page.getByText(/behind schedule/)).toBeVisible();
  await expect(page.getByText(/in a row/)).toHaveCount(0);
  await page.goto("/account?tab=preferences");
  await page.getByLabel("Streak").selectOption("Days");
  await expect.poll(async () => stored(page)).toMatchObject({ streak: "days", goalPace: true });
  await page.getByRole("switch", { name: "Say when behind a goal" }).click();
  await expect.poll(async () => stored(page)).toMatchObject({ streak: "days", goalPace: false });
  await page.getByRole("link", { name: "Reading", exact: true }).first().click();
  await expect(page.getByText(/^1 day in a row, since/)).toBeVisible();
  await expect(page.getByText(/behind schedule/)).toHaveCount(0);
});

async function stored(page: Page): Promise<object> {
  const answer = await page.request.get("/api/preferences");
  return ((await answer.json()) as { preferences: object }).preferences;
}
