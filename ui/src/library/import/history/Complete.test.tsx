import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it } from "vitest";
import type { Refill } from "../../../kit/api/types";
import { NORA, renderAs } from "../../../test-reader";
import { pageServer } from "../../../test-server";
import { CatalogueWords } from "./CatalogueWords";
import { Complete } from "./Complete";

const EMMA = { id: 3, title: "Emma (Saga, #1)", before: null, after: "Saga, #1" };
const TALISMAN = { id: 4, title: "The Talisman", before: "Stephen King", after: "Stephen King, Peter Straub" };
const FILE = { importId: 1, fileName: "a.csv", format: "goodreads", createdAt: "2025-03-03T20:00:00Z" };

/** The answer for the chosen fields: each is of one book. */
function answer(chosen: readonly string[], undoId: number | null): Refill {
  return {
    rows: 10,
    books: chosen.length,
    kept: 0,
    undoId,
    files: [{ ...FILE, books: 2, notKept: 6 }],
    fields: [
      { field: "series", chosen: chosen.includes("series"), books: 1, examples: [EMMA] },
      { field: "authors", chosen: chosen.includes("authors"), books: 1, examples: [TALISMAN] },
      { field: "isbn", chosen: chosen.includes("isbn"), books: 0, examples: [] },
    ],
  };
}

let sent: unknown[];
beforeEach(() => {
  sent = [];
});

const server = pageServer(
  "/import/history",
  http.post("*/api/refill", async ({ request }) => {
    const { fields = ["series"] } = (await request.json()) as { fields?: string[] };
    if (new URL(request.url).searchParams.has("dryRun")) return HttpResponse.json(answer(fields, null));
    sent.push(fields);
    return HttpResponse.json(answer(fields, 9));
  }),
);

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

it("one row that was not kept is spoken of as one", async () => {
  const report = { ...answer([], null), files: [{ ...FILE, books: 2, notKept: 1 }] };
  server.use(http.post("*/api/refill", () => HttpResponse.json(report)));
  renderAs(NORA, <Complete />);
  const row =
    /^1 row of the file from Goodreads of Mar \d, 2025 was skipped at the time, maybe a book that you gave up, and was not kept\. Choose/;
  expect(await screen.findByText(row)).toBeTruthy();
});

it("what can be filled in is shown before it is done, and the chosen fields are filled in", async () => {
  renderAs(NORA, <Complete />);
  expect(await screen.findByText("can add 1 thing to 1 book")).toBeTruthy();
  // A day of the reader's time zone: in the browser's it was the next one.
  expect(screen.getByText("Goodreads, Mar 3, 2025")).toBeTruthy();
  expect(await screen.findByText(/6 rows of the file from Goodreads of Mar 3, 2025 were skipped/)).toBeTruthy();
  expect(screen.getByText("Saga, #1")).toBeTruthy();
  // A field without a gain is not offered.
  expect(screen.queryByRole("checkbox", { name: "ISBN" })).toBeNull();
  const authors = screen.getByRole<HTMLInputElement>("checkbox", { name: "Second authors" });
  expect(authors.checked).toBe(false);
  await userEvent.click(authors);
  await press("Fill in 2 books");
  expect(await screen.findByText("2 books completed")).toBeTruthy();
  expect(sent).toEqual([["series", "authors"]]);
});

it("a refused fill-in keeps what was chosen and says why", async () => {
  renderAs(NORA, <Complete />);
  await userEvent.click(await screen.findByRole("checkbox", { name: "Second authors" }));
  await screen.findByRole("button", { name: "Fill in 2 books" });
  const reason = "You have reached this server's limit.";
  server.use(
    http.post("*/api/refill", ({ request }) =>
      new URL(request.url).searchParams.has("dryRun")
        ? undefined
        : HttpResponse.json({ error: reason, code: "quota_reached" }, { status: 409 }),
    ),
  );
  await press("Fill in 2 books");
  expect(await screen.findByText(reason)).toBeTruthy();
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Second authors" }).checked).toBe(true),
  );
});

it("a library that has everything is offered nothing", async () => {
  server.use(
    http.post("*/api/refill", () => HttpResponse.json({ ...answer([], null), fields: [], files: [] } satisfies Refill)),
  );
  renderAs(NORA, <Complete />);
  await waitFor(() => expect(screen.queryByText("Reading your imports again")).toBeNull());
  expect(screen.queryByRole("heading")).toBeNull();
});

it("numbers of an example have separators", async () => {
  const words = { id: 3, title: "Emma", before: null, after: "160996" };
  const isbn = { id: 3, title: "Emma", before: null, after: "9780141439587" };
  const report = answer([], null);
  server.use(
    http.post("*/api/refill", () =>
      HttpResponse.json({
        ...report,
        fields: [
          { field: "words", chosen: true, books: 1, examples: [words] },
          { field: "isbn", chosen: true, books: 1, examples: [isbn] },
        ],
      } satisfies Refill),
    ),
  );
  renderAs(NORA, <Complete />);
  expect(await screen.findByText("160,996")).toBeTruthy();
  expect(screen.getByText("9780141439587")).toBeTruthy();
});

it("books without words get them from the catalogue of a server that has one", async () => {
  let answers = 0;
  server.use(
    http.get("*/api/site", () => HttpResponse.json({ offlineCatalogue: true })),
    http.patch("*/api/books", async ({ request }) => {
      sent.push(await request.json());
      answers += 1;
      return HttpResponse.json({ changed: 0, words: answers === 1 ? 2 : 0 });
    }),
  );
  renderAs(NORA, <CatalogueWords />);
  await press("Fill in words");
  expect(await screen.findByText(/2 books have a word count now\./)).toBeTruthy();
  expect(sent).toEqual([{ wordsFromPages: true, wordsFromCatalogue: true }]);
  await press("Fill in words");
  expect(await screen.findByText("No pages were found for a book without words.")).toBeTruthy();
});

it("a server without a catalogue does not offer its words", async () => {
  renderAs(NORA, <CatalogueWords />);
  await waitFor(() => expect(screen.queryByRole("heading")).toBeNull());
  expect(screen.queryByRole("button", { name: "Fill in words" })).toBeNull();
});
