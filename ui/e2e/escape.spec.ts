import { expect, test } from "@playwright/test";
import { signUp } from "./people";

const MADE = { name: "Sync", access: "read" };

test("the first Escape closes a dialog that lost the focus, while a later toast is shown", async ({ page }) => {
  await signUp(page);
  expect((await page.request.post("/api/account/tokens", { data: MADE })).status()).toBe(201);
  await page.goto("/account?tab=connections");
  // The toast shows after the dialog, when the answer is released.
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/account/tokens/*", async (route) => {
    await asked;
    await route.continue();
  });
  await page.getByRole("button", { name: "Revoke the token Sync" }).click();
  await page.getByRole("button", { name: "Create token" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Name", { exact: true })).toBeFocused();
  // Like a button that is disabled while the server is asked.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  answer();
  await expect(page.getByText("Token revoked").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

for (const [path, button] of [
  ["/account", "Edit the name"],
  ["/account", "Delete account"],
  ["/account", "My Account"],
] as const) {
  test(`Escape closes what ${button} opens at the moment in which it appears`, async ({ page }) => {
    await signUp(page);
    await page.goto(path);
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector("[role=dialog], [role=alertdialog], [role=menu]")) return;
        observer.disconnect();
        const key = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
        (document.activeElement ?? document.body).dispatchEvent(key);
        document.body.dataset.pressed = "true";
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect(page.locator("body[data-pressed]")).toHaveCount(1);
    await expect(page.locator("[role=dialog], [role=alertdialog], [role=menu]")).toHaveCount(0);
  });
}
