import { expect, test } from "@playwright/test";
import { expectAccessibleInBoth, expectToFitPhones } from "./accessible";
import { beOperator, PASSWORD, signUp } from "./people";
import { OURS } from "./server";

test("a change that needs a confirmation asks for the password, and is then made", async ({ page }) => {
  await signUp(page);
  await page.goto("/account?tab=connections");
  // The session is too young to need a confirmation, so the first call is refused as that of an old session would be.
  let refused = 0;
  await page.route("**/api/account/tokens", async (route) => {
    if (route.request().method() !== "POST" || refused > 0) return route.continue();
    refused += 1;
    const json = { error: "Please enter your password again.", code: "confirm_yourself" };
    return route.fulfill({ status: 403, headers: OURS, json });
  });
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Sync");
  await page.getByLabel("It ends").selectOption("After 90 days");
  await page.getByRole("button", { name: "Create token" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm it’s you" });
  await expect(dialog.getByLabel("Your password")).toBeFocused();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  await dialog.getByLabel("Your password").fill("not this one");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByLabel("Your password")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByLabel("Token", { exact: true })).toHaveValue(/./);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(/^Read only\. Never used\. Ends /)).toBeVisible();
  expect(refused).toBe(1);
});

test("the account lists its security events, and the operator's area those of everyone", async ({ page, browser }) => {
  const reader = await (await browser.newContext()).newPage();
  const email = await signUp(reader);
  const wrong = await reader.request.post("/api/auth/login", { data: { email, password: "not this one" } });
  expect(wrong.status()).toBe(401);
  await reader.goto("/account");
  const events = reader.getByRole("region", { name: "Security events" });
  await expect(events.getByRole("listitem")).toContainText(["Log-in failed", "Signed up"]);
  await expectAccessibleInBoth(reader);
  await expectToFitPhones(reader);

  await beOperator(page);
  await page.goto("/admin?tab=events");
  const row = page.getByRole("row").filter({ hasText: email });
  await expect(row.filter({ hasText: "Log-in failed" })).toHaveCount(1);
  await expect(row.filter({ hasText: "Signed up" })).toHaveCount(1);
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
});

test("a new password takes the tokens along, unless that is unticked", async ({ page, playwright, baseURL }) => {
  await signUp(page);
  const made = await page.request.post("/api/account/tokens", { data: { name: "Sync", access: "read" } });
  const { secret } = (await made.json()) as { secret: string };
  const extraHTTPHeaders = { Authorization: `Bearer ${secret}` };
  const script = await playwright.request.newContext({ baseURL, extraHTTPHeaders });
  let password = PASSWORD;
  for (const { next, ends, status } of [
    { next: "another shelf altogether", ends: false, status: 200 },
    { next: "a third shelf of one's own", ends: true, status: 401 },
  ]) {
    await page.goto("/account");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByLabel("Current password").fill(password);
    await page.getByLabel("New password").fill(next);
    await page
      .getByLabel("Also remove API tokens, secret links, device logins and connected providers")
      .setChecked(ends);
    await page.getByRole("button", { name: "Change Password" }).click();
    await expect(page.getByText("Password updated").first()).toBeVisible();
    expect((await script.get("/api/books")).status()).toBe(status);
    password = next;
  }
  await script.dispose();
});
