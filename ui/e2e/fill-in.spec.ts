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

  await page.goto("/import");
  await page.getByRole("link", { name: "See what they can add" }).click();
  await expect(page.getByText(/can add: second authors for 1 book, publisher for 2\./)).toBeVisible();
  await expect(page.getByText("Ann Able, Ben Bold")).toBeVisible();
  await expect(page.getByRole("button", { name: "Fill in 2 books" })).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  await page.getByRole("checkbox", { name: "Publisher" }).press("Space");
  await expect(page.getByRole("button", { name: "Choose what to fill in" })).toBeDisabled();
  await page.getByRole("checkbox", { name: "Publisher" }).press("Space");
  await page.getByRole("checkbox", { name: "Second authors" }).press("Space");
  await page.getByRole("button", { name: "Fill in 2 books" }).click();
  await expect(page.getByText("2 books have gained something.")).toBeVisible();
  const books = async () => (await (await page.request.get("/api/books")).json()).data;
  const tide = (await books()).find(({ title }: { title: string }) => title === "Tide");
  expect([tide.publisher, tide.authors]).toEqual(["Harbour", ["Ann Able", "Ben Bold"]]);

  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2 changes are taken back.")).toBeVisible();
  expect((await books()).map(({ publisher }: { publisher: string | null }) => publisher)).toEqual([null, null]);
  await page.goto("/import/changes");
  await expect(page.getByText("Filled in 2 books from what was imported.")).toBeVisible();
});
