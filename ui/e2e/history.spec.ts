import { expect, test } from "@playwright/test";
import { expectAccessibleInBoth, expectToFitPhones } from "./accessible";
import { signUp } from "./people";

const FILE = `Book Id,Title,Author,Additional Authors,My Rating,Publisher,Number of Pages,Exclusive Shelf,Bookshelves
1,"Tide (The Sea, #2)",Ann Able,Ben Bold,5,Harbour,300,read,
2,Shore,Ann Able,,4,Quay,200,read,
`;

test.use({ viewport: { width: 390, height: 844 } });

test("what the files say is previewed, filled in, found in the book and taken back", async ({ page }) => {
  await signUp(page);
  const file = { name: "goodreads_library_export.csv", mimeType: "text/csv", buffer: Buffer.from(FILE) };
  expect((await page.request.post("/api/books/import", { multipart: { file } })).status()).toBe(200);
  // A book of an earlier version has no publisher.
  const { data } = await (await page.request.get("/api/books")).json();
  for (const { id } of data) {
    const cleared = await page.request.patch(`/api/books/${id}`, { data: { publisher: null } });
    expect(cleared.status()).toBe(200);
  }

  // Former addresses lead here.
  await page.goto("/import/fill-in");
  await expect(page).toHaveURL(/\/import\/history$/);
  await expect(page.getByText("can add 1 thing to 2 books")).toBeVisible();
  await expectAccessibleInBoth(page);
  await page.getByText("Review", { exact: true }).click();
  await expect(page.getByText("Ann Able, Ben Bold")).toBeVisible();
  await expect(page.getByRole("button", { name: "Fill in 2 books" })).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  await page.getByRole("checkbox", { name: "Publisher" }).press("Space");
  await expect(page.getByRole("button", { name: "Choose what to fill in" })).toBeDisabled();
  await page.getByRole("checkbox", { name: "Publisher" }).press("Space");
  await page.getByRole("checkbox", { name: "Second authors" }).press("Space");
  await page.getByRole("button", { name: "Fill in 2 books" }).click();
  await expect(page.getByText("2 books completed")).toBeVisible();
  const books = async () => (await (await page.request.get("/api/books")).json()).data;
  const tide = (await books()).find(({ title }: { title: string }) => title === "Tide");
  expect([tide.publisher, tide.authors]).toEqual(["Harbour", ["Ann Able", "Ben Bold"]]);

  // What is filled in has its undo in the list below.
  await page.getByRole("button", { name: /^Undo: Filled in 2 books from what was imported\./ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2 changes taken back.")).toBeVisible();
  expect((await books()).map(({ publisher }: { publisher: string | null }) => publisher)).toEqual([null, null]);
  await expectAccessibleInBoth(page);
  await page.goto("/import/changes");
  await expect(page).toHaveURL(/\/import\/history$/);
  await expect(page.getByText("goodreads_library_export.csv")).toBeVisible();
});
