import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible";

const PASSWORD = "a shelf of one's own";

async function signUp(page: Page): Promise<string> {
  const email = `account-${Date.now()}-${Math.random()}@example.org`;
  const data = { displayName: "Nora Lindqvist", email, password: PASSWORD };
  expect((await page.request.post("/api/auth/signup", { data })).status()).toBe(201);
  return email;
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`every tab of the account is accessible in ${colorScheme}, and no wider than a phone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    await signUp(page);
    for (const [tab, text] of [
      ["profile", "this one"],
      ["billing", "This server takes no payments"],
      ["preferences", "Dark mode"],
      ["connections", "API tokens"],
      ["logout", "Log out of this browser"],
      ["terms", "Privacy Policy"],
    ] as const) {
      await page.goto(`/account?tab=${tab}`);
      await expect(page.getByText(text).first()).toBeVisible();
      await expectAccessible(page);
      await expectToFit(page, 360);
    }
  });
}

test("the tab is in the address, and the arrow keys move it", async ({ page }) => {
  await signUp(page);
  await page.goto("/account");
  await page.getByRole("tab", { name: "Billing" }).click();
  await expect(page).toHaveURL(/tab=billing/);
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/tab=preferences/);
  await expect(page.getByRole("tab", { name: "Preferences" })).toBeFocused();
});

test("a reader changes name, address and password, and gets back in with them", async ({ page }) => {
  const email = await signUp(page);
  await page.goto("/account");
  await page.getByRole("button", { name: "Edit the name" }).click();
  await expectAccessible(page);
  await page.getByLabel("Display name").fill("Nora L.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Name updated").first()).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "Nora L." })).toBeVisible();

  await page.getByRole("button", { name: "Change the email" }).click();
  await page.getByLabel("New email").fill(`new-${email}`);
  await page.getByLabel("Current password").fill("not this one");
  await page.getByRole("button", { name: "Change email" }).click();
  await expect(page.getByLabel("Current password")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Change email" }).click();
  await expect(page.getByText(`new-${email}`)).toBeVisible();

  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password").fill("another shelf altogether");
  await page.getByRole("button", { name: "Change Password" }).click();
  await expect(page.getByText("Password updated").first()).toBeVisible();

  await page.goto("/account?tab=logout");
  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/\/$/);
  const back = { email: `new-${email}`, password: "another shelf altogether" };
  expect((await page.request.post("/api/auth/login", { data: back })).status()).toBe(200);
});

test("another session is ended from here", async ({ page, playwright, baseURL }) => {
  const email = await signUp(page);
  const elsewhere = await playwright.request.newContext({ baseURL });
  await elsewhere.post("/api/auth/login", { data: { email, password: PASSWORD } });
  await page.goto("/account");
  await page.getByRole("button", { name: /^End the session on/ }).click();
  await expect(page.getByRole("button", { name: /^End the session on/ })).toBeHidden();
  expect((await elsewhere.get("/api/auth/me")).status()).toBe(401);
});

test("the data goes after its count was typed, the account after one question", async ({ page }) => {
  await signUp(page);
  const book = { title: "Emma", author: "Jane Austen", wordCount: 155_887, status: "undated", format: "eBook" };
  await page.request.post("/api/books", { data: book });
  await page.goto("/account");
  await page.getByRole("button", { name: "Delete all data" }).click();
  const dialog = page.getByRole("alertdialog");
  await expectAccessible(page);
  await expect(dialog.getByRole("button", { name: "Delete all data" })).toBeDisabled();
  await dialog.getByLabel("Type the number of books to confirm: 1").fill("1");
  await dialog.getByRole("button", { name: "Delete all data" }).click();
  await expect(page.getByText("Data deleted").first()).toBeVisible();
  await expect(page.getByText("Removes 0 books and 0 TBR items")).toBeVisible();

  await page.getByRole("button", { name: "Delete account" }).click();
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText("Account deleted").first()).toBeVisible();
  expect((await page.request.get("/api/auth/me")).status()).toBe(401);
});

test("every book leaves as CSV, and an empty library says that it is empty", async ({ page }) => {
  await signUp(page);
  await page.goto("/account/export");
  await expect(page.getByText(/^0 books, a row for each read\./)).toBeVisible();
  await page.getByRole("button", { name: "Export data" }).click();
  await expect(page.getByText("You don't have any books to export").first()).toBeVisible();

  const book = { title: "Emma", author: "Jane Austen", wordCount: 155_887, status: "undated", format: "eBook" };
  await page.request.post("/api/books", { data: book });
  await page.reload();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export data" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  await expect(page.getByText("Your data has been exported").first()).toBeVisible();
});
