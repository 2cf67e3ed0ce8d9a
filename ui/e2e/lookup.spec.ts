import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { modulesOf } from "../src/library/lookup/scan/test-picture";
import { expectAccessibleInBoth, expectToFitPhones } from "./accessible";
import { newEmail, PASSWORD } from "./people";
import { OwnServer } from "./server";

test.use({ serviceWorkers: "block" });

/** A catalogue in the place of Open Library, which knows one book, and the paths that it was asked. */
let catalogue: Server;
let asked: string[];
let server: OwnServer;

const WORK = {
  title: "Kindred",
  author_name: ["Octavia E. Butler"],
  number_of_pages_median: 264,
  isbn: ["9780807083697"],
  subject: ["Science fiction"],
};
const EDITION = { title: "Kindred", authors: [{ name: "Octavia E. Butler" }], number_of_pages: 264 };

test.beforeEach(async () => {
  asked = [];
  catalogue = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.setHeader("Content-Type", "application/json");
    const isSearch = request.url?.startsWith("/search.json");
    response.end(JSON.stringify(isSearch ? { docs: [WORK] } : { "ISBN:9780807083697": EDITION }));
  });
  await new Promise<void>((resolve) => {
    catalogue.listen(0, "127.0.0.1", resolve);
  });
  const { port } = catalogue.address() as AddressInfo;
  server = await OwnServer.at();
  await server.start(`[lookup.openlibrary]\nurl = "http://127.0.0.1:${port}"\n`);
});

test.afterEach(async () => {
  await server.stop();
  catalogue.close();
});

/** Opens the form for a new book as a new reader. */
async function openForm(page: Page): Promise<void> {
  const form = { email: newEmail(), password: PASSWORD, displayName: "Nora", timezone: "UTC" };
  expect((await page.request.post(`${server.url}/api/auth/signup`, { data: form })).status()).toBe(201);
  await page.goto(`${server.url}/add-book`);
  await expect(page.getByRole("searchbox", { name: "Look it up" })).toBeVisible();
}

test("a finished book is saved with three acts after its title is typed", async ({ page }) => {
  await openForm(page);
  await expect(
    page.getByText("Asks openlibrary.org through this server. It learns the title, not who you are."),
  ).toBeVisible();
  await page.evaluate(() => {
    const acts = { presses: 0, keys: 0 };
    Object.assign(window, { acts });
    document.addEventListener("pointerdown", () => acts.presses++, true);
    document.addEventListener("keydown", () => acts.keys++, true);
  });
  await page.getByRole("searchbox", { name: "Look it up" }).click();
  await page.keyboard.type("kindred");
  expect(asked).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Kindred/ }).click();
  await expect(page.getByText(/Filled in: title, author, words, pages, ISBN, genres\./)).toBeVisible();
  await page.getByRole("radio", { name: "8", exact: true }).check({ force: true });
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(page.getByText("Book added successfully!").first()).toBeVisible();
  const acts = await page.evaluate(() => (window as unknown as { acts: object }).acts);
  // The field, the book, the rating, the button; seven characters and Enter.
  expect(acts).toEqual({ presses: 4, keys: 8 });
  expect(asked).toHaveLength(1);
  const { data } = await (await page.request.get(`${server.url}/api/books`)).json();
  expect(data[0]).toMatchObject({
    title: "Kindred",
    wordCount: 72_600,
    wordCountSource: "pages",
    isbn: "9780807083697",
  });
});

test("a photo of a barcode is read in the browser and looked up", async ({ page }) => {
  await openForm(page);
  const picture = await page.evaluate((modules) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [900, 700];
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.fillStyle = "#999";
    context.fillRect(0, 0, 900, 700);
    context.filter = "blur(1.5px)";
    context.translate(450, 350);
    context.rotate(0.4);
    context.fillStyle = "#fff";
    context.fillRect(-260, -120, 520, 240);
    context.fillStyle = "#111";
    for (const [at, module] of [...modules].entries())
      if (module === "1") context.fillRect(at * 5 - 237.5, -90, 5, 180);
    return canvas.toDataURL("image/png").split(",")[1] as string;
  }, modulesOf("9780807083697"));
  await page.getByRole("button", { name: "Scan" }).click();
  await expect(page.getByRole("dialog", { name: "Scan the barcode" })).toBeVisible();
  await expect(page.getByText("The camera is not available. Take a photo, or type the 13 digits.")).toBeVisible();
  await expectAccessibleInBoth(page);
  const file = { name: "book.png", mimeType: "image/png", buffer: Buffer.from(picture, "base64") };
  await page.locator('input[type="file"][capture]').setInputFiles(file);
  await expect(page.getByText("1 book found. Choose the one you have.")).toBeVisible();
  expect(asked.map((url) => url.split("&")[0])).toEqual(["/api/books?bibkeys=ISBN%3A9780807083697"]);
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
});
