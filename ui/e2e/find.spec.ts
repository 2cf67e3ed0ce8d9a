import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth, expectToFitPhones, refusals } from "./accessible";
import { addBook, daysBefore } from "./books";
import { get, setPlan, signUp, today } from "./people";

const DAY = today();
const dialog = (page: Page) => page.getByRole("dialog");
const field = (page: Page) => page.getByRole("searchbox", { name: "Search your library" });

async function addQuote(page: Page, book: number, quote: object) {
  expect((await page.request.post(`/api/books/${book}/quotes`, { data: quote })).ok()).toBe(true);
}

/** A reader whose plan shows all years. */
async function signUpWithAll(page: Page) {
  setPlan(await signUp(page), "shelfwise_plus");
}

/** Middlemarch with two quotes, Emma with impressions, and a book to read. */
async function fill(page: Page) {
  const middlemarch = await addBook(page, {
    title: "Middlemarch",
    author: "George Eliot",
    dateCompleted: daysBefore(DAY, 400),
    wordCount: 316_000,
    tags: ["slow"],
  });
  await addQuote(page, middlemarch, { text: "That roar which lies on the other side of silence.", place: "p. 194" });
  await addQuote(page, middlemarch, {
    text: "It is a narrow mind which cannot look at a subject from various points of view.",
  });
  const emma = await addBook(page, {
    dateCompleted: DAY,
    impressions: "The silence after the picnic.",
    tags: ["slow"],
  });
  const item = { title: "The Silence of the Girls", author: "Pat Barker", wordCount: 90_000 };
  expect((await page.request.post("/api/tbr", { data: item })).status()).toBe(201);
  return { middlemarch, emma };
}

test("the whole library is searched by the keyboard alone", async ({ page }) => {
  const refused = refusals(page);
  await signUpWithAll(page);
  const { middlemarch } = await fill(page);
  await page.goto("/tbr");
  await expect(page.getByText("1 book in your TBR")).toBeVisible();
  await page.keyboard.press("/");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("s");
  await expect(dialog(page).getByText("Type at least two letters.")).toBeVisible();
  await page.keyboard.type("ilence");
  await expect(dialog(page).getByText("All 3 results")).toBeVisible();
  await expect(dialog(page).locator("mark")).toHaveText(["Silence", "silence", "silence"]);
  await expectAccessibleInBoth(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/book/${middlemarch}$`));
  await expect(page.getByRole("heading", { level: 1, name: "Middlemarch" })).toBeVisible();

  await page.keyboard.press("/");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("silence");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=silence$/);
  await expect(page.getByRole("main").getByText("3 results found")).toBeVisible();
  await expect(page.getByRole("main").getByText("p. 194")).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  await field(page).fill("sandworm");
  await expect(page.getByText("Nothing found for “sandworm”.")).toBeVisible();
  // In a field a slash is a letter.
  await field(page).press("/");
  await expect(dialog(page)).toHaveCount(0);
  expect(refused).toEqual([]);
});

test("titles are found without an answer of the server", async ({ page }) => {
  await signUpWithAll(page);
  await fill(page);
  await page.route("**/api/search?*", (route) => route.abort());
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await field(page).fill("middle");
  await expect(dialog(page).getByRole("link", { name: /Middlemarch/ })).toBeVisible();
  await expect(dialog(page).getByText("There is no connection. Only titles and authors were searched.")).toBeVisible();
});

test("a Kindle's clippings become quotes and go again, and the others are saved as Markdown", async ({ page }) => {
  await signUpWithAll(page);
  await fill(page);
  await page.goto("/quotes");
  await expect(page.locator("blockquote")).toHaveCount(2);
  const marked = (title: string, text: string) =>
    `\uFEFF${title}\r\n- Your Highlight on page 12 | Added on Monday, April 21, 2014 10:08:07 PM\r\n\r\n${text}\r\n==========\r\n`;
  const clippings = `${marked("Emma (Austen, Jane)", "Badly done.")}${marked("Emma Annotated (Nobody)", "Handsome, clever.")}`;
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "My Clippings.txt", mimeType: "text/plain", buffer: Buffer.from(clippings) });
  await expect(
    page.getByText("2 passages: 1 fits a book of yours, 1 doesn’t: choose the book, or leave it."),
  ).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);

  await page.getByRole("button", { name: /^Emma Annotated/ }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("emma");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 passages: all fit books of yours.")).toBeVisible();
  await page.getByRole("button", { name: "Add 2 quotes" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "2 quotes added" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Quotes from a file" })).toBeFocused();
  expect(await get<{ matching: number }>(page.request, "/api/quotes")).toMatchObject({ matching: 4 });

  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();
  await page.goto("/quotes");
  await expect(page.locator("blockquote")).toHaveCount(2);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as Markdown" }).click();
  const markdown = await readFile(await (await saved).path(), "utf8");
  expect(markdown).toContain("That roar which lies on the other side of silence.");
  expect(markdown).not.toContain("Badly done.");
});

test("quotes are leafed through, changed where they are read, and get a place on the book's page", async ({ page }) => {
  const refused = refusals(page);
  await signUpWithAll(page);
  await page.goto("/quotes");
  await expect(page.getByText("No quotes yet")).toBeVisible();
  const { middlemarch, emma } = await fill(page);
  await page.reload();
  await expect(page.getByRole("tab", { name: "Quotes", selected: true })).toBeVisible();
  await expect(page.locator("blockquote")).toHaveCount(2);
  await expectAccessibleInBoth(page);
  await page.getByRole("button", { name: "Edit the quote from Middlemarch" }).first().click();
  await dialog(page).getByLabel("Note").fill("Read this one aloud.");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.locator("figure").getByText("Read this one aloud.")).toBeVisible();
  await page.getByRole("button", { name: "At random" }).click();
  await expect(page.locator("blockquote")).toHaveCount(1);
  const first = await page.locator("blockquote").textContent();
  await page.getByRole("button", { name: "Another" }).click();
  await expect(page.locator("blockquote")).not.toHaveText(first ?? "");
  await expectToFitPhones(page);

  await page.goto(`/book/${emma}`);
  await page.getByRole("button", { name: "Add a quote" }).click();
  await dialog(page).getByLabel("Quote", { exact: true }).fill("Badly done, Emma!");
  await dialog(page).getByLabel("Place").fill("ch. 43");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("ch. 43")).toBeVisible();
  await page.goto(`/book/${middlemarch}`);
  await page.getByRole("button", { name: "Edit the quotes" }).click();
  await dialog(page).getByRole("button", { name: "Edit quote 1" }).click();
  await dialog(page).getByLabel("Place").fill("p. 195");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("p. 195")).toBeVisible();
  const { book } = await get<{ book: { passages: { place: string; note: string }[] } }>(
    page.request,
    `/api/books/${middlemarch}`,
  );
  expect(book.passages[0]).toMatchObject({ place: "p. 195", note: "Read this one aloud." });
  expect(refused).toEqual([]);
});

test("six more charts follow the filter, show their tables, and compare two years", async ({ page }) => {
  const refused = refusals(page);
  await signUpWithAll(page);
  await fill(page);
  await page.goto("/dashboard");
  await page.getByText("More charts").click();
  for (const name of ["Pace", "Length", "When published", "Languages", "Ratings over time", "Outcomes"]) {
    await expect(page.getByRole("figure", { name, exact: true })).toBeVisible();
  }
  const length = page.getByRole("figure", { name: "Length" });
  await length.getByRole("button", { name: "Table: Length" }).click();
  await expect(length.getByRole("row", { name: "200K+ 1" })).toBeVisible();
  await expectAccessibleInBoth(page);
  await page.getByRole("button", { name: "Compare two years" }).click();
  await expect(length.getByRole("columnheader", { name: `Books ${DAY.slice(0, 4)}` })).toBeVisible();
  await page.getByRole("button", { name: "Stop comparing" }).focus();
  await page.keyboard.press("Enter");
  // The button is gone, and the keyboard goes on where it was.
  await expect(page.locator(":focus").getByRole("button", { name: "Compare two years" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Search titles" }).fill("emma");
  await expect(length.getByRole("row", { name: "200K+ 0" })).toBeVisible();
  await expectToFitPhones(page);
  // Open once, they stay open.
  await page.goto("/dashboard");
  await expect(page.getByRole("figure", { name: "Outcomes" })).toBeVisible();
  expect(refused).toEqual([]);
});

test("a filter is saved as a view, pinned, renamed and deleted", async ({ page }) => {
  const refused = refusals(page);
  await signUpWithAll(page);
  await fill(page);
  await page.goto("/dashboard?tags=slow&minRating=8");
  const menu = page.getByRole("button", { name: /^View: / });
  const choose = async (item: string) => {
    await menu.click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };
  await choose("Save as view");
  await dialog(page).getByLabel("Name").fill("Slow ones");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "View: Slow ones" })).toBeVisible();
  await choose("All books");
  await expect(page).toHaveURL(/\/dashboard$/);
  await choose("Slow ones");
  await expect(page).toHaveURL(/minRating=8/);

  await choose("Edit views");
  await dialog(page).getByRole("button", { name: "Pin Slow ones" }).click();
  await expect(dialog(page).getByRole("button", { name: "Pin Slow ones", pressed: true })).toBeVisible();
  await expectAccessibleInBoth(page);
  await dialog(page).getByRole("button", { name: "Rename Slow ones" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Good and slow");
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await dialog(page).getByRole("button", { name: "Delete Good and slow" }).click();
  await expect(dialog(page).getByRole("listitem")).toHaveCount(0);
  expect(refused).toEqual([]);
});

test("a book to read is picked, and books that are alike are named", async ({ page }) => {
  const refused = refusals(page);
  await signUpWithAll(page);
  const { emma } = await fill(page);
  expect((await page.request.post("/api/tbr", { data: { title: "Ulysses", wordCount: 265_000 } })).status()).toBe(201);
  await page.goto("/tbr");
  await page.getByRole("button", { name: "Pick for me" }).click();
  await dialog(page).getByLabel("Length").selectOption("Up to 100,000 words");
  await expect(dialog(page).getByText("The Silence of the Girls")).toBeVisible();
  await expectAccessibleInBoth(page);
  await dialog(page).getByRole("button", { name: "Start reading" }).click();
  await expect(page.getByRole("heading", { name: "The Silence of the Girls" })).toBeVisible();
  await page.goto(`/book/${emma}`);
  await expect(page.getByRole("region", { name: "More like this in your library" })).toContainText("Middlemarch");
  expect(refused).toEqual([]);
});
