import { expect, type Page, test } from "@playwright/test";
import { strToU8, zipSync } from "fflate";
import { expectAccessible } from "./accessible";
import { unfold } from "./books";

/** A PNG of one color, drawn by the browser. */
async function picture(page: Page, width: number, height: number): Promise<Buffer> {
  const drawn = await page.evaluate(
    ([width, height]) => {
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width, height });
      const context = canvas.getContext("2d");
      if (context) {
        context.fillStyle = "#345";
        context.fillRect(0, 0, canvas.width, canvas.height);
      }
      return canvas.toDataURL("image/png").split(",")[1];
    },
    [width, height] as const,
  );
  return Buffer.from(drawn ?? "", "base64");
}

/** An EPUB with a cover. */
function epub(cover: Buffer): Buffer {
  const about = `<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Kindred</dc:title>
    <dc:creator>Octavia E. Butler</dc:creator></metadata><manifest>
    <item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>
    <item id="c" href="c.png" media-type="image/png" properties="cover-image"/></manifest>
    <spine><itemref idref="one"/></spine></package>`;
  const container = `<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>`;
  const files = {
    "META-INF/container.xml": strToU8(container),
    "book.opf": strToU8(about),
    "one.xhtml": strToU8("<html><body><p>One word more</p></body></html>"),
    "c.png": new Uint8Array(cover),
  };
  return Buffer.from(zipSync(files));
}

async function signUp(page: Page, name: string): Promise<void> {
  const data = { displayName: "Nora", email: `${name}-${Date.now()}@example.org`, password: "a shelf of one's own" };
  await page.request.post("/api/auth/signup", { data });
}

async function firstBook(page: Page) {
  const { data } = await (await page.request.get("/api/books")).json();
  return data[0];
}

test("a picture is made smaller, saved with a new book, shown on its page and removed again", async ({ page }) => {
  await signUp(page, "cover");
  await page.goto("/add-book");
  await page.getByLabel("Title").fill("Dune");
  await page.getByLabel("Author").fill("Frank Herbert");
  await page.getByLabel("No date").check();
  await unfold(page, "More about this edition");
  const file = { name: "dune.png", mimeType: "image/png", buffer: await picture(page, 2400, 3600) };
  await page.getByLabel("Drop a picture or an EPUB").setInputFiles(file);
  await expect(page.getByRole("img", { name: "Cover of Dune" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  const { id, cover } = await firstBook(page);
  expect(cover).toMatchObject({ width: 1000, height: 1500 });

  await page.goto(`/book/${id}`);
  await expect(page.locator(`image[href$="${cover.url}"]`)).toBeVisible();
  await expectAccessible(page);

  await page.goto(`/add-book?tab=edit&bookId=${id}`);
  await unfold(page, "More about this edition");
  await expect(page.getByRole("img", { name: "Cover of Dune" })).toBeVisible();
  await page.getByRole("button", { name: "Remove cover" }).click();
  await expect(page.getByRole("img", { name: "Cover of Dune" })).toHaveCount(0);
  await page.getByRole("button", { name: "Update Book" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect((await firstBook(page)).cover).toBeNull();

  // The menu of the book's page does the same without the form.
  await page.goto(`/book/${id}`);
  await page.getByRole("button", { name: "More for this book" }).click();
  await page.getByRole("menuitem", { name: "Add a cover" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a cover" });
  await dialog.getByLabel("Drop a picture or an EPUB").setInputFiles(file);
  await expect(dialog.getByRole("img", { name: "Cover of Dune" })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  const { cover: added } = await firstBook(page);
  await expect(page.locator(`image[href$="${added.url}"]`)).toBeVisible();
});

test("an EPUB brings its cover, and a file that is not a picture says so", async ({ page }) => {
  await signUp(page, "epub-cover");
  await page.goto("/add-book");
  const book = { name: "kindred.epub", mimeType: "application/epub+zip", buffer: epub(await picture(page, 300, 450)) };
  await page.getByLabel("Have the EPUB? Open it").setInputFiles(book);
  await expect(page.getByText("cover, and 3 words counted")).toBeVisible();
  await unfold(page, "More about this edition");
  await expect(page.getByRole("img", { name: "Cover of Kindred" })).toBeVisible();
  const broken = { name: "cover.png", mimeType: "image/png", buffer: Buffer.from("not a picture") };
  await page.getByLabel("Drop another picture or an EPUB").setInputFiles(broken);
  await expect(page.getByText("A cover is a JPEG, PNG or WebP.")).toBeVisible();
  await expect(page.getByRole("img", { name: "Cover of Kindred" })).toBeVisible();
  await page.getByLabel("No date").check();
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect((await firstBook(page)).cover).toMatchObject({ width: 300, height: 450 });
});

test("the covers of open books stand beside their titles, and never on them", async ({ page }) => {
  await signUp(page, "open-covers");
  await page.goto("/reading");
  for (const [title, width] of [
    ["Dune", 600],
    ["Emma", 900],
  ] as const) {
    const data = { title, author: "Somebody", wordCount: 300_000, status: "in-progress", startDate: "2026-01-02" };
    const { book } = await (await page.request.post("/api/books", { data })).json();
    const cover = { data: await picture(page, width, 900), headers: { "Content-Type": "image/png" } };
    expect((await page.request.put(`/api/books/${book.id}/cover`, cover)).status()).toBe(200);
  }
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/reading");
    for (const title of ["Dune", "Emma"]) {
      const book = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
      await expect(book.locator("img")).toBeVisible();
      const cover = await book.locator("img").boundingBox();
      const heading = await book.getByRole("heading", { name: title, exact: true }).boundingBox();
      expect((cover?.x ?? 0) + (cover?.width ?? 0)).toBeLessThanOrEqual(heading?.x ?? 0);
    }
  }
});
