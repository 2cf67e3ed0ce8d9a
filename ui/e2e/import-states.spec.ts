import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible";
import { chooseFile, expectFigures, fold, importBooks } from "./import";
import { get, setPlan, signUp } from "./people";

/** Columns of an unknown format. */
const UNKNOWN = "Nr,Werk,Wer,Wann fertig\n1,Dune,Frank Herbert,2026-03-04\n";
/** One book read, one on a custom shelf, one to be read, and one with an invalid date. */
const SHELVES = [
  "Title,Author,My Rating,Number of Pages,Date Read,Bookshelves,Exclusive Shelf,Read Count,Owned Copies,Condition",
  "Kindred,Octavia E. Butler,5,264,2026/05/06,,read,2,0,",
  "Ulysses,James Joyce,0,730,,wont-read,wont-read,0,0,",
  "Middlemarch,George Eliot,0,880,,to-read,to-read,0,0,",
  "Emma,Jane Austen,4,474,2021/02/31,,read,1,0,",
].join("\n");

/** A list of two books to be read. */
const WANTED = [
  "Title,Author,My Rating,Date Read,Exclusive Shelf",
  "Kindred,Octavia E. Butler,0,,to-read",
  "Middlemarch,George Eliot,0,,to-read",
].join("\n");
/** A later export: one of them was read, another book has a cell that is not a rating, and dates can be read in two ways. */
const READ = [
  "Title,Author,My Rating,Date Read,Exclusive Shelf",
  "Kindred,Octavia E. Butler,5,03/04/2026,read",
  "Emma,Jane Austen,17,01/01/2021,read",
  "Middlemarch,George Eliot,0,,to-read",
].join("\n");

/** A number of books, without the form. */
async function fill(page: Page, books: number) {
  const rows = Array.from({ length: books }, (_, at) => `Book ${at},Some Author,1000`);
  const buffer = Buffer.from(["Title,Author,Word Count", ...rows].join("\n"));
  const file = { name: "books.csv", mimeType: "text/csv", buffer };
  const answer = await page.request.post("/api/books/import", { multipart: { file } });
  expect(await answer.json()).toMatchObject({ imported: books, errors: 0 });
}

/** Waits until nothing moves or fades, which would change colours. */
async function expectGood(page: Page) {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
  await expectAccessible(page);
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test("every step of an import is accessible", async ({ page }) => {
      setPlan(await signUp(page), "shelfwise_plus");
      await page.goto("/import");
      await expect(page.getByText("Drop a CSV file here, or choose one")).toBeVisible();
      await expectGood(page);

      // Columns: first without a title, then mapped.
      await chooseFile(page, "meine-buecher.csv", UNKNOWN);
      await expect(page.getByText("We don’t know this format: 4 columns. Say what each one is.")).toBeVisible();
      await expect(page.getByText("No column is the title yet. Is it this one?")).toBeVisible();
      await expect(page.getByRole("button", { name: "Import as TBR" })).toBeDisabled();
      await expectGood(page);
      await page.getByLabel("Werk").selectOption("title");
      await page.getByLabel("Wer", { exact: true }).selectOption("author");
      await page.getByLabel("Wann fertig").selectOption("dateCompleted");
      await expectFigures(page, "Books 1");
      await fold(page, "Preview");
      await expect(page.getByText("Frank Herbert").last()).toBeVisible();
      await expectGood(page);

      // Shelves and the preview, with refused rows.
      await chooseFile(page, "goodreads_library_export.csv", SHELVES);
      await expect(page.getByText("wont-read: Leave out")).toBeVisible();
      for (const part of ["Columns", "Shelves", "Details", "Errors", "Preview"]) await fold(page, part);
      await expect(page.getByLabel("wont-read")).toHaveValue("skip");
      await expect(page.getByText("“2021/02/31” is not a date between 1900 and 2100")).toBeVisible();
      await page.getByRole("button", { name: /^Show \d+ more columns?$/ }).click();
      await expectGood(page);

      await page.getByRole("button", { name: "Import as Read Books" }).click();
      await expect(page.getByText("Successfully imported 1 book, 1 row had errors").first()).toBeVisible();
      await expectGood(page);
      await page.getByRole("button", { name: "Undo", exact: true }).click();
      const dialog = page.getByRole("alertdialog", { name: "Undo this import?" });
      await expect(dialog).toBeVisible();
      await expectGood(page);
      await dialog.getByRole("button", { name: "Undo import" }).click();
      await expect(page.getByText("1 book and 1 TBR item removed.")).toBeVisible();
      await expectGood(page);
      await page.getByRole("link", { name: "History and undo" }).click();
      await expect(page.getByText(/^Undone /)).toBeVisible();
      await expectGood(page);

      // Books that were changed since stay, and are listed.
      await importBooks(page, "goodreads_library_export.csv", SHELVES);
      const { data: books } = await get<{ data: { id: number }[] }>(page.request, "/api/books");
      await page.request.patch(`/api/books/${books[0]?.id}`, { data: { rating: 3 } });
      await page.getByRole("button", { name: "Undo", exact: true }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Undo import" }).click();
      await expect(page.getByText("1 book stays, because you have changed it since.")).toBeVisible();
      await expect(page.getByRole("link", { name: "Kindred" })).toBeVisible();
      await expectGood(page);

      await chooseFile(page, "books.csv", "\n\n");
      await expect(page.getByText("This file is empty. Nothing was imported.")).toBeVisible();
      await expectGood(page);
    });

    test("a later export asks about its dates, names a bad cell, and takes what was read off the TBR", async ({
      page,
    }) => {
      setPlan(await signUp(page), "shelfwise_plus");
      const imported = page.getByRole("button", { name: "Import as TBR" });
      await chooseFile(page, "first.csv", WANTED);
      await imported.click();
      await expect(page.getByText("Successfully imported 2 TBR items").first()).toBeVisible();

      await chooseFile(page, "later.csv", READ);
      // The first file was of the same tracker, and this one is not meant to bring it up to date.
      await page.getByRole("button", { name: "Import it as new" }).click();
      const order = page.getByRole("group", { name: "03/04/2026: which day?" });
      await expect(order.getByRole("radio", { name: "Month first: Mar 4, 2026" })).toBeChecked();
      await order.getByRole("radio", { name: "Day first: Apr 3, 2026" }).check();
      for (const part of ["Details", "Errors", "Preview"]) await fold(page, part);
      await expect(page.getByText("2026-04-03")).toBeVisible();
      await page.getByLabel("1 book was finished on a January 1. Make it year-only?").check();
      await expect(page.getByText("2021", { exact: true })).toBeVisible();
      await expect(page.getByText("1 TBR item is finished in this file and leaves your TBR.")).toBeVisible();
      await expect(page.getByText("Rating “17” is not a number of stars from 0 to 5.")).toBeVisible();
      await expectGood(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectToFit(page, 390);

      await page.getByRole("button", { name: "Import as Read Books" }).click();
      await expect(page.getByText("Off your TBR")).toBeVisible();
      await expectGood(page);
      await page.getByRole("button", { name: "Undo", exact: true }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Undo import" }).click();
      await expect(page.getByText("2 books removed. 1 TBR item is on your TBR again.")).toBeVisible();
    });

    test("a reader with 149 books sees that one more fits", async ({ page }) => {
      await signUp(page);
      await fill(page, 149);
      await chooseFile(page, "books.csv", "Title,Author,Rating\nOne,A,7\nTwo,B,7\nThree,C,7\n");
      const notice = "The Reader plan has room for 1 more book. The first one in this file is imported";
      await expect(page.getByText(notice)).toBeVisible();
      await expectGood(page);
      await page.getByRole("button", { name: "Import as Read Books" }).click();
      await expect(
        page.getByText("Successfully imported 1 book, 2 books do not fit the Reader plan").first(),
      ).toBeVisible();
      await expect(
        page.getByText("2 books do not fit the Reader plan. The rows are kept with this import.").first(),
      ).toBeVisible();
      await expect(page.getByRole("region", { name: "Result" }).getByRole("link", { name: "Upgrade" })).toBeVisible();
      await expectGood(page);
      const { limits } = await get<{ limits: object }>(page.request, "/api/subscriptions/current");
      expect(limits).toMatchObject({ bookLimit: 150, bookCount: 150 });

      await chooseFile(page, "more.csv", "Title,Author,Rating\nFour,D,7\n");
      await expect(page.getByText("The Reader plan has no room for more books: 1 book does not fit.")).toBeVisible();
      await expectGood(page);
    });

    for (const [path, heading] of [
      ["/privacy", "Privacy Policy"],
      ["/terms", "Terms of Service"],
    ] as const) {
      test(`${path} is accessible`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
        await expectGood(page);
        await page.setViewportSize({ width: 360, height: 740 });
        await expectToFit(page, 360);
      });
    }
  });
}

/** Presses Tab until a folded part has the focus. */
const tabToFold = (page: Page, name: string) =>
  tabOnTo(page, page.locator("summary").filter({ has: page.getByText(name, { exact: true }) }));

/** Presses Tab until the control has the focus. */
const tabTo = (page: Page, role: "button" | "combobox" | "checkbox", name: string | RegExp) =>
  tabOnTo(page, page.getByRole(role, { name }).first());

async function tabOnTo(page: Page, control: Locator) {
  for (let steps = 0; steps < 80; steps++) {
    if (await control.evaluate((element) => element === document.activeElement).catch(() => false)) return control;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the Tab key never comes to ${control}`);
}

test("a known file is imported with three taps on two screens of a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  setPlan(await signUp(page), "shelfwise_plus");
  await page.goto("/dashboard");
  let taps = 0;
  const tap = async (target: Locator) => {
    taps += 1;
    await target.click();
  };
  await tap(page.getByRole("navigation").getByRole("link", { name: "Import" }));
  const choosing = page.waitForEvent("filechooser");
  await tap(page.getByText("Choose file", { exact: true }));
  const buffer = Buffer.from(SHELVES);
  await (await choosing).setFiles({ name: "goodreads_library_export.csv", mimeType: "text/csv", buffer });
  const button = page.getByRole("button", { name: "Import as Read Books" });
  await expect(page.getByText("Goodreads export")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(2 * 844);
  const { y = Number.NaN, height = 0 } = (await button.boundingBox()) ?? {};
  expect(y + height, "the button ends on the first screen").toBeLessThanOrEqual(844);
  await tap(button);
  await expect(page.getByText("Successfully imported 1 book, 1 row had errors")).toBeVisible();
  expect(taps).toBe(3);
});

test("a file that does not say what its books are asks, and its answer goes with the import", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  setPlan(await signUp(page), "shelfwise_plus");
  await chooseFile(page, "meine-buecher.csv", "Titel,Autorin,Seiten,Sterne\nDie Wand,Marlen Haushofer,285,4\n");
  const question = page.getByRole("group", { name: "Are these read, or to be read?" });
  await page.getByRole("button", { name: "Import as Read Books" }).click();
  await expect(question.getByText("Choose one first.")).toBeVisible();
  await expect(question.getByRole("radio").first()).toBeFocused();
  await expectGood(page);
  await question.getByRole("radio", { name: "Reading now" }).check();
  await expectGood(page);
  await page.getByRole("button", { name: "Import as Read Books" }).click();
  await expect(page.getByText("Successfully imported 1 book")).toBeVisible();
  const { data } = await get<{ data: { status: string }[] }>(page.request, "/api/books");
  expect(data.map(({ status }) => status)).toEqual(["in-progress"]);

  // A newer file with the same columns is answered as this one was.
  await chooseFile(page, "meine-buecher.csv", "Titel,Autorin,Seiten,Sterne\nKim,Rudyard Kipling,300,5\n");
  await expect(question.getByRole("radio", { name: "Reading now" })).toBeChecked();
});

test("an import that is canceled while its file is sent brings nothing in", async ({ page }) => {
  await signUp(page);
  await chooseFile(page, "goodreads_library_export.csv", SHELVES);
  await page.route("**/api/books/import", () => undefined);
  await page.getByRole("button", { name: "Import as Read Books" }).click();
  await expect(page.getByRole("progressbar")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Canceled. Nothing was imported.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Import as Read Books" })).toBeEnabled();
  expect((await get<{ total: number }>(page.request, "/api/books?limit=1")).total).toBe(0);
});

test("with the keyboard alone a file is chosen, its shelf mapped, imported and undone", async ({ page }) => {
  // Listens from the start: the browser's file picker would otherwise open before anyone waits for it.
  const choosing = page.waitForEvent("filechooser");
  await signUp(page);
  await page.goto("/import");
  await expect(page.getByText("Drop a CSV file here, or choose one")).toBeVisible();
  for (let steps = 0; ; steps++) {
    expect(steps, "the Tab key comes to the file").toBeLessThan(80);
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement?.matches("input[type=file]"))) break;
  }
  await page.keyboard.press("Space");
  const chooser = await choosing;
  const buffer = Buffer.from(SHELVES);
  await chooser.setFiles({ name: "goodreads_library_export.csv", mimeType: "text/csv", buffer });

  await tabToFold(page, "Shelves");
  await page.keyboard.press("Enter");
  const shelf = page.getByLabel("wont-read");
  await expect(shelf).toHaveValue("skip");
  await tabTo(page, "combobox", "wont-read");
  await page.keyboard.press("r");
  await expect(shelf).toHaveValue("read");
  await tabToFold(page, "Details");
  await page.keyboard.press("Enter");
  await tabTo(page, "checkbox", /^Also add 1 earlier read/);
  await page.keyboard.press("Space");
  await expectFigures(page, "Books 3", "To be read 1");
  await tabTo(page, "button", "Import as Read Books");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Successfully imported 3 books, 1 row had errors").first()).toBeVisible();

  // The focus moved to the result, not back to the top of the page.
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  await tabTo(page, "button", "Undo");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog");
  await expect(dialog.getByRole("button", { name: "Keep it" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Undo", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, "button", "Undo import");
  await page.keyboard.press("Enter");
  await expect(page.getByText("3 books and 1 TBR item removed.")).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
});
