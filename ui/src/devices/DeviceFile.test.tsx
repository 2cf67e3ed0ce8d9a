import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it } from "vitest";
import type { ReadingReport } from "../kit/api/types";
import { NORA, renderAs } from "../test-reader";
import { pageServer } from "../test-server";
import DevicesPage from "./DevicesPage";

const FILE = new File(["SQLite format 3"], "statistics.sqlite3");
const REPORT: ReadingReport = {
  format: "koreader",
  documents: 12,
  days: 214,
  minutes: 5_760,
  quotes: 0,
  finished: 3,
  rejected: 5,
  importId: null,
};

let report: ReadingReport;
let sent: { dryRun: boolean; columnMap: unknown }[] = [];
const server = pageServer("/devices");
beforeEach(() => {
  report = REPORT;
  sent = [];
  server.use(
    http.get("*/api/devices", () => HttpResponse.json({ data: [] })),
    http.get("*/api/documents", () => HttpResponse.json({ data: [] })),
    http.post("*/api/reading/import", async ({ request }) => {
      const dryRun = new URL(request.url).searchParams.has("dryRun");
      const columnMap = (await request.formData()).get("columnMap");
      sent.push({ dryRun, columnMap: JSON.parse(String(columnMap ?? "null")) });
      const body = dryRun ? report : { ...report, importId: 9 };
      return HttpResponse.json(body, { headers: { "Shelfwise-Version": "0.2.0" } });
    }),
  );
});

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
async function drop(file = FILE) {
  renderAs(NORA, <DevicesPage />);
  const user = userEvent.setup({ applyAccept: false });
  await user.upload(screen.getByLabelText("Drop a file from a device, or choose one"), file);
}

it("says what a file brings, takes it over by one press, and takes it back", async () => {
  let undone: string | undefined;
  server.use(
    http.delete("*/api/imports/:id", ({ params }) => {
      undone = String(params.id);
      return HttpResponse.json({ removed: 0, removedTbr: 0, kept: [], keptTbr: [] });
    }),
  );
  await drop();
  expect(await screen.findByText("KOReader’s statistics")).toBeTruthy();
  const figures = ["Books", "Days", "Hours"].map((name) => screen.getByText(name).nextSibling?.textContent);
  expect(figures).toEqual(["12", "214", "96"]);
  const notes = "3 finishes to confirm. 5 rows left out, because they can’t be read.";
  expect(screen.getByText(notes)).toBeTruthy();
  await press("Take over");
  expect(await screen.findByText("12 books, 214 days, 96 h.")).toBeTruthy();
  expect(sent.map(({ dryRun }) => dryRun)).toEqual([true, false]);

  await press("Undo");
  const dialog = within(await screen.findByRole("alertdialog", { name: "Undo this file?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText(/What the file brought is gone again/)).toBeTruthy();
  expect(undone).toBe("9");
});

it("a table of days whose columns are not known is read once they are chosen", async () => {
  const column = (name: string, field: "day" | "title" | "minutes" | null) => ({ name, sample: "x", field });
  const columns = [column("When", "day"), column("Was", "title"), column("Wie lange", null)];
  report = { ...REPORT, format: "days", documents: 0, days: 0, minutes: 0, finished: 0, rejected: 0, columns };
  await drop(new File(["When,Was"], "days.csv"));
  const third = await screen.findByLabelText("Wie lange");
  expect(screen.getByText(/No column is the page, the percentage or the minutes yet/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Take over" }).disabled).toBe(true);
  report = { ...REPORT, format: "days", columns: [...columns.slice(0, 2), column("Wie lange", "minutes")] };
  await userEvent.selectOptions(third, "Minutes read");
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Take over" }).disabled).toBe(false),
  );
  await press("Take over");
  await screen.findByText("Taken over");
  const columnMap = { When: "day", Was: "title", "Wie lange": "minutes" };
  expect(sent.at(-1)).toEqual({ dryRun: false, columnMap });
});

it("columns may be chosen faster than the file is read by them", async () => {
  const columns = ["Wann", "Werk", "Dauer"].map((name) => ({ name, sample: "x", field: null }));
  report = { ...REPORT, format: "days", documents: 0, columns };
  await drop(new File(["Wann,Werk,Dauer"], "days.csv"));
  await userEvent.selectOptions(await screen.findByLabelText("Wann"), "Day");
  await userEvent.selectOptions(screen.getByLabelText("Werk"), "Title");
  await userEvent.selectOptions(screen.getByLabelText("Dauer"), "Minutes read");
  const columnMap = { Wann: "day", Werk: "title", Dauer: "minutes" };
  await waitFor(() => expect(sent.at(-1)).toEqual({ dryRun: true, columnMap }));
});

it("a file that says nothing new has nothing to take over", async () => {
  report = { ...REPORT, documents: 0, days: 0, minutes: 0, finished: 0, rejected: 0 };
  await drop();
  expect(await screen.findByText("Nothing new: everything in this file is here already.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Take over" })).toBeNull();
});

it("the server's refusal stands as it is", async () => {
  const error = "This SQLite file is from none of the programs that we know: it has no table `page_stat_data`.";
  server.use(
    http.post("*/api/reading/import", () =>
      HttpResponse.json({ error, code: "unreadable_file" }, { status: 422, headers: { "Shelfwise-Version": "0.2.0" } }),
    ),
  );
  await drop();
  expect((await screen.findByRole("alert")).textContent).toBe(error);
  await press("Remove file");
  expect(screen.queryByText("statistics.sqlite3")).toBeNull();
});

it("a book itself is not sent", async () => {
  await drop(new File(["PK"], "trust.epub"));
  expect(await screen.findByText(/This is a book, not a record of reading/)).toBeTruthy();
  expect(sent).toEqual([]);
});

it("a file with passages alone leads to the import of quotes", async () => {
  server.use(
    http.post("*/api/quotes/import", () =>
      HttpResponse.json({
        format: "kindle",
        passages: 2,
        fits: 2,
        added: 2,
        known: 0,
        unknown: [],
        operationId: null,
      }),
    ),
  );
  await drop(new File(["Emma\n- Your Highlight\n\nBadly done.\n==========\n"], "My Clippings.txt"));
  expect(await screen.findByText("2 passages: all fit books of yours.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Add 2 quotes" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "New device" }).getAttribute("data-variant")).not.toBe("primary");
  expect(sent).toEqual([]);
});
