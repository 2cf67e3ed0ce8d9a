import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, expect, it } from "vitest";
import type { ImportPreview, SyncResult } from "../../../kit/api/types";
import { NORA, renderAs } from "../../../test-reader";
import { pageServer } from "../../../test-server";
import SyncImport from "./SyncImport";

const NOTHING: SyncResult = {
  importId: 5,
  format: "goodreads",
  imported: 0,
  importedTbr: 0,
  errors: 0,
  details: [],
  estimatedWords: 0,
  skipped: 0,
  leftOut: 0,
  changed: 0,
  conflicts: [],
  deletedHere: 0,
  entries: [],
  gone: 0,
  goneBooks: [],
  inConflict: 0,
  // The evening of Nov 12 in Amsterdam, and the next morning where the browser is.
  lastImport: "2025-11-12T20:00:00Z",
  moved: 0,
  unchanged: 3,
  undoId: null,
};

const FILE: ImportPreview = {
  ...NOTHING,
  format: "goodreads",
  books: [],
  tbr: [],
  shelves: [{ name: "abandoned", rows: 6, guess: "skip" }],
  columns: [
    { name: "Title", sample: "Emma", field: "title" },
    { name: "Date Read", sample: "03/04/2024", field: "dateCompleted" },
  ],
  earlierReads: 0,
  dateOrder: "mdy",
  ambiguousDates: { count: 2, sample: "03/04/2024" },
};

let file = FILE;
let answer = NOTHING;
/** The choices of each request of a sync: `dateOrder=dmy`, with `dryRun` before those of a preview. */
let sent: string[] = [];
beforeEach(() => {
  [file, answer, sent] = [FILE, NOTHING, []];
});

const server = pageServer(
  "/import",
  http.post("*/api/books/import", async ({ request }) => {
    const query = new URL(request.url).searchParams;
    if (!query.has("mode")) return HttpResponse.json(file);
    const choices = [...(await request.text()).matchAll(/name="(\w+)"\r\n\r\n(.*)\r\n/g)].map(
      ([, name, value]) => `${name}=${value}`,
    );
    sent.push([query.has("dryRun") && "dryRun", ...choices].filter(Boolean).join(" "));
    return HttpResponse.json(answer);
  }),
);

const open = () =>
  renderAs(
    NORA,
    <SyncImport
      file={{ id: 1, name: "goodreads.csv", size: 5, content: new File(["Title"], "goodreads.csv") }}
      name="Goodreads"
      onNew={() => undefined}
      onRemove={() => undefined}
    />,
  );

it("a file without changes says since which of the reader's days nothing has changed", async () => {
  answer = NOTHING;
  open();
  expect(await screen.findByText(/3 books, and nothing has changed since Nov 12, 2025\./)).toBeTruthy();
});

it("a newer file says on which of the reader's days the last one was taken over", async () => {
  answer = { ...NOTHING, changed: 1 };
  open();
  expect(
    await screen.findByText(
      "You’ve imported from Goodreads before. Only what changed there since Nov 12, 2025 is applied.",
    ),
  ).toBeTruthy();
});

it("taking over can be canceled, and changes nothing then", async () => {
  answer = { ...NOTHING, changed: 1 };
  server.use(
    http.post("*/api/books/import", async ({ request }) => {
      const query = new URL(request.url).searchParams;
      if (!query.has("mode")) return undefined;
      if (!query.has("dryRun")) await delay("infinite");
      return HttpResponse.json(answer);
    }),
  );
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Apply 1 change" }));
  expect(await screen.findByRole("progressbar")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(await screen.findByText("Canceled. Nothing was imported.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Apply 1 change" })).toBeTruthy();
});

it("the order of dates can be said, and goes with the preview and what is applied", async () => {
  answer = { ...NOTHING, changed: 1 };
  open();
  await userEvent.click(await screen.findByLabelText("Day first: Apr 3, 2024"));
  await waitFor(() => expect(sent).toEqual(["dryRun", "dryRun dateOrder=dmy"]));
  await userEvent.click(await screen.findByRole("button", { name: "Apply 1 change" }));
  await screen.findByText(/Up to date/);
  expect(sent.at(-1)).toBe("dateOrder=dmy take={} leave=[]");
});

it("a choice after which nothing changes can be taken back", async () => {
  answer = { ...NOTHING, changed: 1 };
  open();
  await screen.findByRole("button", { name: "Apply 1 change" });
  answer = NOTHING;
  const place = screen.getByLabelText("abandoned");
  await userEvent.selectOptions(place, "Read");
  expect(await screen.findByText("Everything in this file is already here.")).toBeTruthy();
  answer = { ...NOTHING, changed: 1 };
  await userEvent.selectOptions(place, "Did not finish");
  expect(await screen.findByRole("button", { name: "Apply 1 change" })).toBeTruthy();
  expect(sent.at(-1)).toBe('dryRun shelfMap={"abandoned":"did-not-finish"}');
});

it("a file that doesn’t say what its books are is not applied before that is answered", async () => {
  file = { ...FILE, columns: [], asks: [{ field: "status", choices: ["undated", "tbr"], preset: null }] };
  answer = { ...NOTHING, changed: 1 };
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Apply 1 change" }));
  expect(await screen.findByText("Choose one first.")).toBeTruthy();
  await userEvent.click(screen.getByLabelText("To be read"));
  await waitFor(() => expect(sent.at(-1)).toBe("dryRun status=tbr"));
  await userEvent.click(await screen.findByRole("button", { name: "Apply 1 change" }));
  await screen.findByText(/Up to date/);
  expect(sent.at(-1)).toBe("status=tbr take={} leave=[]");
});

it("a choice that the server refuses leaves the choices where they are", async () => {
  answer = { ...NOTHING, changed: 1 };
  open();
  await screen.findByRole("button", { name: "Apply 1 change" });
  server.use(http.post("*/api/books/import", () => HttpResponse.json({}, { status: 422 })));
  await userEvent.click(screen.getByLabelText("Day first: Apr 3, 2024"));
  expect(await screen.findByText("Import failed")).toBeTruthy();
  expect(screen.getByLabelText("Month first: Mar 4, 2024")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Apply/ })).toBeNull();
});
