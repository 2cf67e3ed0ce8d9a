import { expect, type Page, test } from "@playwright/test";
import { addBook, unfold } from "./books";
import { logIn, PASSWORD, signUp } from "./people";

const impressions = (page: Page) => page.getByLabel("Impressions");
const restored = (page: Page) => page.getByText("Restored what you had typed before.");

/** Signs a reader up with one book, and opens it for editing. */
async function openBook(page: Page): Promise<{ email: string; path: string }> {
  const email = await signUp(page);
  const id = await addBook(page, { status: "undated" });
  const path = `/add-book?tab=edit&bookId=${id}`;
  await page.goto(path);
  await expect(page.getByLabel("Title")).toHaveValue("Emma");
  return { email, path };
}

test("a changed form asks before it is left by a link, a tab or the back button, and comes back as it was", async ({
  page,
}) => {
  const { path } = await openBook(page);
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Edit Emma" }).first().click();
  await unfold(page, "Impressions and quotes");
  await impressions(page).fill("Slow, then perfect.");
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });

  await page.getByRole("link", { name: "Dashboard" }).click();
  await expect(question.getByRole("button", { name: "Keep editing" })).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Add to TBR" }).click();
  await question.getByRole("button", { name: "Keep editing" }).click();
  await page.goBack();
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(page).toHaveURL(({ href }) => href.endsWith(path));
  await expect(impressions(page)).toHaveValue("Slow, then perfect.");

  // A typed address: the browser asks in its own words.
  page.once("dialog", (dialog) => {
    expect(dialog.type()).toBe("beforeunload");
    dialog.accept();
  });
  await page.goto("/tbr");
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Edit Emma" }).first().click();
  await expect(restored(page)).toBeVisible();
  await page.goBack();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto(path);
  await expect(restored(page)).toBeVisible();
  await expect(impressions(page)).toHaveValue("Slow, then perfect.");

  // Logging out removes drafts, and says so before.
  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  const leaving = page.getByRole("alertdialog", { name: "Log out?" });
  await expect(leaving).toContainText("1 form has text that is not saved. Log out and lose it?");
  await leaving.getByRole("button", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/\/$/);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("draft")))).toEqual([]);
});

test("a browser that does not say where it is in its history asks before Forward, too", async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, "navigation"));
  const { path } = await openBook(page);
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Edit Emma" }).first().click();
  await expect(page).toHaveURL(({ href }) => href.endsWith(path));
  await page.getByRole("link", { name: "Reading", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Reading" })).toBeVisible();
  await page.goBack();
  await unfold(page, "Impressions and quotes");
  await impressions(page).fill("Slow, then perfect.");
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });

  await page.evaluate(() => window.history.forward());
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(page).toHaveURL(({ href }) => href.endsWith(path));
  await expect(impressions(page)).toHaveValue("Slow, then perfect.");
  await page.evaluate(() => window.history.forward());
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Reading" })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(({ href }) => href.endsWith(path));
});

test("a session that ended leads back to the form, with everything that was typed", async ({ page, browser }) => {
  const { email, path } = await openBook(page);
  await unfold(page, "Impressions and quotes");
  await impressions(page).fill("Slow, then perfect.");
  await page.getByLabel("Quotes").fill("It is such a happiness.");

  const elsewhere = await (await browser.newContext()).newPage();
  await logIn(elsewhere, email, PASSWORD);
  const endOthers = async () => {
    const { data } = (await (await elsewhere.request.get("/api/auth/sessions")).json()) as {
      data: { id: number; current: boolean }[];
    };
    const others = data.filter(({ current }) => !current);
    for (const { id } of others) await elsewhere.request.delete(`/api/auth/sessions/${id}`);
  };
  // The session ends just before the server reads the update, so that no other request of the page finds out first.
  let isEnded = false;
  await page.route("**/api/books/*", async (route) => {
    if (route.request().method() === "PATCH" && !isEnded) {
      isEnded = true;
      await endOthers();
    }
    await route.continue();
  });

  await page.getByRole("button", { name: "Update Book" }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL(({ href }) => href.endsWith(path));
  await expect(restored(page)).toBeVisible();
  await expect(impressions(page)).toHaveValue("Slow, then perfect.");
  await page.getByRole("button", { name: "Update Book" }).click();
  await expect(page.getByText("Book updated successfully!").first()).toBeVisible();
  const book = (await (await page.request.get(`/api/books/${path.split("=").at(-1)}`)).json()) as {
    book: { impressions: string; quotes: string[] };
  };
  expect([book.book.impressions, book.book.quotes]).toEqual(["Slow, then perfect.", ["It is such a happiness."]]);
});

test("a form left open on the laptop does not undo what the phone saved", async ({ page, context }) => {
  const { path } = await openBook(page);
  const phone = await context.newPage();
  await phone.goto(path);
  await unfold(phone, "Impressions and quotes");
  await impressions(phone).fill("Written on the phone.");
  await phone.getByRole("button", { name: "Update Book" }).click();
  await expect(phone.getByText("Book updated successfully!").first()).toBeVisible();

  await page.getByLabel("Author").fill("J. Austen");
  await page.getByRole("button", { name: "Update Book" }).click();
  await expect(page.getByText(/This book was changed elsewhere while you were editing it/)).toBeVisible();
  await expect(impressions(page)).toHaveValue("Written on the phone.");
  await expect(page.getByLabel("Author")).toHaveValue("J. Austen");
  await page.getByRole("button", { name: "Update Book" }).click();
  await expect(page.getByText("Book updated successfully!").first()).toBeVisible();
  await expect(page).not.toHaveURL(/add-book/);
});

test("a page of another account cannot save in this one, and gives way to it", async ({ page, context }) => {
  await signUp(page, "Nora Lindqvist");
  await page.goto("/add-book");
  await page.getByLabel("Title").fill("Emma");
  // The page asks whether the book is here before anyone else logs in.
  const asked = page.waitForResponse("**/api/books/titles");
  await page.getByLabel("Author").fill("Jane Austen");
  await page.getByRole("radio", { name: /^No date/ }).check();
  await asked;

  // The other tab signs in without the page, as a browser without channels between tabs would have it.
  const other = await context.newPage();
  await other.request.post("/api/auth/logout");
  await signUp(other, "Tom Berg");
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(page.getByText("Another account has logged in").first()).toBeVisible();
  expect(((await (await other.request.get("/api/books")).json()) as { total: number }).total).toBe(0);
  await page.getByRole("button", { name: "My Account" }).click();
  await expect(page.getByText("Tom Berg")).toBeVisible();
});

test("after a log-out in one tab the others show nothing of the reader", async ({ page, context }) => {
  await openBook(page);
  const other = await context.newPage();
  await other.goto("/account?tab=logout");
  await other.getByRole("button", { name: "Log Out" }).click();
  await expect(other).toHaveURL(/\/$/);
  await expect(page).toHaveURL(/\/login$/);
});
