import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectToFit } from "./accessible";
import { addBook, daysBefore } from "./books";
import { setPlan, signUp, today } from "./people";

const BOOKS = 90;
const DAY = today();
const YEAR = DAY.slice(0, 4);

/** Signs a reader up with more books than the table draws or fetches at once. */
async function withManyBooks(page: Page): Promise<void> {
  await signUp(page);
  for (let number = 1; number <= BOOKS; number++) {
    await addBook(page, { title: `Book ${number}`, status: "undated", wordCount: 60_000 });
  }
}

/** The mean brightness of the labels below a chart, 0 to 255. */
function brightness(canvas: SVGElement | HTMLElement): number {
  const { width, height } = canvas as HTMLCanvasElement;
  const strip = (canvas as HTMLCanvasElement).getContext("2d")?.getImageData(0, height - 24, width, 24).data ?? [];
  let [sum, count] = [0, 0];
  for (let at = 0; at < strip.length; at += 4) {
    if ((strip[at + 3] ?? 0) < 200) continue;
    sum += ((strip[at] ?? 0) + (strip[at + 1] ?? 0) + (strip[at + 2] ?? 0)) / 3;
    count += 1;
  }
  return count === 0 ? 255 : sum / count;
}

const background = (element: Locator) => element.evaluate((one) => getComputedStyle(one).backgroundColor);

/** Doubles the size of all text, as a browser's setting for text alone does. */
const enlarge = (page: Page) =>
  page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });

test("paper shows the whole list and the whole shelf, and nothing to press", async ({ page }) => {
  test.setTimeout(120_000);
  await withManyBooks(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/dashboard");
  const table = page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "Author" }) });
  await expect(table).toHaveAttribute("aria-rowcount", String(BOOKS + 1));
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await page.getByRole("button", { name: "Print" }).click();
  await expect(page.locator("body")).toHaveAttribute("data-printed", "");

  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.locator("tr[data-index]")).toHaveCount(BOOKS);
  await expect(page.locator("tr[data-index]").last()).toContainText("Book");
  await expect(page.getByRole("button", { name: "Download CSV" })).toBeHidden();
  await expect(page.getByLabel("Search titles")).toBeHidden();
  await expect(page.getByRole("link", { name: "Add Book" }).first()).toBeHidden();
  // Ink on white paper, also for a reader in the dark.
  expect(await page.locator("body").evaluate((body) => getComputedStyle(body).color)).toBe("rgb(25, 35, 52)");
  await page.setViewportSize({ width: 760, height: 1000 });
  const shelf = page.locator("section svg:has([data-id])").first();
  const { width } = (await shelf.boundingBox()) ?? { width: Number.POSITIVE_INFINITY };
  expect(width).toBeLessThanOrEqual(760);

  // A4 pages: title, figures and charts, and 90 rows. Before, 28 pages were nearly all blank.
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length).toBeLessThanOrEqual(12);
});

test("paper shows the to-be-read list, the calendar and a year without what is there to press", async ({ page }) => {
  await signUp(page);
  const id = await addBook(page, { dateCompleted: null, status: "in-progress", rating: null, startDate: DAY });
  const day = await page.request.put(`/api/books/${id}/days/${DAY}`, { data: { percent: 20 } });
  expect(day.status()).toBe(200);
  const rows = Array.from({ length: 40 }, (_, at) => `A title of several words ${at + 1},Ursula K. Le Guin`);
  const file = { name: "tbr.csv", mimeType: "text/csv", buffer: Buffer.from(["Title,Author", ...rows].join("\n")) };
  expect((await page.request.post("/api/tbr/import", { multipart: { file } })).status()).toBe(200);
  const pages = async () =>
    (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)?.length;

  await page.goto("/tbr");
  await expect(page.getByRole("button", { name: "Reorder A title of several words 1", exact: true })).toBeVisible();
  // Before, each book had a page of its own, with one character in a line.
  expect(await pages()).toBeLessThanOrEqual(4);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("searchbox")).toBeHidden();

  await page.goto("/reading");
  await expect(page.locator(`[data-day="${DAY}"]`)).toBeVisible();
  await expect(page.getByLabel("Where you are")).toBeHidden();
  await page.goto(`/years/${YEAR}`);
  await expect(page.getByRole("heading", { level: 1, name: YEAR })).toBeVisible();
  await expect(page.getByRole("navigation", { name: `Months of ${YEAR}` })).toBeHidden();
});

test("a chart of a dark page is drawn in ink for paper", async ({ page }) => {
  await signUp(page);
  for (const days of [0, 40, 80]) await addBook(page, { title: `${days}`, dateCompleted: daysBefore(DAY, days) });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/dashboard");
  const labels = () => page.getByRole("figure", { name: "Words per Month" }).locator("canvas").evaluate(brightness);
  await expect.poll(labels).toBeGreaterThan(120);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect.poll(labels).toBeLessThan(120);
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await expect.poll(labels).toBeGreaterThan(120);
});

test("the keys Ctrl+P print the whole list, and the browser's menu says what is missing", async ({ page }) => {
  test.setTimeout(120_000);
  await withManyBooks(page);
  await page.goto("/dashboard");
  const table = page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "Author" }) });
  await expect(table).toHaveAttribute("aria-rowcount", String(BOOKS + 1));
  await page.emulateMedia({ media: "print" });
  const missing = page.getByText(`These are the first 25 of ${BOOKS} books.`);
  // The remaining books are fetched meanwhile, so that the next print has them.
  await expect(missing.or(page.locator(`tr[data-index="${BOOKS - 1}"]`)).first()).toBeVisible();
  await expect(page.locator("tr[data-index][data-waiting]")).toHaveCount(0);
  await page.emulateMedia({ media: "screen" });

  await page.reload();
  await expect(table).toHaveAttribute("aria-rowcount", String(BOOKS + 1));
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await page.keyboard.press("Control+p");
  await expect(page.locator("body")).toHaveAttribute("data-printed", "");
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("tr[data-index]")).toHaveCount(BOOKS);
  await expect(missing).toHaveCount(0);
});

test("with forced colours every choice can be seen", async ({ page }) => {
  await signUp(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ forcedColors: "active", colorScheme });
    await page.goto("/add-book");
    const [chosen, other] = [
      page.locator('input[name="status"]:checked'),
      page.locator('input[name="status"]:not(:checked)'),
    ];
    await expect(chosen).toBeVisible();
    expect(await background(chosen)).not.toBe(await background(other.first()));
    const mark = page.getByRole("navigation", { name: "Main" }).locator("[aria-current]");
    const ofMark = await mark.evaluate((link) => getComputedStyle(link, "::after").backgroundColor);
    expect(ofMark).not.toBe(await background(page.locator("body")));
    const tab = page.getByRole("tab", { selected: true });
    expect(await tab.evaluate((one) => getComputedStyle(one, "::after").backgroundColor)).toBe(ofMark);
    // The plate that browsers put behind text would hide the label of a filled button.
    const filled = page.getByRole("button", { name: "Add Book" });
    expect(await filled.evaluate((one) => getComputedStyle(one).forcedColorAdjust)).toBe("none");
    await page.goto("/account?tab=preferences");
    const track = page.locator('input[type="checkbox"][role="switch"], input[type="checkbox"]').first();
    await expect(track).toBeAttached();
  }
});

test("with text of twice the size nothing leaves the page, and the search field stays wide enough", async ({
  page,
}) => {
  await signUp(page);
  await addBook(page, { status: "undated", wordCount: 748_000 });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.request.post("/api/tbr", { data: { title: "The Brothers Karamazov", author: "Fyodor Dostoevsky" } });
  for (const path of ["/dashboard", "/add-book", "/add-book?tab=tbr", "/tbr", "/account"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await enlarge(page);
    await expectToFit(page, 1280, path);
  }
  await page.goto("/dashboard");
  await enlarge(page);
  const field = await page.getByLabel("Search titles").boundingBox();
  expect(field?.width).toBeGreaterThan(150);
});

test("with text of twice the size a phone's page does not scroll sideways", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const widths = async (paths: string[]) => {
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await enlarge(page);
      await expectToFit(page, 390, path);
    }
  };
  await widths(["/", "/login", "/pricing"]);
  await signUp(page);
  await addBook(page, { status: "undated", wordCount: 748_000 });
  await page.request.post("/api/tbr", { data: { title: "The Brothers Karamazov", author: "Fyodor Dostoevsky" } });
  await widths(["/dashboard", "/add-book", "/add-book?tab=tbr", "/tbr", "/account"]);
});

test("names of one endless word do not scroll a book's page sideways, and a noted place neither", async ({ page }) => {
  await signUp(page);
  const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  const series = { name: word, number: "1" };
  const book = {
    title: word,
    author: word,
    wordCount: 90_000,
    status: "in-progress",
    rating: null,
    format: "Print",
    series,
  };
  const answer = await page.request.post("/api/books", {
    data: { ...book, publisher: word, genres: [word], tags: [word] },
  });
  expect(answer.ok()).toBe(true);
  const { id } = (await answer.json()).book as { id: number };
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/book/${id}`);
    await expect(page.getByText("Publisher")).toBeVisible();
    await expectToFit(page, width);
    await page.goto("/reading");
    await page.getByLabel("Where you are").fill(String(width / 20));
    await page.getByRole("button", { name: "Note", exact: true }).click();
    await expect(page.getByText(/^Noted: /)).toBeVisible();
    await expectToFit(page, width);
  }
});

test("names of one endless word do not scroll a year sideways", async ({ page }) => {
  await signUp(page);
  for (const letter of ["a", "b", "c"]) {
    const word = letter.repeat(180);
    await addBook(page, { title: word, author: word, genres: [word.slice(80)], dateCompleted: DAY });
  }
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of [`/years/${YEAR}`, `/years/${DAY.slice(0, 7)}`, "/dashboard"]) {
      await page.goto(path);
      await expect(page.getByText(/new authors|Words by Format/).first()).toBeVisible();
      await expectToFit(page, width, path);
    }
  }
});

test("the keyboard begins at the top of a book's page that is opened by its address, and at the heading after a link", async ({
  page,
}) => {
  await signUp(page);
  const id = await addBook(page, { status: "undated" });
  await page.goto(`/book/${id}`);
  const heading = page.getByRole("heading", { level: 1, name: "Emma" });
  await expect(heading).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.goto("/dashboard");
  await page.route("**/api/works/*", async (route) => {
    await expect(page.getByText("Fetching the book")).toBeVisible();
    await route.continue();
  });
  await page.getByRole("cell").getByRole("link", { name: "Emma", exact: true }).click();
  await expect(heading).toBeFocused();
});

test("on a phone the current tab and the current month are in view", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page);
  await page.goto("/account?tab=terms");
  await expect(page.getByRole("tab", { name: "Terms" })).toBeInViewport({ ratio: 1 });
  await page.goto("/years/2025-11");
  await expect(page.getByRole("link", { name: "Nov", exact: true })).toBeInViewport({ ratio: 1 });
});

test("on a phone the buttons of an earlier year's calendar are on one line", async ({ page }) => {
  setPlan(await signUp(page), "shelfwise_plus");
  const year = Number(YEAR) - 1;
  await addBook(page, { dateCompleted: `${year}-05-10` });
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto("/reading");
  await page.getByRole("button", { name: `Days of ${year}` }).click();
  const table = page.getByRole("button", { name: "Table" });
  await expect(table).toBeVisible();
  const tops = [table, page.getByRole("button", { name: "Add a day" })].map(async (one) => {
    const { y = 0, height = 0 } = (await one.boundingBox()) ?? {};
    return Math.round(y + height / 2);
  });
  expect(new Set(await Promise.all(tops)).size).toBe(1);
});

test("text in another direction stands as it was written", async ({ page }) => {
  await signUp(page);
  const title = "ما الحياة؟ (الجزء 2)!";
  const id = await addBook(page, { title, author: "كاتب", status: "undated", genres: ["أدب"] });
  await page.request.post("/api/tbr", { data: { title, notes: "(مهم)!" } });
  const direction = (element: Locator) => element.evaluate((one) => getComputedStyle(one).direction);
  await page.goto("/dashboard");
  expect(await direction(page.getByRole("cell").getByText(title))).toBe("rtl");
  // It begins at its own side and stands at the side of the page's own text.
  const author = page.getByRole("cell", { name: "كاتب", exact: true });
  expect(await author.evaluate((cell) => getComputedStyle(cell).textAlign)).toMatch(/left|match-parent/);
  const leftOf = (element: Locator) =>
    element.evaluate((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect().left - one.getBoundingClientRect().left;
    });
  expect(await leftOf(author)).toBeLessThan(40);
  await page.goto("/tbr");
  expect(await direction(page.getByText(title, { exact: true }))).toBe("rtl");
  expect(await direction(page.getByText("(مهم)!"))).toBe("rtl");
  await page.goto(`/add-book?tab=edit&bookId=${id}`);
  expect(await direction(page.getByLabel("Title"))).toBe("rtl");
});

test("the focus goes on where it was when its control is gone", async ({ page }) => {
  await signUp(page);
  const first = await addBook(page, { title: "Emma", status: "undated" });
  await addBook(page, { title: "Persuasion", status: "undated" });
  for (const title of ["One", "Two", "Three"]) await page.request.post("/api/tbr", { data: { title, author: "A" } });

  await page.goto(`/add-book?tab=edit&bookId=${first}`);
  const picker = page.getByRole("button", { name: /^Book / });
  await picker.click();
  await page.getByRole("combobox", { name: "Find a book" }).fill("Persuasion");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Title")).toHaveValue("Persuasion");
  await expect(picker).toBeFocused();

  await page.goto("/tbr");
  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Actions for Two" }).press("Enter");
  await page.getByRole("menuitem", { name: "Remove" }).press("Enter");
  await expect(page.getByRole("button", { name: "Actions for Three" })).toBeFocused();
  await page.getByRole("button", { name: "Start reading One" }).press("Enter");
  await expect(page.getByRole("button", { name: "Start reading Three" })).toBeFocused();
  await page.getByRole("button", { name: "Start reading Three" }).press("Enter");
  await expect(page.getByText("Your TBR list is empty")).toBeVisible();
  await expect(page.getByRole("link", { name: "Add to TBR" })).toBeFocused();

  await page.goto("/dashboard?titleSearch=nothing");
  await page.getByRole("button", { name: "Reset Filters" }).last().press("Enter");
  await expect(page.getByRole("heading", { name: "Books" })).toBeFocused();
});
