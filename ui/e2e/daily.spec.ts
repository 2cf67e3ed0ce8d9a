import { expect, type Page, test } from "@playwright/test";
import { addBook, books, daysBefore, scroll } from "./books";
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

  async click(role: "button" | "link" | "radio" | "checkbox" | "searchbox" | "menuitem", name: string | RegExp) {
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

  /** Writes a row of the table, and holds it: at most so many clicks, keys and pixels. */
  holds(what: string, before: string, limit: { clicks?: number; keys?: number; pixels?: number }, pixels = 0) {
    expect(this.clicks, `${what}: clicks`).toBeLessThanOrEqual(limit.clicks ?? 0);
    expect(this.keys, `${what}: keys`).toBeLessThanOrEqual(limit.keys ?? 0);
    expect(pixels, `${what}: pixels`).toBeLessThanOrEqual(limit.pixels ?? 0);
    this.report(what, before, limit.pixels === undefined ? undefined : pixels);
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
    return `Book ${at},${author},${60_000 + at * 100},${daysBefore(DAY, 3 + at * 4)},${at % 11},${at % 2 ? "sci-fi" : "Crime"}`;
  });
  const file = {
    name: "books.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["Title,Author,Word Count,Date Completed,Rating,Genres", ...rows].join("\n")),
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

test("what I am reading stands on the first screen, and is finished with four clicks", async ({ page }) => {
  await fill(page, 120);
  await page.setViewportSize(onPhone);
  await page.goto("/dashboard");
  await expect(page.getByRole("button", { name: "Note where you are in Trust" })).toBeInViewport();
  const here = new Counted(page);
  here.holds("what am I reading?", "no answer; page 30 screens high", {});

  await here.click("button", "More for Trust");
  await here.click("menuitem", "Finish");
  await expect(page.getByRole("dialog", { name: "Finish “Trust”" })).toBeVisible();
  await here.click("radio", "9");
  await here.click("button", "Finish");
  await expect(page.getByText("Book finished").first()).toBeVisible();
  await expect(page.getByText("Reading now")).toHaveCount(0);
  here.holds("finish the book I am reading", "9 clicks, 4 to 12 keys, two long scrolls", { clicks: 4 });
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
  for (const [what, sought, answer, before, pixels] of [
    ["have I read this?", "book 21", "Book 21", "7 keys, 2,450 px", 70],
    ["have I read something by Le Guin?", "le guin", "Author: Ursula K. Le Guin", "no answer", 480],
    ["is it on my TBR?", "disposs", "No. 2 on your TBR", "no search; 700 rows", 100],
  ] as const) {
    await field.fill("");
    const here = new Counted(page);
    await here.click("searchbox", "Search titles");
    await here.type(sought);
    await expect(answers.getByText(answer).first()).toBeInViewport();
    // The answers to fewer letters may still stand.
    await expect.poll(() => below(answer)).toBeLessThanOrEqual(pixels);
    here.holds(what, before, { clicks: 1, keys: 7, pixels }, await below(answer));
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
  here.holds("log a new book, finished today", "49 keys, without its pages", { keys: 42 });
  const { data } = await get<{ data: object[] }>(page.request, "/api/books?limit=1");
  expect(data[0]).toMatchObject({ title: "Emma", dateCompleted: DAY, pages: 480, wordCount: 132_000, rating: 8 });
});

test("a change of a book leads back to the filtered table, at the same place", async ({ page }) => {
  await fill(page, 120);
  await page.goto("/dashboard?minRating=5");
  const row = books(page).getByRole("link", { name: "Book 49", exact: true });
  await books(page).scrollIntoViewIfNeeded();
  // Only the rows in view are in the page: they come while someone scrolls.
  for (let steps = 0; steps < 60 && !(await row.isVisible()); steps++) await scroll(page, 200);
  // Rows below the window are in the page, too, and a click would scroll to them.
  await row.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  const here = new Counted(page);
  await here.click("link", "Edit Book 49");
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Book 49");
  await here.click("button", "Update Book");
  await expect(page.getByText("Book updated successfully!").first()).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\?minRating=5$/);
  await expect(row).toBeInViewport();
  await expect.poll(() => page.evaluate((before) => Math.abs(window.scrollY - before), place)).toBeLessThan(400);
  here.holds("change a book and go on where I was", "2 clicks, then the top of the unfiltered dashboard", {
    clicks: 2,
  });
});

test("my year stands beside last year at the same day, and each year is two clicks away", async ({ page }) => {
  await fill(page, 240);
  await page.setViewportSize(onPhone);
  await page.goto("/dashboard");
  await expect(page.getByText(/by this day last year$/)).toBeInViewport();
  new Counted(page).holds("how is my year?", "Words YTD, no comparison with last year", {});
  await page.setViewportSize({ width: 1280, height: 900 });
  const here = new Counted(page);
  const year = String(Number(DAY.slice(0, 4)) - 2);
  await here.click("button", "Dates");
  await expect(page.getByRole("button", { name: year, exact: true })).toBeVisible();
  await here.click("button", year);
  await expect(page).toHaveURL(new RegExp(`startDate=${year}-01-01&endDate=${year}-12-31`));
  here.holds("how was a year before?", "3 clicks for this year; presets for this and last year alone", { clicks: 2 });
});

test("a genre is renamed in sixty books at once", async ({ page }) => {
  await fill(page, 120);
  await page.goto("/dashboard");
  const here = new Counted(page);
  await here.click("button", "Genres");
  await here.click("checkbox", /^sci-fi/);
  await page.keyboard.press("Escape");
  here.keys += 1;
  await expect(page.getByText("60 of 121 books")).toBeVisible();
  await here.click("button", "Change books");
  await page.getByLabel("Add genres").focus();
  await here.type("Science Fiction");
  await here.press("Tab");
  await page.getByLabel("Remove genres").focus();
  await here.type("sci-fi");
  await here.click("button", /^Change \d+ books$/);
  await expect(page.getByText("Genres changed").first()).toBeVisible();
  here.holds("rename an imported genre in 60 books", "180 clicks and as many scrolls: 3 for each book", {
    clicks: 4,
    keys: 23,
  });
  const { data } = await get<{ data: { genres: string[] }[] }>(page.request, "/api/books?genres=Science%20Fiction");
  expect(data).toHaveLength(60);
});

test("one of 700 waiting books is found and put first with few clicks", async ({ page }) => {
  await signUp(page);
  const rows = Array.from({ length: 700 }, (_, at) => `Waiting ${at + 1},Somebody`);
  const file = { name: "tbr.csv", mimeType: "text/csv", buffer: Buffer.from(["Title,Author", ...rows].join("\n")) };
  expect((await page.request.post("/api/tbr/import", { multipart: { file } })).status()).toBe(200);
  await page.setViewportSize(onPhone);
  await page.goto("/tbr");
  const here = new Counted(page);
  await here.click("searchbox", "Search your TBR");
  await here.type("ting 640");
  await here.click("button", "Actions for Waiting 640");
  await page.getByRole("menuitem", { name: "Move to top" }).click();
  here.clicks += 1;
  await expect
    .poll(async () => (await get<{ data: { title: string }[] }>(page.request, "/api/tbr")).data[0]?.title)
    .toBe("Waiting 640");
  here.holds("read one of 700 waiting books next", "700 rows to scroll, 639 steps", { clicks: 3, keys: 8 });
});

test("a place is noted with one click, and a book of the table is read again with three", async ({ page }) => {
  await fill(page, 20);
  await page.setViewportSize(onPhone);
  await page.goto("/dashboard");
  const noting = new Counted(page);
  await noting.click("button", "Note where you are in Trust");
  await expect(page.getByRole("textbox", { name: /^Where you are/ })).toBeFocused();
  await noting.type("40");
  await noting.press("Enter");
  await expect(page.getByText(/^Noted: /)).toBeVisible();
  noting.holds("note how far I am", "not possible", { clicks: 1, keys: 3 });

  await page.goto("/dashboard?titleSearch=Book%207");
  const again = new Counted(page);
  await again.click("link", "Book 7");
  await again.click("button", "Read again");
  await again.click("button", "Start reading");
  await expect(page.getByText("Started reading").first()).toBeVisible();
  again.holds("read a book again", "everything typed again", { clicks: 3 });
});

test("a quote is found on the page of its book", async ({ page }) => {
  await fill(page, 120);
  await addBook(page, {
    title: "Middlemarch",
    author: "George Eliot",
    dateCompleted: daysBefore(DAY, 40),
    quotes: ["The growing good of the world"],
  });
  const quote = page.getByText("The growing good of the world");
  await page.setViewportSize(onPhone);
  await page.goto("/dashboard");
  const here = new Counted(page);
  await here.click("searchbox", "Search titles");
  await here.type("middl");
  await page
    .getByRole("region", { name: "In your library and on your TBR" })
    .getByRole("link", { name: "Middlemarch" })
    .click();
  here.clicks += 1;
  await expect(quote).toBeVisible();
  const { y = Number.POSITIVE_INFINITY, height = 0 } = (await quote.boundingBox()) ?? {};
  const below = Math.max(0, y + height - onPhone.height);
  here.holds("find a quote", "impossible: quotes are in edit forms only", { clicks: 2, keys: 5, pixels: 410 }, below);
});

test("on a phone the first field is on the first screen, and an EPUB has one line above it", async ({ page }) => {
  await fill(page, 3);
  await page.setViewportSize(onPhone);
  await page.goto("/add-book");
  const title = page.getByRole("textbox", { name: "Title" });
  await expect(title).toBeInViewport();
  const line = await page.getByText("Have the EPUB?").boundingBox();
  expect(line?.height).toBeLessThanOrEqual(44);

  // The button is always in the window, and no field with the focus is behind it.
  const add = page.locator("form").getByRole("button", { name: "Add Book" });
  await expect(add).toBeInViewport({ ratio: 1 });
  await title.focus();
  for (let steps = 0; steps < 12; steps++) {
    await page.keyboard.press("Tab");
    const focused = await page.locator(":focus").boundingBox();
    const button = await add.boundingBox();
    const isAdd = await add.evaluate((one) => one === document.activeElement);
    if (!isAdd) expect((focused?.y ?? 0) + (focused?.height ?? 0)).toBeLessThanOrEqual((button?.y ?? 0) + 1);
  }
});
