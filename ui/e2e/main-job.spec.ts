import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { expectNumbers } from "./dashboard";
import { goodreads } from "./goodreads";
import { chooseFile, expectFigures } from "./import";
import { get, setPlan, signUp, today } from "./people";

test("a newcomer brings 2,600 rows from Goodreads, and every number on the dashboard is right", async ({ page }) => {
  test.setTimeout(180_000);
  const day = today();
  const { csv, expected } = goodreads(2600, day);
  const email = await signUp(page);
  setPlan(email, "shelfwise_plus");

  await chooseFile(page, "goodreads_library_export.csv", csv);
  const count = (books: number) => books.toLocaleString("en-US");
  await expectFigures(page, `Books ${count(expected.books)}`, `To be read ${count(expected.items)}`);
  await expectAccessible(page);
  expect((await get<{ total: number }>(page.request, "/api/books?limit=1")).total).toBe(0);
  await page.getByRole("button", { name: "Import as Read Books" }).click();
  await expect(
    page.getByText(`Successfully imported ${expected.books.toLocaleString("en-US")} books`).first(),
  ).toBeVisible();
  await expectAccessible(page);

  const { data: imports } = await get<{ data: { id: number; errors: number }[] }>(page.request, "/api/imports");
  expect(imports[0]?.errors).toBe(expected.rejectedLines.length);
  const rejected = await (await page.request.get(`/api/imports/${imports[0]?.id}/rejected`)).text();
  expect(rejected.trim().split("\n")).toHaveLength(expected.rejectedLines.length + 1);
  const { data: items } = await get<{ data: { title: string }[] }>(page.request, "/api/tbr");
  expect(items.map((item) => item.title)).toEqual(expected.itemTitles);
  await expectNumbers(page, expected);
  await expectAccessible(page);

  // The same file again changes nothing, and imported as new it adds nothing.
  const before = await get<{ data: unknown[] }>(page.request, "/api/books");
  await chooseFile(page, "goodreads_library_export.csv", csv);
  await expect(page.getByText("Everything in this file is already here.")).toBeVisible();
  await page.getByRole("button", { name: "Import it as new" }).click();
  await page.getByRole("button", { name: "Import as Read Books" }).click();
  await expect(page.getByText("Successfully imported 0 books").first()).toBeVisible();
  expect(await get(page.request, "/api/books")).toEqual(before);

  // Undo leaves the library as it was before: empty.
  const undone = await page.request.delete(`/api/imports/${imports[0]?.id}`);
  expect(await undone.json()).toEqual({ removed: expected.books, removedTbr: expected.items, kept: [], keptTbr: [] });
  await page.goto("/dashboard");
  await expect(page.getByText("0 books tracked")).toBeVisible();
});
