import { expect, type Locator, type Page } from "@playwright/test";

/** Closes a dialog by Escape: it is seen, and has the focus, a moment before it takes the key, sooner than a person presses it. */
export async function closeByEscape(page: Page, dialog: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
}
