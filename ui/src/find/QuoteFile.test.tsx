import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it } from "vitest";
import type { QuoteImport } from "../kit/api/types";
import { NORA, renderAs } from "../test-reader";
import { pageServer } from "../test-server";
import { addedText, fitText, hasPassagesOnly, leftText, notAddedText } from "./quoteFile";
import SearchPage from "./SearchPage";

const PERSUASION = { title: "Persuasion (Annotated)", author: "Jane Austen", passages: 14 };
const WALDEN = { title: "Walden", author: "", passages: 18 };
const PREVIEW: QuoteImport = {
  format: "kindle",
  passages: 212,
  fits: 180,
  added: 171,
  known: 9,
  unknown: [PERSUASION, WALDEN],
  operationId: null,
};
const CLIPPINGS = new File(["Emma (Jane Austen)\n- Your Highlight\n\nBadly done.\n==========\n"], "My Clippings.txt");

let preview: QuoteImport;
/** The books of each request, with `dryRun` before those of a preview. */
let sent: string[] = [];
const server = pageServer(
  "/search?tab=quotes",
  http.get("*/api/quotes", () => HttpResponse.json({ data: [], nextCursor: null, matching: 0 })),
  http.get("*/api/tags", () => HttpResponse.json({ data: [] })),
  http.get("*/api/stats/options", () => HttpResponse.json({ genres: [], formats: [], authors: [] })),
  http.get("*/api/books/titles", () =>
    HttpResponse.json({ data: [{ id: 7, work: 7, title: "Persuasion", author: "Jane Austen", status: "completed" }] }),
  ),
  http.post("*/api/quotes/import", async ({ request }) => {
    const isPreview = new URL(request.url).searchParams.has("dryRun");
    const books = String((await request.formData()).get("books") ?? "[]");
    sent.push(`${isPreview ? "dryRun " : ""}${books}`);
    const figures = books === "[]" ? preview : { ...preview, fits: 194, added: 185, unknown: [WALDEN] };
    return HttpResponse.json({ ...figures, operationId: isPreview ? null : 5 });
  }),
  http.delete("*/api/operations/5", () => HttpResponse.json({ restored: 17, removed: 0, kept: [] })),
);
beforeEach(() => {
  preview = PREVIEW;
  sent = [];
});

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
async function choose(file = CLIPPINGS) {
  renderAs(NORA, <SearchPage />);
  await screen.findByText("No quotes yet");
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  await userEvent.setup({ applyAccept: false }).upload(input as HTMLInputElement, file);
}

/** Chooses the one book for the first unknown title. */
async function pickPersuasion() {
  await press(/^Persuasion \(Annotated\).*14 passages/);
  await userEvent.type(await screen.findByRole("combobox", { name: "Find a book" }), "{Enter}");
}

it("says what fits, takes the book of an unknown title, adds the quotes, and takes them back", async () => {
  await choose();
  const sentence = "212 passages: 180 fit books of yours, 32 don’t: choose the book, or leave them.";
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.getByText("9 are here already, or were deleted here.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Add 171 quotes" })).toBeTruthy();

  await pickPersuasion();
  expect(await screen.findByText(/194 fit books of yours, 18 don’t/)).toBeTruthy();
  // The title stays, so that another book can be chosen, or none.
  expect(screen.getByRole("button", { name: "Leave out Persuasion (Annotated)" })).toBeTruthy();
  await press("Add 185 quotes");
  expect(await screen.findByRole("heading", { name: "185 quotes added" })).toBeTruthy();
  expect(screen.getByText(/18 were left out\./)).toBeTruthy();
  const books = '[{"title":"Persuasion (Annotated)","author":"Jane Austen","bookId":7}]';
  expect(sent).toEqual(["dryRun []", `dryRun ${books}`, books]);

  await press("Undo");
  await userEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("Undone")).toBeTruthy();
  await press("Done");
  expect(await screen.findByText("No quotes yet")).toBeTruthy();
});

it("a chosen book can be left again", async () => {
  await choose();
  await pickPersuasion();
  await press("Leave out Persuasion (Annotated)");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /^Persuasion \(Annotated\).*14 passages/ }));
  expect(await screen.findByRole("button", { name: "Add 171 quotes" })).toBeTruthy();
});

it("a file that is here already has nothing to add", async () => {
  preview = { ...PREVIEW, passages: 9, fits: 9, added: 0, unknown: [] };
  await choose();
  expect(await screen.findByText("9 passages: all fit books of yours.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Add/ })).toBeNull();
  await press("Choose another file");
  expect(await screen.findByText("No quotes yet")).toBeTruthy();
});

it("a file without passages, and one that is too large, say why", async () => {
  server.use(
    http.post("*/api/quotes/import", () =>
      HttpResponse.json(
        { error: "This file has no passages that were marked. Nothing was imported.", code: "unreadable_file" },
        { status: 422, headers: { "Shelfwise-Version": "0.2.0" } },
      ),
    ),
  );
  await choose();
  expect(await screen.findByText("This file has no passages that were marked. Nothing was imported.")).toBeTruthy();
  await press("Remove file");
  await screen.findByText("No quotes yet");
  const input = document.querySelector<HTMLInputElement>("input[type=file]") as HTMLInputElement;
  await userEvent.upload(input, new File([], "My Clippings.txt"));
  await waitFor(() => expect(screen.getByText("This file is empty.")).toBeTruthy());
});

it("says in words what becomes of passages", () => {
  expect(fitText({ passages: 1, fits: 1 })).toBe("1 passage: it fits a book of yours.");
  expect(fitText({ passages: 2, fits: 1 })).toBe(
    "2 passages: 1 fits a book of yours, 1 doesn’t: choose the book, or leave it.",
  );
  expect(fitText({ passages: 3, fits: 0 })).toBe(
    "3 passages: none fits a book of yours. Choose the book, or leave them.",
  );
  expect(notAddedText({ ...PREVIEW, fits: 4, added: 1, known: 1 })).toBe(
    "1 is here already, or was deleted here. 2 have no room: a book keeps 200 quotes.",
  );
  expect(addedText({ added: 1 })).toBe("1 quote added");
  expect(leftText({ ...PREVIEW, passages: 181 })).toBe("1 was left out.");
});

it.each([
  ["a Kindle's clippings", "\uFEFFEmma\r\n- Ihre Markierung\r\n\r\nText\r\n==========\r\n", true],
  ["Readwise's table", "Highlight,Book Title,Book Author\n", true],
  ["KOReader's highlights", '{"documents": []}', true],
  ["a table of days", "Date,Title,Pages\n2026-01-01,Emma,10\n", false],
  ["a database", "SQLite format 3\0", false],
])("knows %s", async (_, text, isOfQuotes) => {
  expect(await hasPassagesOnly(new File([text], "a file"))).toBe(isOfQuotes);
});
