import { expect, type Page, test } from "@playwright/test";
import { withPath } from "./below";
import { addBook } from "./books";
import { beOperator, signUp } from "./people";

/** Serves every page with a policy that lets no text become a script. */
async function withTrustedTypes(page: Page): Promise<string[]> {
  const refused: string[] = [];
  page.on("pageerror", (error) => refused.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && /trusted/i.test(message.text())) refused.push(message.text());
  });
  await page.route("**/*", async (route) => {
    if (route.request().resourceType() !== "document") return route.continue();
    const response = await route.fetch();
    const headers = response.headers();
    const policy = headers["content-security-policy"];
    const trusted = "require-trusted-types-for 'script'; trusted-types shelfwise";
    await route.fulfill({
      response,
      headers: { ...headers, "content-security-policy": policy ? `${policy}, ${trusted}` : trusted },
    });
  });
  return refused;
}

test.describe("under a policy of trusted types", () => {
  test("every page works, with its charts and dialogs", async ({ browser }) => {
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    await beOperator(page);
    await addBook(page, { dateCompleted: "2025-03-01" });
    const refused = await withTrustedTypes(page);
    for (const [path, shows] of [
      ["/dashboard", "Words by Format"],
      ["/add-book", "Reading Status"],
      ["/tbr", "Your TBR list is empty"],
      ["/import", "Goodreads"],
      ["/account", "this one"],
      ["/admin", "System Load"],
      ["/privacy", "Privacy Policy"],
    ] as const) {
      await page.goto(withPath(path));
      await expect(page.getByText(shows).first()).toBeVisible();
    }
    await page.goto(withPath("/account"));
    await page.getByRole("button", { name: "Edit the name" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Name updated").first()).toBeVisible();
    expect(refused).toEqual([]);
    await context.close();
  });

  test("the worker that counts an EPUB's words starts, and so does the service worker", async ({ page }) => {
    await signUp(page);
    const refused = await withTrustedTypes(page);
    await page.goto(withPath("/add-book"));
    const file = { name: "novel.epub", mimeType: "application/epub+zip", buffer: Buffer.from("not a book") };
    await page.getByLabel("Have the EPUB? Open it").setInputFiles(file);
    await expect(page.getByText("This EPUB can’t be read.")).toBeVisible();
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    expect(refused).toEqual([]);
  });
});
