import { expect, type Page, test } from "@playwright/test";
import { pathOf } from "./below";
import { addBook } from "./books";
import { signUp } from "./people";

/*
 * Browsers that are as old as the program allows, and older ones: a present one without the functions that came later.
 */

/** Takes functions away before the page's scripts run. `within` is the object that has them. */
async function without(page: Page, functions: readonly (readonly [within: string, name: string])[]): Promise<void> {
  await page.addInitScript((names) => {
    for (const [path, name] of names) {
      const within = path.split(".").reduce<unknown>((object, key) => Reflect.get(Object(object), key), globalThis);
      Reflect.deleteProperty(Object(within), name);
    }
  }, functions);
}

/** What Safari 16, Chrome 109 and Firefox 115 lack, one or the other. */
const LATER = [
  ["AbortSignal", "any"],
  ["Array.prototype", "toSorted"],
  ["Array.prototype", "toReversed"],
  ["Array.prototype", "toSpliced"],
  ["Array.prototype", "with"],
  ["Array", "fromAsync"],
  ["Object", "groupBy"],
  ["Map", "groupBy"],
  ["Promise", "withResolvers"],
  ["Promise", "try"],
  ["Set.prototype", "union"],
  ["Set.prototype", "difference"],
  ["Set.prototype", "intersection"],
  ["Set.prototype", "isSubsetOf"],
  ["Iterator.prototype", "map"],
  ["Iterator.prototype", "filter"],
  ["Iterator.prototype", "toArray"],
  ["URL", "canParse"],
  ["URL", "parse"],
  ["Intl", "Segmenter"],
  ["String.prototype", "isWellFormed"],
  ["String.prototype", "toWellFormed"],
  ["HTMLElement.prototype", "showPopover"],
  ["HTMLElement.prototype", "hidePopover"],
  ["Element.prototype", "checkVisibility"],
  ["window", "navigation"],
  ["window", "scheduler"],
  ["Response", "json"],
  ["URLSearchParams.prototype", "size"],
  ["crypto", "randomUUID"],
] as const;

test("the oldest supported browsers keep someone logged in, and show and change a library", async ({ page }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await without(page, LATER);
  await signUp(page);
  await addBook(page, { status: "completed", dateCompleted: "2024-05-06", rating: 8 });
  await page.goto("/dashboard");
  await expect(page.getByText("1 book tracked")).toBeVisible();
  for (const path of ["/reading", "/years/2024", "/tbr", "/tags", "/series", "/import", "/account", "/add-book"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    expect(pathOf(page.url())).toBe(path);
  }
  await page.getByLabel("Title").fill("Persuasion");
  await page.getByLabel("Author").fill("Jane Austen");
  await page.getByLabel("Word Count").fill("83000");
  await page.getByRole("radio", { name: /^No date/ }).check();
  await page.getByRole("button", { name: "Add Book" }).click();
  await expect(page.getByText("Book added").first()).toBeVisible();
  await expect(page.getByText("Something went wrong")).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("an older browser is told which ones are new enough", async ({ page }) => {
  await without(page, [["AbortSignal", "timeout"]]);
  await page.goto("/login");
  const sentence = "This browser is too old for Shelfwise. It needs Safari 16, Chrome 109 or Firefox 115, or newer.";
  await expect(page.getByText(sentence)).toBeVisible();
});

test("the page is dark before its style sheet arrives", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.route("**/assets/*.css", () => undefined);
  await page.goto("/login", { waitUntil: "commit" });
  // A page that has only just begun to arrive has no root element yet: a locator waits for it.
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
});
