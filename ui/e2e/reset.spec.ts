import { expect, test } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible";
import { beOperator, PASSWORD, signUp } from "./people";

// A test can't answer the requests of a service worker.
test.use({ serviceWorkers: "block" });

for (const colorScheme of ["light", "dark"] as const) {
  test(`without mail the page names the operator's command, accessible in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/login");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await expect(page.getByText("shelfwise user set-password you@example.org")).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
  });

  test(`a link that is no link says so, accessible in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    const answer = await page.goto("/reset-password/not-a-token");
    expect(answer?.status()).toBe(200);
    await expect(page.getByText("Every session that is open now ends, and all API tokens")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("textbox", { name: "New password" }).fill("another shelf of one's own");
    await page.getByRole("button", { name: "Set Password" }).click();
    await expect(page.getByRole("alert")).toHaveText("This link has already been used, or it has expired.");
    await expectAccessible(page);
    await page.getByRole("link", { name: "Send a new link" }).click();
    await expect(page).toHaveURL(/\/forgot-password$/);
  });
}

test("a reset page without a token does not exist", async ({ page }) => {
  expect((await page.goto("/reset-password/"))?.status()).toBe(404);
});

test("where mail is configured the page asks for an address, and says the same to everyone", async ({ page }) => {
  await page.route("**/api/site", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), mail: true } });
  });
  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill("nobody@example.org");
  await page.getByRole("button", { name: "Send Link" }).click();
  await expect(page.getByText(/If this address has an account, a link is on its way/)).toBeVisible();
  await expectAccessible(page);
});

test("a link that an operator made sets a new password, once, and ends every session", async ({ page, browser }) => {
  await beOperator(page);
  const reader = await (await browser.newContext()).newPage();
  const email = await signUp(reader, "Rosa Ibarra");

  await page.goto("/admin?tab=users");
  await page.getByRole("searchbox", { name: "Search users" }).fill(email);
  await expect(page.getByText("1 of 1 user")).toBeVisible();
  await page.getByRole("button", { name: "Actions for Rosa Ibarra" }).click();
  await page.getByRole("menuitem", { name: "Password link" }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await reader.goto(new URL(link).pathname);
  const field = reader.getByRole("textbox", { name: "New password" });
  await field.fill(email);
  await reader.getByRole("button", { name: "Set Password" }).click();
  await expect(field).toHaveAttribute("aria-invalid", "true");

  const password = "another shelf of one's own";
  await field.fill(password);
  await reader.getByRole("button", { name: "Set Password" }).click();
  await expect(reader).toHaveURL(/\/login\?reset=done$/);
  await expect(reader.getByText("Your password is changed. Log in with the new one.")).toBeVisible();

  await reader.getByLabel("Email").fill(email);
  await reader.getByLabel("Password").fill(PASSWORD);
  await reader.getByRole("button", { name: "Log In" }).click();
  await expect(reader.getByRole("alert")).toHaveText("Invalid email or password");
  await reader.getByLabel("Password").fill(password);
  await reader.getByRole("button", { name: "Log In" }).click();
  await expect(reader).toHaveURL(/\/dashboard$/);

  await reader.goto(new URL(link).pathname);
  await reader.getByRole("textbox", { name: "New password" }).fill("a third shelf of one's own");
  await reader.getByRole("button", { name: "Set Password" }).click();
  await expect(reader.getByRole("alert")).toHaveText("This link has already been used, or it has expired.");
});
