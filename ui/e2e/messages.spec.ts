import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth } from "./accessible";
import { pathOf } from "./below";
import { addBook } from "./books";
import { chooseFile } from "./import";
import { beOperator, PASSWORD, setPlan, signUp } from "./people";
import { OURS } from "./server";

// Requests by the service worker would bypass the routes that a test intercepts.
test.use({ serviceWorkers: "block" });

/** The visible toast, not its copy for screen readers. */
const toast = (page: Page): Locator => page.locator("li[data-state=open]");

/** A refusal of the server, and the answer of a proxy that cannot reach it, with the sentence for people. */
const FAILURES = {
  refused: {
    status: 422,
    headers: OURS,
    json: { error: "That is not how it goes.", code: "invalid" },
    sentence: "That is not how it goes.",
  },
  down: {
    status: 502,
    contentType: "text/html",
    body: "<html><h1>502 Bad Gateway</h1></html>",
    sentence: "The server can’t be reached.",
  },
} as const;
type Failure = keyof typeof FAILURES;

/** Makes every such call fail from now on. */
async function fail(page: Page, method: string, path: string, how: Failure): Promise<void> {
  const { sentence: _, ...answer } = FAILURES[how];
  await page.route(
    (url) => pathOf(url) === path,
    (route) => (route.request().method() === method ? route.fulfill(answer) : route.fallback()),
  );
}

async function fillBook(page: Page) {
  await page.getByLabel("Title").fill("Emma");
  await page.getByLabel("Author").fill("Jane Austen");
  await page.getByLabel("Word Count").fill("155887");
  await page.getByRole("radio", { name: /^No date/ }).check();
}

/** A failure: how to cause it, the message and its place, and what must still be there afterwards. */
interface Case {
  what: string;
  /** The call that fails. */
  call: readonly [method: string, path: string];
  /** Signs in, creates what the test needs, and opens the page. Returns the path's `{id}`. */
  start: (page: Page) => Promise<unknown>;
  /** The action that fails. */
  act: (page: Page) => Promise<unknown>;
  /** The title of the message. */
  title?: string;
  /** Whether the act waits instead, when the server cannot be reached. */
  waits?: boolean;
  /** Whether the message is in the page instead of a toast. */
  inPage?: boolean;
  /** Labels of fields that keep their typed values. */
  keeps?: Readonly<Record<string, string>>;
}

const removeItem = async (page: Page, title: string) => {
  await press(`Actions for ${title}`)(page);
  await page.getByRole("menuitem", { name: "Remove" }).click();
};
const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();

const CASES: readonly Case[] = [
  {
    what: "Login failure",
    call: ["POST", "/api/auth/login"],
    start: async (page) => {
      await page.goto("/login");
      await page.getByLabel("Email").fill("nora@example.org");
      await page.getByLabel("Password").fill("not this one");
    },
    act: press("Log In"),
    inPage: true,
    keeps: { Email: "nora@example.org", Password: "not this one" },
  },
  {
    what: "Signup failure",
    call: ["POST", "/api/auth/signup"],
    start: async (page) => {
      await page.goto("/signup");
      await page.getByLabel("Display name").fill("Nora");
      await page.getByLabel("Email").fill("nora@example.org");
      await page.getByLabel("Password").fill(PASSWORD);
    },
    act: press("Create Account"),
    inPage: true,
    keeps: { "Display name": "Nora", Email: "nora@example.org", Password: PASSWORD },
  },
  {
    what: "Add book failure",
    call: ["POST", "/api/books"],
    start: async (page) => {
      await signUp(page);
      await page.goto("/add-book");
      await fillBook(page);
    },
    act: press("Add Book"),
    title: "Failed to add book",
    keeps: { Title: "Emma", Author: "Jane Austen", "Word Count": "155887" },
  },
  {
    what: "Add TBR failure",
    call: ["POST", "/api/tbr"],
    start: async (page) => {
      await signUp(page);
      await page.goto("/add-book?tab=tbr");
      await page.getByLabel("Title").fill("Kindred");
      await page.getByLabel("Notes").fill("From Imani");
    },
    act: press("Add to TBR"),
    title: "Failed to add TBR book",
    waits: true,
    keeps: { Title: "Kindred", Notes: "From Imani" },
  },
  {
    what: "Update book failure",
    call: ["PATCH", "/api/books/{id}"],
    start: async (page) => {
      await signUp(page);
      const id = await addBook(page, { status: "undated" });
      await page.goto(`/add-book?tab=edit&bookId=${id}`);
      await page.getByLabel("Title").fill("Emma, again");
      return id;
    },
    act: press("Update Book"),
    title: "Failed to update book",
    keeps: { Title: "Emma, again" },
  },
  {
    what: "Delete book failure",
    call: ["DELETE", "/api/books/{id}"],
    start: async (page) => {
      await signUp(page);
      const id = await addBook(page, { status: "undated" });
      await page.goto(`/add-book?tab=edit&bookId=${id}`);
      await page.getByLabel("Title").fill("Emma, again");
      return id;
    },
    act: async (page) => {
      await press("Delete Book")(page);
      await press("I'm sure")(page);
    },
    title: "Failed to delete book",
    inPage: true,
    keeps: { Title: "Emma, again" },
  },
  {
    what: "TBR removal failure",
    call: ["DELETE", "/api/tbr/{id}"],
    start: async (page) => {
      await signUp(page);
      const made = await page.request.post("/api/tbr", { data: { title: "Kindred" } });
      await page.goto("/tbr");
      return ((await made.json()) as { item: { id: number } }).item.id;
    },
    act: async (page) => {
      page.once("dialog", (dialog) => dialog.accept());
      await removeItem(page, "Kindred");
    },
    title: "Failed to remove book",
  },
  {
    what: "Import failure",
    call: ["POST", "/api/books/import"],
    start: async (page) => {
      await signUp(page);
      await chooseFile(page, "books.csv", "Title,Author\nEmma,Jane Austen\n");
      await expect(page.getByRole("button", { name: "Import as Read Books" })).toBeEnabled();
    },
    act: press("Import as Read Books"),
    title: "Import failed",
    inPage: true,
  },
  {
    what: "Admin switch failure",
    call: ["POST", "/api/admin/toggle-subscription"],
    start: async (page) => {
      await beOperator(page);
      await page.goto("/admin");
    },
    act: press("shelfwise_plus"),
    title: "Error",
  },
  {
    what: "Preference failure",
    call: ["PATCH", "/api/preferences"],
    start: async (page) => {
      setPlan(await signUp(page), "shelfwise_plus");
      await page.goto("/account?tab=preferences");
    },
    act: (page) => page.getByRole("combobox", { name: "Format" }).selectOption("Audio"),
    title: "Error",
  },
];

for (const how of ["refused", "down"] as const) {
  for (const { what, call, start, act, title, waits, inPage, keeps = {} } of CASES) {
    if (waits && how === "down") continue;
    test(`${what}, ${how}: shown in its place, and nothing typed is lost`, async ({ page }) => {
      const id = await start(page);
      await fail(page, call[0], call[1].replace("{id}", String(id)), how);
      await act(page);
      const place = inPage ? page.getByRole("alert") : toast(page);
      await expect(place).toContainText(FAILURES[how].sentence);
      if (title) await expect(place).toContainText(title);
      for (const [label, value] of Object.entries(keeps)) await expect(page.getByLabel(label)).toHaveValue(value);
      await expectAccessibleInBoth(page);
    });
  }
}

test("a checkout that does not start says why, and its buttons are on again", async ({ page }) => {
  await signUp(page);
  const current = await (await page.request.get("/api/subscriptions/current")).json();
  await page.route("**/api/subscriptions/current", (route) =>
    route.fulfill({ headers: OURS, json: { ...current, billingEnabled: true } }),
  );
  await fail(page, "POST", "/api/subscriptions/checkout", "down");
  await page.goto("/pricing");
  await page.getByRole("button", { name: "Upgrade Now" }).click();
  await expect(toast(page)).toContainText("Error");
  await expect(toast(page)).toContainText(FAILURES.down.sentence);
  await expect(page.getByRole("button", { name: "Upgrade Now" })).toBeEnabled();

  // A team needs a name: the button is disabled without one, and Enter shows why.
  await page.getByRole("button", { name: "Start a team" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Your Team" });
  await expect(dialog.getByRole("button", { name: "Continue" })).toBeDisabled();
  await dialog.getByLabel("Team name").fill("   ");
  await expect(dialog.getByRole("button", { name: "Continue" })).toBeDisabled();
  await page.keyboard.press("Enter");
  await expect(toast(page)).toContainText("Team name required");
  await expect(toast(page)).toContainText("Please enter a team name");
  await dialog.getByLabel("Team name").fill("The Ones Who Read");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page)).toContainText(FAILURES.down.sentence);
  await expect(dialog.getByLabel("Team name")).toHaveValue("The Ones Who Read");
});

test("a reader who could not be fetched is a visitor, and a log-out that fails shows nothing more of the reader", async ({
  page,
}) => {
  await signUp(page);
  await fail(page, "POST", "/api/auth/logout", "down");
  await page.goto("/account?tab=logout");
  await page.getByRole("button", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Log out");
  await expect(page.getByText(/^This browser may still be logged in/)).toBeVisible();
  await expect(toast(page)).toHaveCount(0);

  await page.unrouteAll();
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A shelf that keeps count.");

  await fail(page, "GET", "/api/auth/me", "down");
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("nothing dropped on the import page asks for a file", async ({ page }) => {
  await signUp(page);
  await page.goto("/import");
  await expect(page.getByText("Please select a file")).toBeVisible();
  await expect(page.getByRole("button", { name: "Import as Read Books" })).toBeDisabled();
  await page.getByText("Drop a CSV file here, or choose one").dispatchEvent("drop", {
    dataTransfer: await page.evaluateHandle(() => new DataTransfer()),
  });
  await expect(toast(page)).toContainText("Please select a file");
});

test("a success shows a toast with the text of the catalogue", async ({ page }) => {
  test.setTimeout(120_000);
  setPlan(await signUp(page), "shelfwise_plus");
  const says = (title: string) => expect(toast(page)).toContainText(title);
  await page.goto("/add-book");
  await fillBook(page);
  await press("Add Book")(page);
  await says("Book added successfully!");
  await page.getByRole("link", { name: "Edit Emma" }).first().click();
  await press("Update Book")(page);
  await says("Book updated successfully!");
  await page.getByRole("link", { name: "Edit Emma" }).first().click();
  await press("Delete Book")(page);
  await press("I'm sure")(page);
  await says("Book deleted successfully!");

  await page.goto("/add-book?tab=tbr");
  await page.getByLabel("Title").fill("Kindred");
  await press("Add to TBR")(page);
  await says("TBR book added successfully!");
  await expect(page.getByLabel("Title")).toHaveValue("");
  await page.goto("/tbr");
  page.once("dialog", (dialog) => dialog.accept());
  await removeItem(page, "Kindred");
  await says("Book removed from TBR");

  await chooseFile(page, "books.csv", "Title,Author\nEmma,Jane Austen\n,Nobody\n");
  await press("Import as Read Books")(page);
  const result = page.getByRole("region", { name: "Result" }).getByRole("status");
  await expect(result).toContainText("Successfully imported 1 book, 1 row had errors");
  await chooseFile(page, "tbr.csv", "Title\nKindred\nCirce\n");
  await press("Import as TBR")(page);
  await expect(result).toContainText("Successfully imported 2 TBR items");

  await page.goto("/account?tab=preferences");
  await page.getByRole("switch", { name: "Dark mode" }).press("Space");
  await says("Theme updated");
  await page.getByRole("combobox", { name: "Format" }).selectOption("Audio");
  await says("Preferences updated");
  await page.goto("/account/export");
  await press("Export data")(page);
  await says("Your data has been exported");
  await page.goto("/account?tab=billing");
  await press("Cancel Subscription")(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel Subscription" }).click();
  await says("Subscription canceled");
  await says("Your subscription has been canceled immediately");

  await page.goto("/account");
  await press("Delete all data")(page);
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel(/^Type the number of books/).fill("1");
  await dialog.getByRole("button", { name: "Delete all data" }).click();
  await says("Data deleted");
  await page.goto("/account/export");
  await expect(page.getByText(/^0 books, a row for each read\./)).toBeVisible();
  await press("Export data")(page);
  await says("No data");
  await says("You don't have any books to export");
  await page.goto("/account");
  await press("Delete account")(page);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await says("Account deleted");
  await expect(page).toHaveURL(/\/$/);
});

test("a toast stays 5 seconds unless it is held, F8 focuses it, and a swipe of 50 pixels dismisses it", async ({
  page,
}) => {
  setPlan(await signUp(page), "shelfwise_plus");
  await page.goto("/account?tab=preferences");
  const format = page.getByRole("combobox", { name: "Format" });
  await expect(format).toBeEnabled();
  await page.clock.install();
  // From here on the test controls the clock.
  await page.clock.pauseAt(Date.now() + 60_000);
  const says = (text: string) =>
    expect(async () => {
      await page.clock.runFor(10);
      expect(await toast(page).allTextContents()).toEqual([expect.stringContaining(text)]);
    }).toPass({ intervals: [10] });
  const notice = async (value: string) => {
    await format.selectOption(value);
    await says("Preferences updated");
  };

  // One at a time, the newest.
  await notice("Audio");
  await page.getByRole("switch", { name: "Dark mode" }).press("Space");
  await says("Theme updated");
  await page.clock.runFor(4_900);
  await expect(toast(page)).toBeVisible();
  await page.clock.runFor(200);
  await expect(toast(page)).toHaveCount(0);

  // While it has the focus it stays.
  await notice("Print");
  await page.keyboard.press("F8");
  await expect(page.locator(":focus")).toHaveAttribute("tabindex", "-1");
  await page.clock.runFor(60_000);
  await expect(toast(page)).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Dismiss" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast(page)).toHaveCount(0);
  await expect(page.getByRole("switch", { name: "Dark mode" })).toBeFocused();

  await notice("eBook");
  const swipe = async (pixels: number) => {
    const box = await toast(page).boundingBox();
    if (!box) throw new Error("no toast");
    const [x, y] = [box.x + 40, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + pixels / 2, y);
    await page.mouse.move(x + pixels, y);
    await page.mouse.up();
  };
  await swipe(40);
  await expect(toast(page)).toBeVisible();
  await swipe(60);
  await expect(toast(page)).toHaveCount(0);
});
