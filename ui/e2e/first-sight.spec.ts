import { expect, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth, expectToFitPhones } from "./accessible";
import { addBook, daysBefore } from "./books";
import { setPlan, signUp, today } from "./people";

/*
 * What a page shows before anything is pressed: how high it is on a phone, and how much there is to press.
 */

const DAY = today();
const YEAR = DAY.slice(0, 4);
const PHONE = { width: 390, height: 780 };
/** The most that a page is high, in screens of a phone. */
const SCREENS = 12;

/** A library of some years: books, one of them open, tags, series, and a list. */
async function fill(page: Page, size: number): Promise<void> {
  setPlan(await signUp(page), "shelfwise_plus");
  const post = async (path: string, lines: string[]) => {
    const file = { name: "file.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\n")) };
    expect((await page.request.post(path, { multipart: { file } })).status()).toBe(200);
  };
  if (size > 0) {
    // A shelf of half the library, beside many small tags and series.
    const rows = Array.from({ length: size }, (_, at) => {
      const cells = [`Book ${at}`, `Author ${at % 300}`, 40_000 + (at % 90) * 2_000, daysBefore(DAY, at * 3), at % 11];
      return [
        ...cells,
        ["sci-fi", "Crime", "Essays"][at % 3],
        `"tag ${at % 200}${at % 2 ? ", shelf" : ""}"`,
        `Series ${at % 200}`,
        "",
      ].join();
    });
    await post("/api/books/import", [
      "Title,Author,Word Count,Date Completed,Rating,Genres,Tags,Series,Word Count Source",
      ...rows,
    ]);
    await post("/api/tbr/import", ["Title,Author", ...rows.slice(0, 180).map((_, at) => `Waiting ${at},Author ${at}`)]);
    await addBook(page, { title: "Trust", status: "in-progress", rating: null, startDate: daysBefore(DAY, 40) });
  }
}

const PAGES = [
  "/dashboard",
  "/reading",
  `/years/${YEAR}`,
  `/years/${Number(YEAR) - 1}`,
  "/tbr",
  "/tags",
  "/tags/shelf",
  "/series",
  "/import",
  "/import/history",
  "/account",
  "/account?tab=preferences",
  "/account?tab=connections",
  "/account/export",
];

for (const size of [0, 5, 2_000]) {
  test(`with ${size} books no page is longer than twelve screens of a phone`, async ({ page }) => {
    test.setTimeout(180_000);
    await fill(page, size);
    await page.setViewportSize(PHONE);
    for (const path of PAGES) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForLoadState("networkidle");
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect.soft(height / PHONE.height, path).toBeLessThanOrEqual(SCREENS);
    }
  });
}

test("the dashboard of 2,000 books and its further rows are accessible and fit phones", async ({ page }) => {
  test.setTimeout(120_000);
  await fill(page, 2_000);
  await page.goto("/dashboard");
  await expect(page.getByText("2,001 books tracked")).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  await page.getByRole("button", { name: "50 more" }).click();
  await expect(page.getByText("75 of 2,001 books")).toBeVisible();
  await page.getByRole("link", { name: "Book 28", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Book 28" })).toBeVisible();
  await page.goBack();
  // The reader comes back to the same rows, at the same place.
  await expect(page.getByText("75 of 2,001 books")).toBeVisible();
  await expect(page.getByRole("link", { name: "Book 28", exact: true })).toBeInViewport();
});

test("a list that goes on begins with its first rows, and keeps those that were asked for", async ({ page }) => {
  test.setTimeout(120_000);
  await fill(page, 2_000);
  for (const [path, more, all] of [
    ["/tbr", "75 of 180 books", "All 180 books"],
    ["/tags", "75 of 201 tags", "All 201 tags"],
    ["/series", "75 of 200 series", "All 200 series"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("button", { name: "50 more" }).press("Enter");
    await expect(page.getByText(more)).toBeVisible();
    // The focus goes on at the first new row.
    await expect(page.locator("[data-index='25'] :focus")).toBeVisible();
    await page.reload();
    await expect(page.getByText(more)).toBeVisible();
    await page.getByRole("button", { name: all }).click();
    await expect(page.getByRole("button", { name: /more$/ })).toHaveCount(0);
  }
});

test("a year has at most thirty controls at first sight", async ({ page }) => {
  await fill(page, 300);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/years/${Number(YEAR) - 1}`);
    await expect(page.getByRole("heading", { name: "The best" })).toBeVisible();
    const controls = await page
      .locator("main :is(a[href], button, input, select, textarea, summary, [tabindex='0'])")
      .evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex >= 0 && one.checkVisibility()).length);
    expect(controls, `at ${width} px`).toBeLessThanOrEqual(30);
  }
});
