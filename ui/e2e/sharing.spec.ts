import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectToFit, expectToFitPhones } from "./accessible";
import { addBook } from "./books";
import { setPlan, signUp, today } from "./people";

/*
 * A year in review goes to a person without an account, on a phone, and is taken back. Links of the other kinds are made where all are listed.
 */

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test("a reader shares a year by a secret link, sees what it shows, and takes it back", async ({ page, browser }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  setPlan(await signUp(page), "shelfwise_plus");
  const title = "</script><b>Emma</b> and a title that is much longer than any spine of this shelf is tall";
  const emma = { author: "Jane Austen", dateCompleted: "2016-03-20", wordCount: 160_000, rating: 9 };
  const id = await addBook(page, { title, ...emma, impressions: "One line.\nTwo lines." });
  const cover = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 60, height: 90 });
    canvas.getContext("2d")?.fillRect(0, 0, 60, 90);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  const picture = { data: Buffer.from(cover, "base64"), headers: { "Content-Type": "image/png" } };
  expect((await page.request.put(`/api/books/${id}/cover`, picture)).status()).toBe(200);
  await addBook(page, { title: "吾輩は猫である", author: "夏目漱石", dateCompleted: "2016-05-02", wordCount: 910_000 });

  await page.goto("/years/2016");
  await press(page, "Share");
  const dialog = page.getByRole("dialog", { name: "Share 2016 by a secret link" });
  await expect(dialog.getByText(/^Anyone with this link sees: title, author, number of words and day/)).toBeVisible();
  await dialog.getByRole("switch", { name: "Ratings" }).click();
  await expect(dialog.getByText(/number of words, rating and day of the books finished in 2016\./)).toBeVisible();
  await expectAccessible(page);
  await expectToFitPhones(page);
  await press(page, "Create link");
  const url = await page.getByRole("textbox", { name: "Address" }).inputValue();
  expect(url).toMatch(/\/s\/[\w-]{27}$/);
  await expectAccessible(page);
  await press(page, "Done");

  // Another person's browser, without script and without a session.
  const stranger = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const shared = await stranger.newPage();
  const failures: string[] = [];
  shared.on("console", (message) => failures.push(message.text()));
  const path = new URL(url).pathname;
  await shared.goto(path);
  await expect(shared.getByRole("heading", { level: 1, name: "2016" })).toBeVisible();
  await expect(shared.getByText(title, { exact: true })).toBeVisible();
  await expect(shared.getByText("Mar 20 9 out of 10")).toBeVisible();
  await expect(shared.locator("svg.thin")).toBeVisible();
  await expect(shared.locator("svg.wide")).toBeHidden();
  for (const width of [320, 390]) {
    await shared.setViewportSize({ width, height: 844 });
    await expectToFit(shared, width);
  }
  await shared.setViewportSize({ width: 1280, height: 900 });
  await expect(shared.locator("svg.wide")).toBeVisible();
  await expect(shared.locator("svg.thin")).toBeHidden();
  // axe itself needs script.
  const checked = await (await browser.newContext()).newPage();
  await checked.goto(path);
  for (const colorScheme of ["light", "dark"] as const) {
    await checked.emulateMedia({ colorScheme });
    await expectAccessible(checked);
  }
  expect(await stranger.cookies()).toEqual([]);
  expect(failures).toEqual([]);

  await page.goto("/account?tab=connections");
  await expect(page.getByText(/^With ratings and days\. Last opened on/)).toBeVisible();
  await expectAccessible(page);
  await expectToFitPhones(page);

  // The cover is switched on, and is shown to the same person.
  await press(page, "Actions for 2016 in review");
  await page.getByRole("menuitem", { name: "What it shows" }).click();
  await page.getByRole("switch", { name: "Covers" }).click();
  await page.getByRole("switch", { name: "Impressions" }).click();
  await press(page, "Save");
  await expect(page.getByText(/^With ratings, impressions, days and covers\./)).toBeVisible();
  await shared.goto(path);
  await expect(shared.getByText("Two lines.")).toBeVisible();
  await shared.setViewportSize({ width: 390, height: 844 });
  const drawn = () => shared.getByRole("presentation").evaluate((img) => (img as HTMLImageElement).naturalWidth);
  await shared.getByRole("presentation").scrollIntoViewIfNeeded();
  await expect.poll(drawn).toBe(60);
  expect(failures).toEqual([]);
  await checked.goto(path);
  await expectAccessible(checked);

  await press(page, "Actions for 2016 in review");
  await page.getByRole("menuitem", { name: "Take back" }).click();
  await press(page, "Take it back");
  await expect(page.getByText("No links yet.")).toBeVisible();
  expect((await shared.goto(path))?.status()).toBe(404);
  await expect(shared.getByRole("heading", { name: "This link is not valid any more." })).toBeVisible();
  await checked.goto(path);
  await expectAccessible(checked);
  await checked.context().close();
  await stranger.close();
});

test("links of other kinds are made on Connections, and show what the dialog said", async ({ page, browser }) => {
  await signUp(page);
  await addBook(page, { title: "Emma", dateCompleted: today(), impressions: "Mine alone." });
  const item = { data: { title: "Orbital", author: "Samantha Harvey", notes: "From Imani", tags: ["gifts"] } };
  expect((await page.request.post("/api/tbr", item)).status()).toBe(201);
  await page.goto("/account?tab=connections");
  const stranger = await browser.newContext({ javaScriptEnabled: false });
  const shared = await stranger.newPage();
  const make = async (kind: string) => {
    await press(page, "Create link");
    const dialog = page.getByRole("dialog", { name: "Create a link" });
    await dialog.getByRole("combobox", { name: "What to share" }).selectOption(kind);
    return dialog;
  };

  const feed = await make("Finished books, as a feed");
  await expectAccessible(page);
  await expectToFitPhones(page);
  await feed.getByRole("button", { name: "Create link" }).click();
  const atom = await (
    await stranger.request.get(await page.getByRole("textbox", { name: "Atom feed" }).inputValue())
  ).text();
  expect(atom).toContain("Emma");
  expect(atom).not.toContain("Mine alone.");
  await press(page, "Done");

  const calendar = await make("Finished books, as a calendar");
  await calendar.getByRole("button", { name: "Create link" }).click();
  const days = await stranger.request.get(await page.getByRole("textbox", { name: "Calendar" }).inputValue());
  expect(days.headers()["content-type"]).toContain("text/calendar");
  expect(await days.text()).toContain("Emma");
  await press(page, "Done");

  const list = await make("Your TBR, as a wish list");
  await list.getByRole("combobox", { name: "Tag" }).selectOption("gifts");
  await expect(list.getByText(/^Anyone with this link sees: title and author of the books on your TBR/)).toBeVisible();
  await list.getByRole("button", { name: "Create link" }).click();
  await shared.goto(await page.getByRole("textbox", { name: "Address" }).inputValue());
  await expect(shared.getByText("Orbital")).toBeVisible();
  await expect(shared.getByText("From Imani")).toHaveCount(0);
  await press(page, "Done");
  for (const row of [/^A feed, with days\./, /^A calendar, with days\./, /^Your TBR, titles and authors\./]) {
    await expect(page.getByText(row)).toBeVisible();
  }
  await expectAccessible(page);
  await stranger.close();
});

test("books of a filter are for their reader alone at once, and an undo shares them again", async ({
  page,
  browser,
}) => {
  await signUp(page);
  await addBook(page, { title: "Emma", dateCompleted: today() });
  for (const title of ["Rough Passage", "Bright Shore"])
    await addBook(page, { title, author: "Ada Quill", genres: ["Romance"], dateCompleted: today() });
  const made = await page.request.post("/api/shares", { data: { kind: "public" } });
  const stranger = await browser.newContext({ javaScriptEnabled: false });
  const shared = await stranger.newPage();
  await shared.goto(new URL((await made.json()).url).pathname);
  await expect(shared.getByText("Bright Shore")).not.toHaveCount(0);

  await page.goto("/dashboard?genres=Romance");
  await press(page, "Change books");
  const dialog = page.getByRole("dialog", { name: "Change 2 books" });
  await dialog.getByRole("combobox", { name: "What to change" }).selectOption("Who sees them");
  await expectAccessible(page);
  await expectToFitPhones(page);
  await dialog.getByRole("button", { name: "Change 2 books" }).click();
  await expect(page.getByText("Only you see them now", { exact: true })).toBeVisible();
  await shared.reload();
  await expect(shared.getByText("Bright Shore")).toHaveCount(0);
  await expect(shared.getByText("Emma")).not.toHaveCount(0);

  await page.getByRole("link", { name: "history" }).click();
  await page.getByRole("button", { name: /^Undo: / }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("taken back.")).toBeVisible();
  await shared.reload();
  await expect(shared.getByText("Bright Shore")).not.toHaveCount(0);
  await stranger.close();
});
