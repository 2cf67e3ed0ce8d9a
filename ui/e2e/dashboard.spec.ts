import { expect, test } from "@playwright/test";
import { expectAccessible, expectAccessibleInBoth, expectInLandmarks, expectToFitPhones, refusals } from "./accessible";
import { pathOf, withPath } from "./below";
import { addBook, books, daysBefore, downloadCsv, expectTitles } from "./books";
import { chartRows, expectFigure } from "./dashboard";
import { setPlan, signUp, today } from "./people";

// Requests by the service worker would bypass the routes that a test intercepts.
test.use({ serviceWorkers: "block" });

const DAY = today();
const CSV_HEADER = "Title,Author,Word Count,Date Completed,Rating,Format,Reread,Genres";

/** Four books that a reader finished this month. */
async function fill(page: Parameters<typeof addBook>[0]) {
  await addBook(page, { dateCompleted: DAY });
  await addBook(page, {
    title: "Dune",
    author: "Frank Herbert",
    wordCount: 187_240,
    format: "Audio",
    rating: 9,
    genres: ["Science Fiction"],
    dateCompleted: daysBefore(DAY, 1),
  });
  await addBook(page, {
    title: '=1+1, "quoted"',
    author: "Jane Austen",
    wordCount: 50_000,
    format: "eBook",
    rating: 3,
    reread: true,
    genres: ["Classics", "Romance"],
    dateCompleted: daysBefore(DAY, 2),
  });
  await addBook(page, {
    title: "Trust",
    author: "Hernan Diaz",
    wordCount: 101_000,
    status: "in-progress",
    rating: null,
    genres: ["Fiction"],
  });
}

test("the table stays in its place when the drawings of the charts arrive", async ({ page }) => {
  await signUp(page);
  await fill(page);
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route("**/assets/uplot-*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/dashboard");
  const link = page.getByRole("link", { name: "Edit Emma" }).first();
  await expect(link).toBeVisible();
  const place = () => link.evaluate((element) => element.getBoundingClientRect().top + window.scrollY);
  const before = await place();
  release();
  await expect(page.getByRole("figure", { name: "Words per Month" }).locator("canvas")).toBeVisible();
  expect(await place()).toBe(before);
});

test("a newcomer finds three ways to start", async ({ page }) => {
  const refused = refusals(page);
  await signUp(page);
  await page.goto("/dashboard");
  await expect(page.getByText("0 books tracked")).toBeVisible();
  const ways = page.getByRole("region", { name: "Ways to start" });
  for (const [name, path] of [
    ["Add Book", "/add-book"],
    ["Import CSV", "/import"],
    ["Add to TBR", "/add-book?tab=tbr"],
  ] as const) {
    await expect(ways.getByRole("link", { name })).toHaveAttribute("href", withPath(path));
  }
  await expect(page.getByText("No data available")).toHaveCount(4);
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  expect(refused).toEqual([]);
});

test("a filter acts on the whole page, stands in the address and can be gone back from", async ({ page }) => {
  const refused = refusals(page);
  await signUp(page);
  await fill(page);
  await page.goto("/dashboard");
  await expect(page.getByText("4 books tracked")).toBeVisible();
  await expectFigure(page, "Total Words", "393.1K");
  await expectAccessibleInBoth(page);

  // By the keyboard: the first press fetches the panel, and the focus moves into it.
  await page.getByRole("button", { name: "Genres" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("searchbox", { name: "Find genres" })).toBeFocused();
  await page.getByRole("checkbox", { name: /Classics/ }).check();
  await expect(page).toHaveURL(/\?genres=Classics$/);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Genres/ })).toBeFocused();

  await expectFigure(page, "Total Words", "205.9K");
  await expectTitles(page, ["Emma", '=1+1, "quoted"']);
  await expect.poll(() => chartRows(page, "Genre distribution")).toHaveLength(2);
  await expect(page.getByRole("list", { name: /Books on the shelf/ }).getByRole("link")).toHaveCount(2);
  await expect(page.getByRole("status").filter({ hasText: "2 of 4 books" })).toBeVisible();

  await page.getByRole("region", { name: "Filters" }).getByRole("button", { name: "Rating" }).click();
  await page.getByRole("radio", { name: "8", exact: true }).check({ force: true });
  await expect(page).toHaveURL(/genres=Classics&minRating=8$/);
  await page.getByRole("button", { name: "Done" }).click();
  await expectTitles(page, ["Emma"]);

  await page.getByRole("searchbox", { name: "Search titles" }).fill("nothing like it");
  await expect(page.getByText("No results found")).toBeVisible();
  await expect(page).toHaveURL(/titleSearch=nothing/);
  await expectAccessibleInBoth(page);

  await page.goBack();
  await expectTitles(page, ["Emma"]);
  await page.goBack();
  await expectTitles(page, ["Emma", '=1+1, "quoted"']);
  await page.reload();
  await expectTitles(page, ["Emma", '=1+1, "quoted"']);
  await page.getByRole("button", { name: "Reset Filters" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(books(page).locator("tr[data-index]")).toHaveCount(4);
  expect(refused).toEqual([]);
});

test("a year is searched for when it is typed whole, and dates the wrong way round say so", async ({ page }) => {
  await signUp(page);
  await fill(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (pathOf(url) === "/api/stats") asked.push(url.searchParams.get("startDate") ?? "");
  });
  await page.goto("/dashboard");
  await expect(page.getByText("4 books tracked")).toBeVisible();
  await page.getByRole("button", { name: "Dates" }).click();
  await page.getByLabel("From", { exact: true }).focus();
  // As a person types it: a year and a month on the way to a day.
  await page.keyboard.type("2024-01-02", { delay: 60 });
  await expect(page).toHaveURL(/\?startDate=2024-01-02$/);
  await expect.poll(() => asked.at(-1)).toBe("2024-01-02");
  expect(new Set(asked)).toEqual(new Set(["", "2024-01-02"]));
  await page.getByLabel("To", { exact: true }).fill("2023-12-31");
  await expect(page.getByText("“From” is after “To”, so no book matches.")).toBeVisible();

  await page.goto("/dashboard?startDate=2025-99-99&endDate=0202-01-01");
  await expect(books(page).locator("tr[data-index]")).toHaveCount(4);
});

test("a title of one endless word leaves the shelf's list its word counts", async ({ page }) => {
  await signUp(page);
  await addBook(page, { title: "W".repeat(200), wordCount: 123_456, dateCompleted: DAY });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/dashboard");
    await page.getByRole("button", { name: "List", exact: true }).click();
    const words = page.getByRole("list", { name: /^Books on the shelf/ }).getByText("123,456");
    await expect(words).toBeVisible();
    const box = await words.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? width), `at ${width} px`).toBeLessThanOrEqual(width);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test("many genres leave no hole above the chart beside them", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const genres of [10, 14, 40]) {
    await page.context().clearCookies();
    await signUp(page);
    for (let at = 0; at < genres; at += 10) {
      const some = Array.from({ length: Math.min(10, genres - at) }, (_, one) => `Genre ${at + one}`);
      await addBook(page, { title: `Book ${at}`, genres: some, dateCompleted: daysBefore(DAY, at * 3) });
    }
    await page.goto("/dashboard");
    const chart = page.getByRole("figure", { name: "Words per Month" });
    await expect(chart.locator("canvas")).toBeVisible();
    const [note, drawing] = [
      await chart.getByText(/^Most in/).boundingBox(),
      await chart.locator("canvas").boundingBox(),
    ];
    const hole = (drawing?.y ?? 0) - (note?.y ?? 0) - (note?.height ?? 0);
    expect(hole, `px with ${genres} genres`).toBeLessThanOrEqual(60);
  }
});

test("an open menu is inside a landmark", async ({ page }) => {
  await signUp(page);
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "My Account" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await expectInLandmarks(page);
});

test("the table is sorted by its headers, and the CSV holds what is filtered", async ({ page }) => {
  await signUp(page);
  await fill(page);
  await page.goto("/dashboard");
  const header = (name: string) => books(page).getByRole("columnheader", { name });
  await expect(header("Date")).toHaveAttribute("aria-sort", "descending");
  await header("Words").getByRole("button").click();
  await expect(header("Words")).toHaveAttribute("aria-sort", "descending");
  await expect(header("Date")).not.toHaveAttribute("aria-sort");
  await expectTitles(page, ["Dune", "Emma", "Trust", '=1+1, "quoted"']);
  await header("Words").getByRole("button").click();
  await expect(header("Words")).toHaveAttribute("aria-sort", "ascending");
  await expect(books(page).locator("tr[data-index] td:first-child").first()).toHaveText('=1+1, "quoted"');
  await books(page).getByRole("link", { name: "Emma", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Emma" })).toBeVisible();
  await page.goBack();
  await expect(header("Words")).toHaveAttribute("aria-sort", "ascending");
  // Back within the page leads to the order of then.
  await page.getByPlaceholder("Search titles").fill("Emma");
  await expect(page).toHaveURL(/titleSearch=Emma/);
  await header("Title").getByRole("button").click();
  await expect(header("Title")).toHaveAttribute("aria-sort", "descending");
  await page.goBack();
  await expect(header("Words")).toHaveAttribute("aria-sort", "ascending");

  await page.goto("/dashboard?formats=eBook&formats=Audio");
  await expectTitles(page, ["Dune", '=1+1, "quoted"']);
  const { name, lines } = await downloadCsv(page);
  expect(name).toBe(`reading-data-${DAY}.csv`);
  expect(lines).toEqual([
    CSV_HEADER,
    `Dune,Frank Herbert,187240,${daysBefore(DAY, 1)},9,Audio,No,Science Fiction`,
    `"'=1+1, ""quoted""",Jane Austen,50000,${daysBefore(DAY, 2)},3,eBook,Yes,"Classics, Romance"`,
  ]);
  await expect(page.getByText("Your data has been exported", { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test("two charts are locked for a reader, and open with Plus", async ({ page }) => {
  const email = await signUp(page);
  await fill(page);
  await page.goto("/dashboard");
  const authors = page.getByRole("figure", { name: "Top Authors by Words" });
  await expect(authors.getByRole("link", { name: "Upgrade" })).toHaveAttribute("href", withPath("/pricing"));
  await expect(page.getByText(/eBook, audiobook and physical formats/)).toHaveCount(2);
  await expect(page.getByText(/^Viewing limited history/)).toBeVisible();

  setPlan(email, "shelfwise_plus");
  await page.reload();
  await expect
    .poll(() => chartRows(page, "Top authors by words"))
    .toEqual([
      ["Jane Austen", 205_887, 2],
      ["Frank Herbert", 187_240, 1],
    ]);
  await expect
    .poll(async () => (await chartRows(page, "Words by format")).map(([name]) => name))
    .toEqual(["Audio", "Print", "eBook"]);
  await expect(page.getByText(/^Viewing limited history/)).toHaveCount(0);
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
});

test("numbers that could not be loaded can be asked for again", async ({ page }) => {
  await signUp(page);
  await fill(page);
  await page.route("**/api/stats**", (route) => route.abort());
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Error Loading Dashboard" })).toBeVisible({ timeout: 30_000 });
  await expectAccessibleInBoth(page);
  await page.unroute("**/api/stats**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("4 books tracked")).toBeVisible();
});

test("the shelf is walked by the keyboard, and Enter opens a book", async ({ page }) => {
  await signUp(page);
  await fill(page);
  await page.goto("/dashboard");
  const shelf = page.getByRole("list", { name: /Books on the shelf/ });
  await expect(shelf.getByRole("link")).toHaveCount(3);
  await shelf.getByRole("link").first().focus();
  await expect(shelf.getByRole("link").first()).toContainText("quoted");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(":focus")).toContainText("Dune, Frank Herbert");
  await page.keyboard.press("End");
  await expect(page.locator(":focus")).toContainText("Emma, Jane Austen");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Dune" })).toBeVisible();
  await expect(page).toHaveURL(/\/book\/\d+$/);
});

test("on a phone the filters are in a sheet, and the books in rows", async ({ page }) => {
  const refused = refusals(page);
  await page.setViewportSize({ width: 390, height: 780 });
  await signUp(page);
  await fill(page);
  await page.goto("/dashboard");
  const open = page.getByRole("button", { name: /^Filters/ });
  await open.click();
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await sheet.getByRole("checkbox", { name: /Audio/ }).check();
  await expect(sheet.getByRole("button", { name: "Show 1 book" })).toBeVisible();
  await expectAccessibleInBoth(page);
  await sheet.getByRole("button", { name: "Show 1 book" }).click();
  await expect(page.getByRole("link", { name: "Edit Dune" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Edit / })).toHaveCount(1);
  await expect(open).toBeFocused();
  await page.getByLabel("Sort by").selectOption({ label: "Title, A to Z" });
  await expectAccessibleInBoth(page);
  expect(refused).toEqual([]);
});
