import { expect, type Page, test } from "@playwright/test";
import { addBook, books, daysBefore } from "./books";
import { get, setPlan, signUp, today } from "./people";

/*
 * What a reader does on most days, counted in clicks, keys and pixels of scrolling. Each count has a limit, and the test's
 * output has the counts.
 */

const DAY = today();

/** Counts what a person does from now on. */
class Counted {
  clicks = 0;
  keys = 0;
  constructor(readonly page: Page) {}

  async click(role: "button" | "link" | "radio" | "checkbox" | "searchbox" | "textbox", name: string | RegExp) {
    this.clicks += 1;
    // A radio's label covers it, as in the browser of a person.
    await this.page
      .getByRole(role, { name, exact: typeof name === "string" })
      .first()
      .click({ force: role === "radio" });
  }

  async press(key: string, times = 1) {
    for (let pressed = 0; pressed < times; pressed++) await this.page.keyboard.press(key);
    this.keys += times;
  }

  async type(text: string) {
    await this.page.keyboard.type(text);
    this.keys += [...text].length;
  }

  report(what: string, before: string, pixels?: number) {
    const now = `${this.clicks} clicks, ${this.keys} keys${pixels === undefined ? "" : `, ${Math.round(pixels)} px`}`;
    test.info().annotations.push({ type: "daily", description: `${what}: ${now} (before: ${before})` });
    console.log(`| ${what} | ${before} | ${now} |`);
  }
}

/** A library with a history: finished books of the last years, a book in progress, and a to-be-read list. */
async function fill(page: Page, finished: number): Promise<void> {
  setPlan(await signUp(page), "shelfwise_plus");
  const rows = Array.from({ length: finished }, (_, at) => {
    const author = at % 9 === 0 ? "Ursula K. Le Guin" : `Author ${at % 40}`;
    return `Book ${at},${author},${60_000 + at * 100},${daysBefore(DAY, 3 + at * 4)},${at % 11}`;
  });
  const file = {
    name: "books.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["Title,Author,Word Count,Date Completed,Rating", ...rows].join("\n")),
  };
  expect((await page.request.post("/api/books/import", { multipart: { file } })).status()).toBe(200);
  await addBook(page, {
    title: "Trust",
    author: "Hernan Diaz",
    status: "in-progress",
    startDate: daysBefore(DAY, 12),
    rating: null,
  });
  for (const title of ["Orlando", "The Dispossessed", "Kindred"]) {
    const data = { title, author: title === "The Dispossessed" ? "Ursula K. Le Guin" : "Somebody" };
    expect((await page.request.post("/api/tbr", { data })).status()).toBe(201);
  }
}

const onPhone = { width: 390, height: 780 };

test("what I am reading stands on the first screen, and is finished with three clicks", async ({ page }) => {
  await fill(page, 120);
  await page.setViewportSize(onPhone);
  await page.goto("/dashboard");
  const finish = page.getByRole("button", { name: "Finished: Trust" });
  await expect(finish).toBeInViewport();
  const here = new Counted(page);
  here.report("what am I reading?", "no answer; page 30 screens high", 0);

  await here.click("button", "Finished: Trust");
  await expect(page.getByRole("dialog", { name: "Finish “Trust”" })).toBeVisible();
  await here.click("radio", "9");
  await here.click("button", "Finish");
  await expect(page.getByText("Book finished").first()).toBeVisible();
  await expect(page.getByText("Reading now")).toHaveCount(0);
  expect(here.clicks).toBeLessThanOrEqual(3);
  here.report("finish the book I am reading", "9 clicks, 4 to 12 keys, two long scrolls");
  const { data } = await get<{ data: object[] }>(page.request, "/api/books?limit=1");
  expect(data[0]).toMatchObject({
    title: "Trust",
    status: "completed",
    startDate: daysBefore(DAY, 12),
    dateCompleted: DAY,
    rating: 9,
  });
});

test("have I read this, and is it on my list, is answered under the field of a phone", async ({ page }) => {
  await fill(page, 300);
  await page.setViewportSize(onPhone);
  await page.goto("/dashboard");
  const field = page.getByRole("searchbox", { name: "Search titles" });
  const answers = page.getByRole("region", { name: "In your library and on your TBR" });
  const below = async (text: string) => {
    const [from, to] = [await field.boundingBox(), await answers.getByText(text).first().boundingBox()];
    return (to?.y ?? Number.POSITIVE_INFINITY) - (from?.y ?? 0);
  };
  for (const [what, sought, answer, before] of [
    ["have I read this?", "book 21", "Book 21", "7 keys, 2,450 px"],
    ["have I read something by Le Guin?", "le guin", "Author: Ursula K. Le Guin", "no answer"],
    ["is it on my TBR?", "disposs", "No. 2 on your TBR", "no search; 700 rows"],
  ] as const) {
    await field.fill("");
    const here = new Counted(page);
    await here.click("searchbox", "Search titles");
    await here.type(sought);
    await expect(answers.getByText(answer).first()).toBeInViewport();
    const pixels = await below(answer);
    expect(pixels).toBeLessThan(780);
    here.report(what, before, pixels);
  }
  await field.fill("le guin");
  await answers.getByRole("button", { name: "Ursula K. Le Guin" }).click();
  await expect(page).toHaveURL(/authors=Ursula/);
});

test("a new book that was finished today is logged by the keyboard with few keys", async ({ page }) => {
  await fill(page, 3);
  await page.goto("/add-book");
  const here = new Counted(page);
  await page.getByRole("textbox", { name: "Title" }).focus();
  await here.type("Emma");
  await here.press("Tab");
  await here.type("Jane Austen");
  await here.press("Tab");
  // The words follow from the pages.
  while (!(await page.getByRole("textbox", { name: "Pages" }).evaluate((one) => one === document.activeElement))) {
    await here.press("Tab");
  }
  await here.type("480");
  const rating = page.getByRole("radio", { name: "0", exact: true });
  while (!(await rating.evaluate((one) => one === document.activeElement))) await here.press("Tab");
  await here.press("ArrowRight", 8);
  await here.press("Enter");
  await expect(page.getByText("Book added successfully!").first()).toBeVisible();
  // Before, the date alone took 8 keys more, and the words had to be known.
  expect(here.keys).toBeLessThanOrEqual(49);
  here.report("log a new book, finished today", "49 keys, without its pages");
  const { data } = await get<{ data: object[] }>(page.request, "/api/books?limit=1");
  expect(data[0]).toMatchObject({ title: "Emma", dateCompleted: DAY, pages: 480, wordCount: 132_000, rating: 8 });
});

test("a change of a book leads back to the filtered table, at the same place", async ({ page }) => {
  await fill(page, 120);
  await page.goto("/dashboard?minRating=5");
  const row = books(page).getByRole("link", { name: "Book 49", exact: true });
  await books(page).scrollIntoViewIfNeeded();
  // Only the rows in view are in the page: they come while somebody scrolls.
  for (let steps = 0; steps < 60 && !(await row.isVisible()); steps++) await page.mouse.wheel(0, 200);
  // Rows below the window are in the page, too, and a click would scroll to them.
  await row.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  const here = new Counted(page);
  await here.click("link", "Book 49");
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Book 49");
  await here.click("button", "Update Book");
  await expect(page.getByText("Book updated successfully!").first()).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\?minRating=5$/);
  await expect(row).toBeInViewport();
  await expect.poll(() => page.evaluate((before) => Math.abs(window.scrollY - before), place)).toBeLessThan(400);
  here.report("change a book and go on where I was", "2 clicks, then the top of the unfiltered dashboard", 0);
});
