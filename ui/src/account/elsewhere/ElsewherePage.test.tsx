import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { NORA, READER, renderAs } from "../../test-reader";
import { pageServer } from "../../test-server";
import ElsewherePage from "./ElsewherePage";

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
  "/account/elsewhere",
  http.get("*/api/account/export/formats", () => HttpResponse.json({ data: PROGRAMS })),
  http.get("*/api/account/export/:format", ({ request }) => {
    asked.push(new URL(request.url).pathname + new URL(request.url).search);
    return new HttpResponse("Title\n", { headers: { "Content-Disposition": 'attachment; filename="there.csv"' } });
  }),
  http.get("*/api/tbr", () => HttpResponse.json({ data: [{ id: 1, title: "Kim" }] })),
);

const ANSWER = { name: "Always down" };

it("a program is chosen, its losses are seen, the questions are answered, and the file is asked for with the answers", async () => {
  renderAs(NORA, <ElsewherePage />);
  const sentence =
    "Nothing is lost on the way to Goodreads but: words of 2,022 books, half points of 3, 1 rough date (written as its last day), quotes of 2.";
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.getByText("4 things don’t fit")).toBeTruthy();
  const words = screen.getByText("Words").closest("details") as HTMLElement;
  await userEvent.click(within(words).getByText("Words"));
  expect(within(words).getByRole("link", { name: "Emma" }).getAttribute("href")).toBe("/book/1");
  expect(within(words).queryByRole("link", { name: "Kim" })).toBeNull();
  expect(within(words).getByText("and 2,020 more")).toBeTruthy();

  // The items of the list are in the file, too, and in the figures above.
  expect(await screen.findByText(/\.csv, \d+ books and 1 on your TBR$/)).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Three questions" })).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: "Leave the date out" }));
  await userEvent.click(screen.getByRole("radio", ANSWER));
  await userEvent.click(screen.getByRole("radio", { name: "Put them below the review" }));
  expect(screen.getByText(/1 rough date \(left out\)/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Download for Goodreads" }));
  expect(await screen.findByText("Downloaded")).toBeTruthy();
  expect(asked).toEqual(["/api/account/export/goodreads?roughDates=none&ratings=down&quotes=append"]);
});

it("a program without questions has none, and our own form holds everything", async () => {
  renderAs(NORA, <ElsewherePage />);
  await userEvent.click(await screen.findByRole("radio", { name: /^Yamtrack/ }));
  expect(screen.getByText("1 thing doesn’t fit")).toBeTruthy();
  expect(screen.queryByRole("heading", { name: /question/ })).toBeNull();
  await userEvent.click(screen.getByRole("radio", { name: /^Shelfwise/ }));
  expect(screen.getByText(/^Everything fits\. Import reads it back/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Download the complete export" }));
  expect(screen.queryByText("What does not fit")).toBeNull();
});

it("a file that could not be written is said, and the answers stay", async () => {
  server.use(
    http.get("*/api/account/export/goodreads", () =>
      HttpResponse.json({ error: "The disk is full.", code: "disk_full" }, { status: 507 }),
    ),
  );
  renderAs(NORA, <ElsewherePage />);
  await userEvent.click(await screen.findByRole("radio", ANSWER));
  await userEvent.click(screen.getByRole("button", { name: "Download for Goodreads" }));
  expect((await screen.findByRole("alert")).textContent).toContain("The disk is full.");
  expect((screen.getByRole("radio", ANSWER) as HTMLInputElement).checked).toBe(true);
});

it("the file has the reader's day in its name, as the server gives it, and a long list is counted in groups", async () => {
  vi.setSystemTime("2025-11-18T12:00Z");
  const list = Array.from({ length: 1_204 }, (_, id) => ({ id, title: "Kim" }));
  server.use(http.get("*/api/tbr", () => HttpResponse.json({ data: list })));
  renderAs(NORA, <ElsewherePage />);
  expect(await screen.findByText("goodreads-2025-11-18.csv, 112 books and 1,204 on your TBR")).toBeTruthy();
});

it("an empty library leads to the import", async () => {
  const limits = { ...READER.limits, bookCount: 0 };
  server.use(http.get("*/api/subscriptions/current", () => HttpResponse.json({ ...READER, limits })));
  server.use(http.get("*/api/tbr", () => HttpResponse.json({ data: [] })));
  renderAs(NORA, <ElsewherePage />);
  expect(await screen.findByText("Nothing to take yet")).toBeTruthy();
});
