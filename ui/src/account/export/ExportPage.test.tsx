import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { NORA, READER, renderAs, toastSays } from "../../test-reader";
import { pageServer } from "../../test-server";
import ExportPage from "./ExportPage";

const loss = (what: string, count: number, titles: string[]) => ({
  what,
  count,
  sentence: `About ${what}.`,
  books: titles.map((title, at) => ({ id: title === "Kim" ? null : at + 1, title })),
});
const PROGRAMS = [
  {
    format: "goodreads",
    name: "Goodreads",
    losses: [
      loss("words", 2022, ["Emma", "Kim"]),
      loss("half-points", 3, ["Dune"]),
      loss("rough-dates", 1, ["Momo"]),
      loss("quotes", 2, ["Emma"]),
    ],
    questions: ["ratings", "roughDates", "quotes"],
  },
  { format: "yamtrack", name: "Yamtrack", losses: [loss("authors", 40, ["Emma"])], questions: [] },
  { format: "shelfwise", name: "Shelfwise", losses: [], questions: [] },
];

const asked: string[] = [];
beforeEach(() => {
  asked.length = 0;
  URL.createObjectURL = () => "blob:export";
  URL.revokeObjectURL = () => {};
  HTMLAnchorElement.prototype.click = () => {};
});
afterEach(() => {
  vi.useRealTimers();
});

const server = pageServer(
  "/account/export",
  http.get("*/api/account/export/formats", () => HttpResponse.json({ data: PROGRAMS })),
  http.get("*/api/account/export/:format", ({ request }) => {
    asked.push(new URL(request.url).pathname + new URL(request.url).search);
    return new HttpResponse("Title\n", { headers: { "Content-Disposition": 'attachment; filename="there.csv"' } });
  }),
  http.get("*/api/tbr", () => HttpResponse.json({ data: [{ id: 1, title: "Kim" }] })),
);

const ANSWER = { name: "Always down" };

/** The row of a program, whose content stands in the page while it is folded. */
const program = async (name: string) => within((await screen.findByText(name)).closest("details") as HTMLElement);

it("a program says what comes along and what it has no place for, and the file is asked for with the answers", async () => {
  renderAs(NORA, <ExportPage />);
  const goodreads = await program("Goodreads");
  expect(await goodreads.findByText(/^112 books come along, and 1 to be read\./)).toBeTruthy();
  // The most painful first; the rest is folded.
  expect(goodreads.getByText("1 smaller thing")).toBeTruthy();
  const names = goodreads.getAllByText(/^(Words|Quotes|Half points|Rough dates)$/, { selector: "summary > span" });
  expect(names.map(({ textContent }) => textContent)).toEqual(["Words", "Quotes", "Half points", "Rough dates"]);
  const words = within(names[0]?.closest("details") as HTMLElement);
  await userEvent.click(words.getByText("Words"));
  expect(words.getByRole("link", { name: "Emma" }).getAttribute("href")).toBe("/book/1");
  expect(words.queryByRole("link", { name: "Kim" })).toBeNull();
  expect(words.getByText("and 2,020 more")).toBeTruthy();

  await userEvent.click(goodreads.getByRole("radio", { name: "Leave the date out" }));
  await userEvent.click(goodreads.getByRole("radio", ANSWER));
  await userEvent.click(goodreads.getByRole("radio", { name: "Add them to the review" }));
  expect(goodreads.getByText(/Half points: Always down\./)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Download for Goodreads" }));
  expect(await goodreads.findByText(/^Downloaded\./)).toBeTruthy();
  expect(asked).toEqual(["/api/account/export/goodreads?roughDates=none&ratings=down&quotes=append"]);
});

it("a program without questions has no choices, and our own files stand above", async () => {
  renderAs(NORA, <ExportPage />);
  const yamtrack = await program("Yamtrack");
  expect(yamtrack.getByText("Authors")).toBeTruthy();
  expect(yamtrack.queryByText("Choices")).toBeNull();
  expect(screen.queryByText("Shelfwise")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Complete export" }));
  await userEvent.click(screen.getByRole("button", { name: "Export data" }));
  await userEvent.click(screen.getByRole("button", { name: "Export TBR" }));
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked.map((path) => path.split("?")[0])).toEqual([
    "/api/account/export/books.csv",
    "/api/account/export/tbr.csv",
  ]);
});

it("a file that could not be written is said, and the answers stay", async () => {
  server.use(
    http.get("*/api/account/export/goodreads", () =>
      HttpResponse.json({ error: "The disk is full.", code: "disk_full" }, { status: 507 }),
    ),
  );
  renderAs(NORA, <ExportPage />);
  await userEvent.click(await screen.findByRole("radio", ANSWER));
  await userEvent.click(screen.getByRole("button", { name: "Download for Goodreads" }));
  expect((await screen.findByRole("alert")).textContent).toContain("The disk is full.");
  expect((screen.getByRole("radio", ANSWER) as HTMLInputElement).checked).toBe(true);
});

it("the file has the reader's day in its name, as the server gives it, and a long list is counted in groups", async () => {
  vi.setSystemTime("2025-11-18T12:00Z");
  const list = Array.from({ length: 1_204 }, (_, id) => ({ id, title: "Kim" }));
  server.use(http.get("*/api/tbr", () => HttpResponse.json({ data: list })));
  renderAs(NORA, <ExportPage />);
  const goodreads = await program("Goodreads");
  expect(await goodreads.findByText(/choose goodreads-2025-11-18\.csv\.$/)).toBeTruthy();
  expect(goodreads.getByText(/and 1,204 to be read/)).toBeTruthy();
});

it("an empty library has no file for other programs, and says so when its own is asked for", async () => {
  const limits = { ...READER.limits, bookCount: 0 };
  server.use(http.get("*/api/subscriptions/current", () => HttpResponse.json({ ...READER, limits })));
  server.use(http.get("*/api/tbr", () => HttpResponse.json({ data: [] })));
  renderAs(NORA, <ExportPage />);
  expect(await screen.findByText("Nothing to export yet")).toBeTruthy();
  expect(screen.queryByText("Other programs")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Export data" }));
  await toastSays("No data");
  expect(screen.getByText("You don't have any books to export")).toBeTruthy();
  expect(asked).toEqual([]);
});

it("the export is handed over under the server's name for it", async () => {
  const names: string[] = [];
  const files: Blob[] = [];
  URL.createObjectURL = (file: Blob) => {
    files.push(file);
    return "blob:export";
  };
  HTMLAnchorElement.prototype.click = function click() {
    names.push(this.download);
  };
  server.use(
    http.get(
      "*/api/account/export/books.csv",
      () => new HttpResponse("Title\n", { headers: { "Content-Disposition": 'attachment; filename="books.csv"' } }),
    ),
  );
  renderAs(NORA, <ExportPage />);
  await screen.findByText(/^112 books, a row for each read/);
  await userEvent.click(screen.getByRole("button", { name: "Export data" }));
  await toastSays("Your data has been exported");
  expect(names).toEqual(["books.csv"]);
  const bytes = new Uint8Array((await files[0]?.arrayBuffer()) ?? []);
  expect([...bytes.slice(0, 4)]).toEqual([0xef, 0xbb, 0xbf, "T".charCodeAt(0)]);
});
