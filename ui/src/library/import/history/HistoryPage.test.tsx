import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it } from "vitest";
import type { PastImport, Refill } from "../../../kit/api/types";
import { NORA, renderAs } from "../../../test-reader";
import { pageServer } from "../../../test-server";
import HistoryPage from "./HistoryPage";
import { undoneText } from "./model";

const RENAMED = {
  id: 9,
  kind: "rename",
  summary: "“sf” to “science fiction”, 23 books",
  createdAt: "2025-11-12T20:00:00Z",
  undone: null,
  importId: null,
};
const IMPORTED = {
  id: 2,
  kind: "import",
  summary: "",
  createdAt: "2025-03-02T20:00:00Z",
  undone: "2025-03-03T20:00:00Z",
  importId: 1,
};

/** The import that the older operation made. */
const PAST: PastImport = {
  id: 1,
  fileName: "storygraph.csv",
  format: "storygraph",
  createdAt: "2025-03-02T20:00:00Z",
  imported: 41,
  importedTbr: 0,
  errors: 0,
  skipped: 0,
  leftOut: 0,
  undone: "2025-03-03T20:00:00Z",
};

const WORK = { series: null, tags: [], genres: [], originalYear: null, authors: ["Jane Austen"] };
const READ = { dateCompleted: "2025-03-01", completedFrom: null };
const LIKELY = {
  a: { ...WORK, id: 4, title: "Emma", reads: [READ] },
  b: { ...WORK, id: 6, title: "Emma!", reads: [READ, READ] },
  because: "same title and author",
};

let past: PastImport[];
let undone: string[];
let likely: unknown[];
let answers: string[];
beforeEach(() => {
  [undone, likely, answers, past] = [[], [], [], [PAST]];
});

const server = pageServer(
  "/import/history",
  http.get("*/api/operations", ({ request }) =>
    new URL(request.url).searchParams.has("cursor")
      ? HttpResponse.json({ data: [IMPORTED], nextCursor: null })
      : HttpResponse.json({ data: [RENAMED], nextCursor: "9" }),
  ),
  http.get("*/api/imports", ({ request }) =>
    HttpResponse.json({ data: new URL(request.url).searchParams.get("kind") === "books" ? past : [] }),
  ),
  http.post("*/api/refill", () =>
    HttpResponse.json({ rows: 0, books: 0, kept: 0, undoId: null, files: [], fields: [] } satisfies Refill),
  ),
  http.get("*/api/works/duplicates", () => HttpResponse.json({ data: likely })),
  http.post("*/api/works/:work/:answer", async ({ params, request }) => {
    answers.push(`${params.answer} ${params.work} ${await request.text()}`);
    likely = [];
    return params.answer === "join" ? HttpResponse.json({ work: LIKELY.a }) : new HttpResponse(null, { status: 204 });
  }),
  http.delete("*/api/operations/:id", ({ params }) => {
    undone.push(String(params.id));
    return HttpResponse.json({ restored: 17, removed: 0, kept: [{ id: 3, title: "Circe" }] });
  }),
);

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

it("operations are listed by pages, and one that was undone has no button", async () => {
  renderAs(NORA, <HistoryPage />);
  expect(await screen.findByText("“sf” to “science fiction”, 23 books")).toBeTruthy();
  // Days of the reader's time zone: in the browser's it was the next one.
  expect(await screen.findByRole("region", { name: "Nov 12, 2025" })).toBeTruthy();
  await press("Show earlier ones");
  const of = (day: string) => within(screen.getByRole("region", { name: day }));
  expect(await of("Mar 2, 2025").findByText("storygraph.csv")).toBeTruthy();
  expect(of("Mar 2, 2025").getByText("41 books")).toBeTruthy();
  expect(screen.getByText("Undone Mar 3, 2025")).toBeTruthy();
  expect(screen.getAllByRole("button", { name: /^Undo:/ })).toHaveLength(1);
  expect(screen.queryByRole("button", { name: "Show earlier ones" })).toBeNull();
});

it("an operation is undone after a question, and what stayed is named", async () => {
  renderAs(NORA, <HistoryPage />);
  await press(/^Undo:/);
  expect(await screen.findByText(/What you changed by hand since stays/)).toBeTruthy();
  await press("Undo");
  await waitFor(() => expect(undone).toEqual(["9"]));
  const report = await screen.findByText(/17 changes taken back/);
  expect(report.textContent).toContain("1 book stays, because you changed it since: Circe");
});

it("what was undone in another window is said to be undone", async () => {
  server.use(
    http.delete("*/api/operations/:id", () =>
      HttpResponse.json({ error: "This was undone before.", code: "already_undone" }, { status: 409 }),
    ),
  );
  renderAs(NORA, <HistoryPage />);
  await press(/^Undo:/);
  await press("Undo");
  expect(await screen.findByText("This was already undone in another window.")).toBeTruthy();
});

it("without an operation the page says what will be here", async () => {
  server.use(http.get("*/api/operations", () => HttpResponse.json({ data: [], nextCursor: null })));
  renderAs(NORA, <HistoryPage />);
  expect(await screen.findByText("Nothing yet")).toBeTruthy();
});

it.each([
  ["Merge: Emma, Emma!", "join"],
  ["Not the same: Emma, Emma!", "distinct"],
])("books that are likely the same are answered with “%s”", async (button, answer) => {
  likely = [LIKELY];
  renderAs(NORA, <HistoryPage />);
  expect(await screen.findByRole("heading", { name: "Likely the same book" })).toBeTruthy();
  expect(screen.getByText(/2 reads, finished Mar 1, 2025/)).toBeTruthy();
  await press(button);
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Likely the same book" })).toBeNull());
  expect(answers).toEqual([`${answer} 4 {"work":6}`]);
});

it("books of which both are being read stay two", async () => {
  likely = [LIKELY];
  const refused = { error: "You are reading this already.", code: "already_reading", bookId: 6 };
  server.use(http.post("*/api/works/:work/join", () => HttpResponse.json(refused, { status: 409 })));
  renderAs(NORA, <HistoryPage />);
  await press(/^Merge/);
  expect(await screen.findByText("You are reading both. Finish one of them first.")).toBeTruthy();
});

it("an undo is said in words", () => {
  expect(undoneText({ restored: 1, removed: 2, kept: [] })).toBe("1 change taken back. 2 entries removed.");
  expect(undoneText({ restored: 0, removed: 0, kept: [] })).toBe("There was nothing left to take back.");
});

it("an import names its file and the rows that it left behind, and one that added nothing has no undo", async () => {
  past = [{ ...PAST, imported: 0, errors: 3, leftOut: 1, undone: null }];
  const operation = { ...IMPORTED, undone: null };
  server.use(http.get("*/api/operations", () => HttpResponse.json({ data: [operation], nextCursor: null })));
  renderAs(NORA, <HistoryPage />);
  expect(await screen.findByText(/0 books, 3 rows with errors/)).toBeTruthy();
  const linked = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(linked("Download the rows of storygraph.csv with errors")).toBe("/api/imports/1/rejected");
  expect(linked("Download the rows of storygraph.csv that were left out")).toBe("/api/imports/1/left-out");
  expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
});

it("nothing is offered that has nothing to do", async () => {
  renderAs(NORA, <HistoryPage />);
  await screen.findByText("“sf” to “science fiction”, 23 books");
  await waitFor(() => expect(screen.queryByText("Reading your imports again")).toBeNull());
  expect(screen.queryByRole("heading", { name: /Complete|Likely|without words/ })).toBeNull();
});
