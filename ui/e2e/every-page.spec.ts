import { expect, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth, expectReachable, expectToFitPhones, refusals } from "./accessible";
import { addBook, daysBefore } from "./books";
import { setPlan, signUp, today } from "./people";

const DAY = today();
/** The months that the free plan shows: those of this year, and six at least. */
const VISIBLE = Math.max(6, Number(DAY.slice(5, 7)));

/** A small library with a book or item of every kind. Returns the id of one of its books. */
async function fill(page: Page): Promise<number> {
  const id = await addBook(page, {
    dateCompleted: DAY,
    series: { name: "Emma", number: "2" },
    tags: ["owned", "lent"],
  });
  expect((await page.request.patch("/api/tags/owned", { data: { shelf: true, icon: "home" } })).status()).toBe(200);
  await addBook(page, {
    title: "Dune",
    author: "Frank Herbert",
    format: "Audio",
    dateCompleted: daysBefore(DAY, 9),
    reread: true,
  });
  await addBook(page, {
    title: "Trust",
    author: "Hernan Diaz",
    status: "in-progress",
    rating: null,
    series: { name: "Wealth", number: null },
  });
  await addBook(page, { title: "Beowulf", author: "Anonymous", status: "undated", rating: null, genres: [] });
  for (const title of ["Kindred", "Middlemarch"]) {
    expect(
      (await page.request.post("/api/tbr", { data: { title, author: "Somebody", wordCount: 90_000 } })).status(),
    ).toBe(201);
  }
  const file = {
    name: "books.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("Title,Author\nCirce,Madeline Miller\n,Nobody\n"),
  };
  expect((await page.request.post("/api/books/import", { multipart: { file } })).status()).toBe(200);
  return id;
}

/** The button that opens a dialog, or that of a menu and the menu's item. */
type Opener = string | RegExp | readonly [menu: string, item: string];

/** The address of every page, an element that shows that it is loaded, and the dialogs that open from it. */
const PAGES: readonly { path: string; shows: string | RegExp; dialogs?: readonly Opener[] }[] = [
  {
    path: "/dashboard",
    shows: "Words by Format",
    dialogs: [["More for Trust", "Finish"], ["More for Trust", "Did not finish"], "Search"],
  },
  { path: "/dashboard?genres=Classics", shows: "Words by Format", dialogs: [["View: Views", "Save as view"]] },
  { path: "/dashboard?titleSearch=nothing", shows: "No results found" },
  { path: "/reading", shows: "Reading now", dialogs: ["Create a goal", ["More for Trust", "Did not finish"]] },
  {
    path: "/years/2011",
    shows: new RegExp(`^(Nothing was finished in 2011, as|Your plan shows the last ${VISIBLE} months\\. 2011 is kept)`),
  },
  { path: `/years/${DAY.slice(0, 4)}`, shows: "Save a picture", dialogs: ["Share"] },
  { path: "/years/soon", shows: "This address names no year." },
  { path: "/add-book", shows: "Reading Status" },
  { path: "/add-book?tab=tbr", shows: "2 books in your TBR" },
  { path: "/add-book?tab=edit", shows: "Pick the book that you want to change." },
  { path: "/add-book?tab=edit&bookId={book}", shows: "Update Book", dialogs: ["Delete Book"] },
  { path: "/book/{book}", shows: "1 read", dialogs: ["Read again", "Edit the edition", "Edit the first read"] },
  { path: "/tbr", shows: "2 books in your TBR", dialogs: ["Pick for me", ["Actions for Kindred", "Edit"]] },
  { path: "/search?q=emma", shows: /results? found/ },
  { path: "/quotes", shows: "No quotes yet" },
  { path: "/series", shows: "2 series, 1 book read in them" },
  { path: "/series/Emma", shows: "Not on your shelf" },
  { path: "/series/Nothing", shows: "No book is in this series" },
  { path: "/tags", shows: "All tags" },
  { path: "/tags/owned", shows: "Open in the dashboard", dialogs: ["Edit shelf"] },
  { path: "/import/history", shows: "books.csv", dialogs: [/^Undo:/] },
  { path: "/import", shows: "History and undo" },
  {
    path: "/account",
    shows: "this one",
    dialogs: ["Edit the name", "Change the email", "Change the password", "Delete all data", "Delete account"],
  },
  { path: "/account?tab=billing", shows: "Plan" },
  { path: "/account?tab=preferences", shows: "Dark mode" },
  { path: "/account?tab=connections", shows: "API tokens", dialogs: ["Create link", "Create token"] },
  { path: "/account/export", shows: "Other programs" },
  { path: "/devices", shows: "Steps for each device" },
  { path: "/account?tab=logout", shows: "Log out of this browser" },
  { path: "/account?tab=terms", shows: "Terms of Service" },
  { path: "/pricing", shows: "Current Plan" },
  { path: "/privacy", shows: "Privacy Policy" },
  { path: "/terms", shows: "Terms of Service" },
  { path: "/nowhere", shows: "404 Page Not Found" },
];

/** A page in its first state: accessible in both themes, by the keyboard alone, and on the narrowest screens. */
async function expectGood(page: Page, root?: string) {
  await expectAccessibleInBoth(page);
  await expectReachable(page, root);
}

/** The same for a dialog, which is opened by the keyboard and returns the focus. */
async function expectGoodDialog(page: Page, by: Opener) {
  const dialog = page.locator("[role=dialog], [role=alertdialog]");
  const [name, item] = typeof by === "string" || by instanceof RegExp ? [by] : by;
  const opener = page.getByRole("button", { name, exact: true });
  await opener.press("Enter");
  if (item) await page.getByRole("menuitem", { name: item, exact: true }).press("Enter");
  await expect(dialog).toBeVisible();
  await expectGood(page, ":is([role=dialog], [role=alertdialog])");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
}

for (const plan of ["reader", "shelfwise_plus", "shelfwise_team"] as const) {
  test.describe(`on ${plan}`, () => {
    for (const { path, shows, dialogs = [] } of PAGES) {
      test(`${path} is accessible, and every control of it and its dialogs comes by the Tab key`, async ({ page }) => {
        const refused = refusals(page);
        const email = await signUp(page);
        if (plan !== "reader") setPlan(email, plan);
        const book = await fill(page);
        await page.goto(path.replace("{book}", String(book)));
        await expect(page.getByText(shows).first()).toBeVisible();
        await expectGood(page);
        await expectToFitPhones(page);
        for (const name of dialogs) await expectGoodDialog(page, name);
        if (plan !== "reader" && path.endsWith("tab=billing")) await expectGoodDialog(page, "Cancel Subscription");
        expect(refused).toEqual([]);
      });
    }
  });
}

for (const [path, shows] of [
  ["/", "A shelf that keeps count."],
  ["/login", "Log in"],
  ["/signup", "Create an account"],
  ["/forgot-password", "Forgot"],
  ["/pricing", "Get Started"],
] as const) {
  test(`a visitor comes to every control of ${path} by the Tab key`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByText(shows).first()).toBeVisible();
    await expectGood(page);
    await expectToFitPhones(page);
  });
}
