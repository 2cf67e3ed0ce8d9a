import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import type { SyncResult } from "../../../kit/api/types";
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

let answer = NOTHING;
const server = pageServer(
  "/import",
  http.post("*/api/books/import", () => HttpResponse.json(answer)),
);

const open = () =>
  renderAs(
    NORA,
    <SyncImport
      file={{ id: 1, name: "goodreads.csv", size: 5, content: new File(["Title"], "goodreads.csv") }}
      name="Goodreads"
      fields={{}}
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
      if (!new URL(request.url).searchParams.has("dryRun")) await delay("infinite");
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
