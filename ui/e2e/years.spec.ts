import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth, expectReachable, expectToFitPhones } from "./accessible";
import { addBook } from "./books";
import { setPlan, signUp, today } from "./people";

/*
 * The review of a year and of a month, and its picture.
 */

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** A page that was opened by a link is at its top, and its heading has the focus. */
const expectArrival = (page: Page, heading: string) =>
  expect(page.getByRole("heading", { name: heading, exact: true })).toBeFocused();

/** Ten books of 2016 in three scripts, one with a rough date, and one book of 2015. */
async function addYears(page: Page): Promise<void> {
  await addBook(page, { title: "Dune", author: "Frank Herbert", dateCompleted: "2015-04-01", rating: 9 });
  await addBook(page, {
    title: "Dune",
    author: "Frank Herbert",
    dateCompleted: "2016-03-08",
    startDate: "2016-03-01",
    rating: 10,
  });
  await addBook(page, { title: "吾輩は猫である", author: "夏目漱石", dateCompleted: "2016-03-20", wordCount: 210_000 });
  await addBook(page, { title: "ألف ليلة وليلة", author: "مجهول", dateCompleted: "2016-05-02", wordCount: 330_000 });
  await addBook(page, { title: "Momo", author: "Michael Ende", dateCompleted: "2016", rating: null });
  const titles = [
    "Emma",
    "The Murder of Roger Ackroyd",
    "Orlando",
    "Jonathan Strange & Mr Norrell",
    "Middlemarch",
    "Ulysses",
  ];
  for (const [i, title] of titles.entries()) {
    await addBook(page, {
      title,
      author: `Author ${i}`,
      dateCompleted: `2016-0${i + 4}-11`,
      wordCount: 60_000 + 40_000 * i,
    });
  }
}

test("a year shows its shelf, its figures and what is missing, and leads to its neighbours and months", async ({
  page,
}) => {
  const email = await signUp(page);
  const year = today().slice(0, 4);
  await page.goto("/reading");
  await page.getByRole("link", { name: `Your ${year} so far` }).click();
  await expect(page.getByRole("heading", { name: `Nothing finished in ${year} yet.` })).toBeVisible();
  await expectAccessibleInBoth(page);

  setPlan(email, "shelfwise_plus");
  await addYears(page);
  await page.goto("/years/2016");
  await expect(page.getByText(/^10 books, 1\.8 million words/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "The year’s shelf" })).toBeVisible();
  await expect(page.getByRole("figure", { name: "Month by month" })).toContainText("in no month");
  await expect(page.locator("dl > div").filter({ hasText: "Books" }).first()).toHaveText("Books101 in 2015");
  await expect(page.getByRole("figure", { name: "Authors by words" })).toBeVisible();
  await expectAccessibleInBoth(page);
  await page.getByText("More about 2016").click();
  await expect(page.getByRole("figure", { name: "Length" })).toBeVisible();
  await expect(page.getByRole("figure", { name: "Pace" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "9 new authors" })).toBeVisible();
  await expect(page.getByText("1 book has no rating: Momo")).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectReachable(page);
  await expectToFitPhones(page);

  const months = page.getByRole("navigation", { name: "Months of 2016" });
  await months.getByRole("link", { name: "Mar", exact: true }).click();
  await expectArrival(page, "March 2016");
  await expect(page.getByText("Two books,")).toBeVisible();
  await expect(page.getByRole("heading", { name: "The best" })).toHaveCount(0);
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  await months.getByRole("link", { name: "2016", exact: true }).click();
  await expectArrival(page, "2016");
  await expect(page.getByRole("heading", { name: "The best" })).toBeVisible();
  await page.getByRole("link", { name: "Back to 2015" }).press("Enter");
  await expectArrival(page, "2015");
  await expect(page.getByText("One book,")).toBeVisible();
  await page.getByRole("link", { name: "Back to 2014" }).press("Enter");
  await expectArrival(page, "2014");
  await expect(
    page.getByRole("heading", { name: "Nothing was finished in 2014, as far as this library knows." }),
  ).toBeVisible();

  setPlan(email, "reader");
  await page.goto("/years/2016");
  await expect(
    page.getByText(/^Your plan shows the last \d+ months\. 2016 is kept, and shown with Shelfwise Plus\.$/),
  ).toBeVisible();
  await expectAccessibleInBoth(page);
});

/** A picture as it was drawn: its texts and spines as boxes. */
interface Drawn {
  width: number;
  height: number;
  paper: string;
  texts: { text: string; turned: boolean; left: number; top: number; right: number; bottom: number }[];
  blocks: { left: number; top: number; right: number; bottom: number }[];
}

/** Notes what pages draw on canvases of a picture's size. */
async function watchDrawing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawings: Drawn[] = [];
    Object.assign(window, { drawings });
    const pen = CanvasRenderingContext2D.prototype;
    const { fillRect, fillText, roundRect } = pen;
    pen.fillRect = function (x, y, width, height) {
      if (width === this.canvas.width && width > 1000) {
        drawings.push({ width, height, paper: String(this.fillStyle), texts: [], blocks: [] });
      }
      fillRect.call(this, x, y, width, height);
    };
    pen.roundRect = function (x: number, y: number, width: number, height: number, radii) {
      drawings.at(-1)?.blocks.push({ left: x, top: y, right: x + width, bottom: y + height });
      roundRect.call(this, x, y, width, height, radii);
    };
    pen.fillText = function (text, x, y) {
      const size = this.measureText(text);
      const matrix = this.getTransform();
      const at = (dx: number, dy: number) => matrix.transformPoint({ x: x + dx, y: y + dy });
      const ends = [
        at(-size.actualBoundingBoxLeft, -size.actualBoundingBoxAscent),
        at(size.actualBoundingBoxRight, size.actualBoundingBoxDescent),
      ];
      const xs = ends.map((end) => end.x);
      const ys = ends.map((end) => end.y);
      drawings.at(-1)?.texts.push({
        text,
        turned: matrix.b !== 0,
        left: Math.min(...xs),
        right: Math.max(...xs),
        top: Math.min(...ys),
        bottom: Math.max(...ys),
      });
      fillText.call(this, text, x, y);
    };
  });
}

const lastDrawing = (page: Page) => page.evaluate(() => (window as unknown as { drawings: Drawn[] }).drawings.at(-1));

test("the picture has its size, is not blank, and cuts no word", async ({ page }) => {
  setPlan(await signUp(page), "shelfwise_plus");
  await addYears(page);
  await watchDrawing(page);
  await page.goto("/years/2016");
  await press(page, "Save a picture");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img", { name: /^Preview of the picture of 2016/ })).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  const sizes = [
    { name: /^Post/, file: "2016-post.png", width: 1080, height: 1350 },
    { name: /^Story/, file: "2016-story.png", width: 1080, height: 1920 },
    { name: /^Wide/, file: "2016-wide.png", width: 1200, height: 630 },
  ];
  for (const { name, file, width, height } of sizes) {
    for (const [paper, colour] of [
      ["Light", "#faf7f1"],
      ["Dark", "#10151f"],
    ] as const) {
      await dialog.getByRole("radio", { name }).check();
      await dialog.getByRole("radio", { name: paper }).check();
      await expect
        .poll(() => lastDrawing(page).then((drawn) => drawn && [drawn.width, drawn.height, drawn.paper]))
        .toEqual([width, height, colour]);
      const { texts, blocks } = (await lastDrawing(page)) as Drawn;
      expect(texts.map(({ text }) => text)).toContain("2016");
      const outside = texts.filter(
        ({ left, right, top, bottom }) => left < 0 || top < 0 || right > width || bottom > height,
      );
      expect(outside).toEqual([]);
      const turned = texts.filter((text) => text.turned);
      expect(turned.length).toBeGreaterThan(3);
      const offItsSpine = turned.filter(
        (text) =>
          !blocks.some(
            (block) =>
              text.left >= block.left - 1 &&
              text.right <= block.right + 1 &&
              text.top >= block.top &&
              text.bottom <= block.bottom,
          ),
      );
      expect(offItsSpine).toEqual([]);
    }
    const colours = await dialog.locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      const found = new Set<number>();
      for (let i = 0; i < pixels.length; i += 4) {
        found.add(((pixels[i] ?? 0) << 16) | ((pixels[i + 1] ?? 0) << 8) | (pixels[i + 2] ?? 0));
      }
      return found.size;
    });
    expect(colours).toBeGreaterThan(20);
    const coming = page.waitForEvent("download");
    await press(page, "Save picture");
    const download = await coming;
    expect(download.suggestedFilename()).toBe(file);
    const png = readFileSync(await download.path());
    expect([png.toString("latin1", 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(["PNG", width, height]);
    await expect(dialog).toHaveCount(0);
    await press(page, "Save a picture");
  }
  await dialog.getByRole("switch", { name: "Titles on the spines" }).click();
  await expect.poll(() => lastDrawing(page).then((drawn) => drawn?.texts.filter(({ turned }) => turned))).toEqual([]);
});

test("a browser that forbids drawing says so", async ({ page }) => {
  setPlan(await signUp(page), "shelfwise_plus");
  await addBook(page, { title: "Emma", dateCompleted: "2016-03-08" });
  await page.addInitScript(() => {
    CanvasRenderingContext2D.prototype.getImageData = () => new ImageData(1, 1);
  });
  await page.goto("/years/2016");
  await press(page, "Save a picture");
  await expect(
    page.getByText("This browser does not let pages draw pictures. Save the page as PDF instead."),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Save picture" })).toBeDisabled();
  await expectAccessibleInBoth(page);
});
