import { expect, type Page, test } from "@playwright/test";
import { addBook, daysBefore } from "./books";
import { OpenLibrary, openFormAt } from "./open-library";
import { beOperator, setPlan, signUp, today } from "./people";
import { OwnServer } from "./server";

/*
 * The jobs of a reader on a phone, counted in acts from the dashboard: a tap, or the Enter that sends what was typed. A job may take
 * fewer acts than its limit, never more. Finding a quote and bringing a file in are counted where they are tested.
 */

const DAY = today();

test.use({ viewport: { width: 390, height: 844 } });

class Job {
  acts = 0;
  constructor(readonly page: Page) {}

  async tap(role: "button" | "link" | "radio" | "menuitem" | "tab" | "textbox", name: string | RegExp) {
    this.acts += 1;
    const found = this.page.getByRole(role, { name, exact: typeof name === "string" }).first();
    // A radio's label covers it, as in the browser of a person.
    await found.click({ force: role === "radio" });
  }

  async send(text: string) {
    await this.page.keyboard.type(text);
    this.acts += 1;
    await this.page.keyboard.press("Enter");
  }

  holds(name: string, most: number) {
    test.info().annotations.push({ type: "job", description: `${name}: ${this.acts} of ${most} acts` });
    expect(this.acts, name).toBeLessThanOrEqual(most);
  }
}

/** A reader with one open and one finished book, at the dashboard. */
async function begin(page: Page): Promise<Job> {
  setPlan(await signUp(page), "shelfwise_plus");
  await addBook(page, { title: "Dune", author: "Frank Herbert", dateCompleted: daysBefore(DAY, 40), rating: 8 });
  const open = { title: "Trust", author: "Hernan Diaz", status: "in-progress", startDate: daysBefore(DAY, 5) } as const;
  await addBook(page, { ...open, rating: null, pages: 400 });
  await page.goto("/dashboard");
  await expect(page.getByRole("button", { name: "Note where you are in Trust" })).toBeVisible();
  return new Job(page);
}

test.describe("with a catalogue", () => {
  test.use({ serviceWorkers: "block" });
  let library: OpenLibrary;
  let server: OwnServer;
  test.beforeEach(async ({ page }) => {
    library = await OpenLibrary.start();
    server = await OwnServer.at();
    await server.start(library.settings);
    await openFormAt(page, server.url);
    await page.goto(`${server.url}/dashboard`);
  });
  test.afterEach(async () => {
    await server.stop();
    library.stop();
  });

  for (const { name, typed, most } of [
    { name: "add by ISBN", typed: "9780807083697", most: 4 },
    { name: "add by title", typed: "kindred", most: 6 },
  ]) {
    test(name, async ({ page }) => {
      const job = new Job(page);
      await job.tap("link", /^Add Book$/);
      await expect(page.getByRole("searchbox", { name: "Look it up" })).toBeFocused();
      await job.send(typed);
      if (name === "add by title") await job.tap("button", /^Kindred/);
      await expect(page.getByText(/^Filled in: title, author/)).toBeVisible();
      await job.tap("radio", "8");
      await job.tap("button", "Add Book");
      await expect(page.getByText("Book added successfully!").first()).toBeVisible();
      job.holds(name, most);
    });
  }
});

test("note the place", async ({ page }) => {
  const job = await begin(page);
  await job.tap("button", "Note where you are in Trust");
  await expect(page.getByRole("textbox", { name: "Where you are in Trust" })).toBeFocused();
  await job.send("120");
  await expect(page.getByText(/^Noted: Trust, page 120\./)).toBeVisible();
  job.holds("note the place", 3);
});

test("finish", async ({ page }) => {
  const job = await begin(page);
  await job.tap("button", "More for Trust");
  await job.tap("menuitem", "Finish");
  await expect(page.getByRole("dialog").getByRole("radio", { name: "0", exact: true })).toBeFocused();
  await job.tap("radio", "9");
  await job.tap("button", "Finish");
  await expect(page.getByText("Book finished").first()).toBeVisible();
  job.holds("finish", 4);
  await job.tap("button", "Undo");
  await expect(page.getByRole("button", { name: "Note where you are in Trust" })).toBeVisible();
});

test("give up", async ({ page }) => {
  const job = await begin(page);
  await job.tap("button", "More for Trust");
  await job.tap("menuitem", "Did not finish");
  await job.tap("button", "Stop reading");
  await expect(page.getByText("Stopped reading").first()).toBeVisible();
  job.holds("give up", 3);
  await job.tap("button", "Undo");
  await expect(page.getByRole("button", { name: "Note where you are in Trust" })).toBeVisible();
});

test("read again", async ({ page }) => {
  const job = await begin(page);
  await job.tap("link", "Dune");
  await job.tap("button", "Read again");
  await job.tap("button", "Start reading");
  await expect(page.getByRole("heading", { name: "2 reads" })).toBeVisible();
  job.holds("read again", 4);
});

test("set a goal", async ({ page }) => {
  const job = await begin(page);
  await job.tap("link", "Reading");
  await job.tap("button", "Create a goal");
  await job.tap("textbox", "How many");
  await job.send("24");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  job.holds("set a goal", 4);
});

test("share a year", async ({ page }) => {
  const job = await begin(page);
  await job.tap("link", "Reading");
  await job.tap("link", /so far$/);
  await job.tap("button", /^Share/);
  await job.tap("button", /^(Make|Create) the link$|^Create link$/);
  await expect(page.getByRole("dialog").getByRole("textbox").first()).toBeVisible();
  job.holds("share a year", 4);
});

test("invite a person", async ({ page }) => {
  await beOperator(page);
  await page.goto("/dashboard");
  const job = new Job(page);
  await job.tap("link", "Admin");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await job.tap("tab", "Users");
  await job.tap("button", "Invite");
  await job.tap("button", "Create invitation");
  await expect(page.getByRole("dialog").getByRole("textbox", { name: "Link" })).toBeVisible();
  job.holds("invite a person", 5);
});
