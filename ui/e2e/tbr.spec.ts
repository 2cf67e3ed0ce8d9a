import { expect, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth, expectToFitPhones, refusals } from "./accessible";
import { withPath } from "./below";
import { scroll } from "./books";
import { get, signUp, today } from "./people";

const toast = (page: Page, title: string) => page.getByText(title, { exact: true }).first();
const handle = (page: Page, title: string) => page.getByRole("button", { name: `Reorder ${title}`, exact: true });

async function act(page: Page, title: string, action: string) {
  await page.getByRole("button", { name: `Actions for ${title}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** The list's titles, on the page and on the server. */
async function expectOrder(page: Page, titles: string[]) {
  await expect(page.getByRole("button", { name: /^Reorder / })).toHaveCount(titles.length);
  const shown = () =>
    page
      .getByRole("button", { name: /^Reorder / })
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")?.slice("Reorder ".length)));
  await expect.poll(shown).toEqual(titles);
  const stored = async () =>
    (await get<{ data: { title: string }[] }>(page.request, "/api/tbr")).data.map(({ title }) => title);
  await expect.poll(stored).toEqual(titles);
}

async function addItems(page: Page, ...titles: string[]) {
  for (const title of titles) {
    const data = { title, author: "Ursula K. Le Guin", wordCount: 85_400, notes: "Soon." };
    expect((await page.request.post("/api/tbr", { data })).status()).toBe(201);
  }
}

test("an empty list says how to begin, and the form fills it", async ({ page }) => {
  const refused = refusals(page);
  await signUp(page);
  await page.goto("/tbr");
  await expect(page.getByText("Your TBR list is empty")).toBeVisible();
  await expectAccessibleInBoth(page);
  await page.getByRole("link", { name: "Add to TBR" }).click();

  await page.getByLabel("Title").fill("Kindred");
  await expectAccessibleInBoth(page);
  await page.getByRole("button", { name: "Add to TBR" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "TBR" }).click();
  await expect(page.getByText("1 book in your TBR")).toBeVisible();
  await expectOrder(page, ["Kindred"]);
  expect(refused).toEqual([]);
});

test("the order is changed by the keyboard and by dragging", async ({ page }) => {
  await signUp(page);
  await addItems(page, "One", "Two", "Three");
  await page.goto("/tbr");
  await expectOrder(page, ["One", "Two", "Three"]);
  await expectAccessibleInBoth(page);

  await handle(page, "One").focus();
  await page.keyboard.press("Space");
  const said = page.locator("[aria-live]").filter({ hasText: "Picked up One" });
  await expect(said).toBeAttached();
  // A key press before the rows are measured moves nothing: a person presses it again.
  const moved = page.locator("[aria-live]").filter({ hasText: "One, position 2 of 3." });
  await expect(async () => {
    await page.keyboard.press("ArrowDown");
    await expect(moved).toBeAttached({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.press("Space");
  await expectOrder(page, ["Two", "One", "Three"]);
  await expect(handle(page, "One")).toBeFocused();

  const from = await handle(page, "Three").boundingBox();
  const to = await handle(page, "Two").boundingBox();
  if (!from || !to) throw new Error("The handles are not to be seen");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2, from.y - 20, { steps: 5 });
  await page.mouse.move(to.x + to.width / 2, to.y + 2, { steps: 10 });
  await expect(page.locator("[aria-live]").filter({ hasText: "Three, position 1 of 3." })).toBeAttached();
  await page.mouse.up();
  await expectOrder(page, ["Three", "Two", "One"]);

  await act(page, "One", "Move up");
  await expectOrder(page, ["Three", "One", "Two"]);
  await page.reload();
  await expectOrder(page, ["Three", "One", "Two"]);
});

test("an item is started, another logged as read, a third removed when that is confirmed", async ({ page }) => {
  await signUp(page);
  await addItems(page, "One", "Two", "Three");
  await page.goto("/tbr");
  await page.getByRole("button", { name: "Start reading One" }).click();
  await expect(toast(page, "Started reading")).toBeVisible();
  const { data: started } = await get<{ data: { id: number; startDate: string }[] }>(page.request, "/api/books");
  expect(started[0]).toMatchObject({ startDate: today() });
  await expect(page.getByRole("link", { name: "One", exact: true })).toHaveAttribute(
    "href",
    withPath(`/book/${started[0]?.id}`),
  );
  await expectOrder(page, ["Two", "Three"]);

  await act(page, "Two", "Log as read");
  await expect(page.getByLabel("Title")).toHaveValue("Two");
  await page.getByRole("radio", { name: /^No date/ }).check();
  await page.getByRole("button", { name: "Add Book" }).click();
  // Back to the list, from which the form was opened.
  await expect(page).toHaveURL(/\/tbr$/);
  await expectOrder(page, ["Three"]);
  const { data } = await get<{ data: { title: string; status: string }[] }>(
    page.request,
    "/api/books?sort=title&order=asc",
  );
  expect(data.map(({ title, status }) => [title, status])).toEqual([
    ["One", "in-progress"],
    ["Two", "undated"],
  ]);

  await page.goto("/tbr");
  page.once("dialog", (dialog) => dialog.dismiss());
  await act(page, "Three", "Remove");
  await expectOrder(page, ["Three"]);
  const asked: string[] = [];
  page.once("dialog", (dialog) => {
    asked.push(dialog.message());
    return dialog.accept();
  });
  await act(page, "Three", "Remove");
  await expect(toast(page, "Book removed from TBR")).toBeVisible();
  expect(asked).toEqual(['Delete "Three" from your TBR?']);
  await expect(page.getByText("Your TBR list is empty")).toBeVisible();
});

test("on a phone an item's actions are in a menu, by touch and by keyboard", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 });
  await signUp(page);
  await addItems(page, "One", "Two");
  await page.goto("/tbr");
  await expectToFitPhones(page);
  await expect(page.getByRole("button", { name: "Start reading" })).toHaveCount(0);
  const actions = page.getByRole("button", { name: "Actions for One" });
  await actions.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Start reading" })).toBeFocused();
  await expectAccessibleInBoth(page);
  await page.keyboard.press("Escape");
  await expect(actions).toBeFocused();

  await act(page, "One", "Move down");
  await expectOrder(page, ["Two", "One"]);
  await act(page, "Two", "Edit");
  const dialog = page.getByRole("dialog", { name: "Edit TBR item" });
  await expect(dialog.getByLabel("Title")).toHaveValue("Two");
  await expectAccessibleInBoth(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Actions for Two" })).toBeFocused();
});

test("on a phone each place of the list is on one line, with one, two or three digits", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 });
  for (const [count, ranks] of [
    [12, ["9", "10"]],
    [120, ["9", "10", "100"]],
  ] as const) {
    await page.context().clearCookies();
    await signUp(page);
    const rows = Array.from({ length: count }, (_, at) => `Book ${at + 1} of ${count},Somebody`);
    const file = { name: "tbr.csv", mimeType: "text/csv", buffer: Buffer.from(["Title,Author", ...rows].join("\n")) };
    expect((await page.request.post("/api/tbr/import", { multipart: { file } })).status()).toBe(200);
    await page.goto("/tbr");
    await expect(page.getByRole("button", { name: `Reorder Book 1 of ${count}`, exact: true })).toBeVisible();
    if (count > 100) {
      await page.getByRole("button", { name: "All 120 books" }).click();
      await page.evaluate(() => window.scrollTo(0, 0));
    }
    for (const rank of ranks) {
      const place = page.getByText(rank, { exact: true });
      // Rows outside the window are not in the page.
      for (let steps = 0; steps < 80 && !(await place.isVisible()); steps++) await scroll(page, 300);
      const { lines, room } = await place.evaluate((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const tops = new Set([...range.getClientRects()].map(({ top }) => top));
        return { lines: tops.size, room: one.getBoundingClientRect().width - range.getBoundingClientRect().width };
      });
      expect(lines, `${rank}: lines`).toBe(1);
      expect(room, `${rank}: room in px`).toBeGreaterThanOrEqual(0);
    }
  }
});

test("in a list of 700 only the rows in view are drawn, and a book goes to either end by the keyboard", async ({
  page,
}) => {
  await signUp(page);
  const rows = Array.from({ length: 700 }, (_, at) => `Book ${at + 1},Somebody`);
  const file = { name: "tbr.csv", mimeType: "text/csv", buffer: Buffer.from(["Title,Author", ...rows].join("\n")) };
  expect((await page.request.post("/api/tbr/import", { multipart: { file } })).status()).toBe(200);
  await page.goto("/tbr");
  await expect(handle(page, "Book 1")).toBeVisible();
  expect(await page.getByRole("button", { name: /^Reorder / }).count()).toBeLessThan(60);
  const first = async () => (await get<{ data: { title: string }[] }>(page.request, "/api/tbr")).data.at(0)?.title;
  const last = async () => (await get<{ data: { title: string }[] }>(page.request, "/api/tbr")).data.at(-1)?.title;

  const actions = page.getByRole("button", { name: "Actions for Book 1", exact: true });
  await actions.press("Enter");
  await page.getByRole("menuitem", { name: "Move down" }).press("Enter");
  await expect.poll(first).toBe("Book 2");
  await expect(actions).toBeFocused();
  const said = (text: string) => page.locator("[aria-live]").filter({ hasText: text });
  await handle(page, "Book 2").focus();
  for (const [key, place, end] of [
    ["End", "position 700 of 700", last],
    ["Home", "position 1 of 700", first],
  ] as const) {
    await page.keyboard.press("Space");
    await expect(said("Picked up Book 2")).toBeAttached();
    // A key press before the rows are measured ends nothing: a person presses it again.
    await expect(async () => {
      await page.keyboard.press(key);
      await expect(said(`Book 2 was put down, ${place}.`)).toBeAttached({ timeout: 2_000 });
    }).toPass();
    await expect.poll(end).toBe("Book 2");
    await expect(handle(page, "Book 2")).toBeFocused();
    await expect(handle(page, "Book 2")).toBeInViewport();
  }
  // Every row is there on paper.
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("paragraph").filter({ hasText: /^Book \d+$/ })).toHaveCount(700);
});
