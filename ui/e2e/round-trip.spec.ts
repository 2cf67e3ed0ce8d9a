import { expect, type Page, test } from "@playwright/test";
import { chooseFile, csvRows, expectFigures, library } from "./import";
import { setPlan, signUp } from "./people";

/** Texts that a spreadsheet would run, that a CSV must quote, or that a careless program breaks. */
const HOSTILE = [
  "=1+1",
  "+cmd|' /C calc'!A0",
  "-30-",
  "@SUM(A1:A9)",
  "'=already escaped",
  "''twice",
  "'Tis",
  '="0441013597"',
  "＝full width",
  '"Quoted", and "quoted", again',
  "Semi;colon\tand tab",
  "Two\nlines\r\nand a third\rand a fourth",
  "مئة عام من العزلة",
  "\u202eright to left\u202c",
  "📚 👩‍👩‍👧 Ça é naïve — 本",
  "e\u0301 is not é",
  "<script>alert(1)</script> &amp; <br/>",
  "Row,Reason",
  "NULL",
  "2024-01-01",
  "1e5",
];

/** Without the fields that a new import sets anew. */
const bare = ({ id: _id, createdAt: _made, updatedAt: _changed, work: _work, ...rest }: Record<string, unknown>) =>
  rest;
/** For each book, the place of the first entry of the same work. */
const works = (all: readonly Record<string, unknown>[]) =>
  all.map(({ work }) => all.findIndex((other) => other.work === work));
/** Sorted by the content of the entries only. */
const sorted = (all: Record<string, unknown>[]) =>
  all
    .map(bare)
    .map((one) => JSON.stringify(one))
    .sort();

async function make(page: Page) {
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data });
    expect(answer.status(), await answer.text()).toBe(201);
  };
  for (const [at, text] of HOSTILE.entries()) {
    const finished = {
      status: "completed",
      dateCompleted: `2024-03-${String(at + 1).padStart(2, "0")}`,
      rating: at % 11,
    };
    const book = {
      title: text,
      author: HOSTILE.at(-1 - at),
      wordCount: at * 1001,
      format: ["Print", "eBook", "Audio"][at % 3],
      genres: [text.replaceAll(",", " ").replaceAll(/[\r\n]/g, " "), "Plain"],
      impressions: `${text}\n\n${text}`,
      quotes: [text, 'She said, "no".', "Two\nlines"],
      reread: at % 4 === 0,
      pages: at % 2 ? 100 + at : null,
      isbn: at === 3 ? "9780441013593" : null,
      wordCountSource: at % 2 ? "pages" : "entered",
    };
    if (at % 4 === 0)
      await post("/api/books", { ...book, ...finished, startDate: "2024-02-28", wordDistribution: "spread" });
    else if (at % 4 === 1) await post("/api/books", { ...book, ...finished });
    else if (at % 4 === 2) await post("/api/books", { ...book, status: "undated", rating: at % 3 ? 7 : null });
    else await post("/api/books", { ...book, status: "in-progress", startDate: at % 8 === 3 ? "2024-01-02" : null });
    await post("/api/tbr", {
      title: text,
      author: at % 3 ? text : null,
      wordCount: at % 2 ? at * 10 : null,
      notes: at % 5 ? `${text}\nand on` : null,
      pages: at % 4 ? 200 + at : null,
      isbn: at === 5 ? "9780441013593" : null,
    });
  }
  // Two equal entries stay two.
  for (let twice = 0; twice < 2; twice++) {
    await post("/api/books", { title: "Twin", author: "Same", wordCount: 5, status: "undated", format: "Print" });
  }
}

test("a library of hostile texts goes out as CSV and comes back as it was", async ({ page }) => {
  setPlan(await signUp(page), "shelfwise_plus");
  await make(page);
  const before = await library(page);
  expect([before.books.length, before.items.length]).toEqual([HOSTILE.length + 2, HOSTILE.length]);

  const files: Record<string, string> = {};
  for (const name of ["books.csv", "tbr.csv"]) {
    files[name] = await (await page.request.get(`/api/account/export/${name}`)).text();
    const cells = csvRows(files[name]).flat();
    expect(cells.filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell))).toEqual([]);
  }
  expect((await page.request.delete("/api/account/data")).status()).toBe(204);
  expect(await library(page)).toEqual({ books: [], items: [] });

  await chooseFile(page, "books.csv", files["books.csv"] ?? "");
  await expect(page.getByText("Shelfwise export")).toBeVisible();
  await expectFigures(page, `Books ${before.books.length}`);
  await page.getByRole("button", { name: "Import as Read Books" }).click();
  await expect(
    page.getByText(`Successfully imported ${before.books.length} books`, { exact: true }).first(),
  ).toBeVisible();
  await chooseFile(page, "tbr.csv", files["tbr.csv"] ?? "");
  await page.getByRole("button", { name: "Import as TBR" }).click();
  await expect(
    page.getByText(`Successfully imported ${before.items.length} TBR items`, { exact: true }).first(),
  ).toBeVisible();

  const after = await library(page);
  expect(sorted(after.books)).toEqual(sorted(before.books));
  expect(after.books.map(bare)).toEqual(before.books.map(bare));
  expect(works(after.books)).toEqual(works(before.books));
  expect(after.items.map(bare)).toEqual(before.items.map(bare));
});
