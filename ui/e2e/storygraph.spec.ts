import { expect, test } from "@playwright/test";
import { expectNumbers } from "./dashboard";
import { chooseFile, csvRows, expectFigures, fold, importBooks, library } from "./import";
import { get, setPlan, signUp, today } from "./people";
import { type Form, storygraph } from "./storygraph";

const NAME = "3f8a0c5be2b64d1fa6d3b7c90b8f1e2d4a5c6b7e8f90a1b2c3d4e5f607182930.csv";
const whole = (n: number) => n.toLocaleString("en-US");

for (const form of ["now", "2021"] satisfies Form[]) {
  test(`800 rows from StoryGraph, in the form of ${form}, come out right and can be undone`, async ({ page }) => {
    test.setTimeout(180_000);
    const { csv, expected } = storygraph(800, today(), form);
    setPlan(await signUp(page), "shelfwise_plus");
    // The books that were there before stay, whatever is imported and undone.
    await page.request.post("/api/books", {
      data: { title: "Before", author: "All Imports", wordCount: 90_000, status: "in-progress", format: "Print" },
    });
    await page.request.post("/api/tbr", { data: { title: "Before too" } });
    const before = await library(page);
    expect([before.books.length, before.items.length]).toEqual([1, 1]);

    await chooseFile(page, NAME, csv);
    await expect(page.getByText("StoryGraph export")).toBeVisible();
    await expectFigures(page, `Books ${whole(expected.books)}`, `To be read ${whole(expected.items)}`);
    await fold(page, "Shelves");
    await fold(page, "Details");
    await expect(page.getByLabel("did-not-finish")).toHaveValue("did-not-finish");
    await expect(page.getByLabel("paused")).toHaveValue("paused");
    await expect(page.getByText(`${expected.givenUp} books`, { exact: true }).first()).toBeVisible();
    await expect(page.getByText(`${expected.paused} books`, { exact: true }).first()).toBeVisible();
    await expect(page.getByLabel(`Also add ${expected.earlierReads} earlier reads`)).not.toBeChecked();
    await page.getByRole("button", { name: "Import as Read Books" }).click();
    await expect(page.getByText(`Successfully imported ${whole(expected.books)} books`).first()).toBeVisible();

    const { data: imports } = await get<{ data: { id: number; skipped: number; errors: number }[] }>(
      page.request,
      "/api/imports",
    );
    expect(imports[0]).toMatchObject({ skipped: 0, errors: expected.rejectedLines.length });
    const rejected = csvRows(await (await page.request.get(`/api/imports/${imports[0]?.id}/rejected`)).text());
    const at = rejected[0]?.indexOf("Row") ?? -1;
    expect(rejected.slice(1).map((row) => Number(row[at]))).toEqual(expected.rejectedLines);
    await expectNumbers(page, expected, 1);
    const after = await library(page);
    expect(after.items.map(({ title }) => title)).toEqual(["Before too", ...expected.itemTitles]);
    const { Before: _, ...isbns } = Object.fromEntries(after.books.map(({ title, isbn }) => [title, isbn]));
    expect(isbns).toEqual(expected.isbns);

    // The same file again adds nothing.
    await importBooks(page, NAME, csv, { again: true });
    await expect(page.getByText("Successfully imported 0 books").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Undo", exact: true })).toBeHidden();
    expect(await library(page)).toEqual(after);

    // After an undo on the page the library is as it was before.
    await page.getByRole("link", { name: "History and undo" }).click();
    await page.getByRole("button", { name: new RegExp(`^Undo: ${NAME}`) }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText(`${whole(expected.books + expected.items)} entries removed.`)).toBeVisible();
    expect(await library(page)).toEqual(before);
  });
}
