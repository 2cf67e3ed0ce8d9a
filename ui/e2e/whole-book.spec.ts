import { expect, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth, expectToFitPhones } from "./accessible";
import { addBook, unfold } from "./books";
import { signUp } from "./people";

const toast = (page: Page, title: string) => page.getByText(title, { exact: true }).first();

test("a book with two authors, a series, tags and an edition is typed by the keyboard and found again", async ({
  page,
}) => {
  await signUp(page);
  await page.goto("/add-book");
  await page.getByLabel("Title").fill("Good Omens");
  const authors = page.getByLabel("Authors");
  await authors.fill("Terry Pratchett");
  await authors.press("Enter");
  await authors.fill("Neil Gaiman");
  await page.getByRole("radio", { name: /^No date/ }).check();
  await unfold(page, "More about this edition");
  await page.getByLabel("Tags").fill("owned");
  await page.getByLabel("Tags").press("Enter");
  await page.getByRole("textbox", { name: "Series", exact: true }).fill("Armageddon");
  await page.getByLabel("Number in the series").fill("2");
  await page.getByLabel("Publisher").fill("Gollancz");
  await page.getByLabel("Published", { exact: true }).fill("1990");
  await page.getByLabel("Language").selectOption({ label: "English" });
  await page.getByRole("button", { name: "Add translator, narrator, editor" }).click();
  await page.getByLabel("Name of contributor 1").fill("Martin Jarvis");
  await page.getByLabel("Role of contributor 1").selectOption("narrator");
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(toast(page, "Book added successfully!")).toBeVisible();

  // The page of the book leads to its series, which has a gap before it.
  await page.getByRole("link", { name: "Good Omens", exact: true }).first().click();
  await expect(page.getByText("Terry Pratchett, Neil Gaiman").first()).toBeVisible();
  await expect(page.getByText("Martin Jarvis", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Armageddon" }).click();
  await expect(page.getByText("You have #2.")).toBeVisible();
  await expect(page.getByText("Not on your shelf")).toBeVisible();
  await page.getByRole("link", { name: "Look it up: #1 of Armageddon" }).click();
  await expect(page.getByText("Armageddon #1")).toBeVisible();
});

test("a tag is renamed, deleted and brought back, and each change is listed and can be undone", async ({ page }) => {
  await signUp(page);
  for (const [title, tags] of [
    ["Dune", ["sf", "owned"]],
    ["Circe", ["myth"]],
  ] as const) {
    const data = { title, author: "Somebody", wordCount: 90_000, format: "Print", status: "undated", tags };
    expect((await page.request.post("/api/books", { data })).status()).toBe(201);
  }
  await page.goto("/tags");
  await page.getByRole("button", { name: "More for the tag sf" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("science fiction");
  await page.getByRole("button", { name: "Rename" }).click();
  await expect(toast(page, "Renamed in 1 book: “sf” is “science fiction” now.")).toBeVisible();
  await expect(page.getByRole("link", { name: "science fiction" })).toBeVisible();

  await page.getByRole("button", { name: "More for the tag myth" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(toast(page, "“myth” is taken off 1 book.")).toBeVisible();
  await expect(page.getByRole("link", { name: "myth" })).toHaveCount(0);

  await page.goto("/import/history");
  const undo = page.getByRole("button", { name: /^Undo:/ });
  await expect(undo).toHaveCount(2);
  await undo.first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("1 change taken back.")).toBeVisible();
  await page.goto("/tags/myth");
  await expect(page.getByRole("link", { name: "Circe" })).toBeVisible();
});

test("a number with a word stays on one line of the series' page on a phone", async ({ page }) => {
  await signUp(page, "numbered");
  for (const number of ["1", "Part 10"]) {
    await addBook(page, {
      title: `Tehanu ${number}`,
      status: "in-progress",
      rating: null,
      series: { name: "Earthsea", number },
    });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/series/Earthsea");
  const height = async (number: string) => (await page.getByText(number, { exact: true }).boundingBox())?.height;
  await expect(page.getByText("Part 10", { exact: true })).toBeVisible();
  expect(await height("Part 10")).toBe(await height("#1"));
});
