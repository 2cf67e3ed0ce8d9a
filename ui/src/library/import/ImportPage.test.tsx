import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { delay, HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import type { ReactNode } from "react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { keys } from "../../kit/api/keys";
import type { ImportPreview, ImportResult, PastImport, PreviewBook } from "../../kit/api/types";
import { createQueryClient } from "../../kit/query";
import { ToastHost } from "../../kit/ui/ToastHost";
import { PREFERENCES } from "../../test-reader";
import ImportPage from "./ImportPage";
import { template } from "./templates";

const EMMA: PreviewBook = {
  row: 2,
  title: "Emma",
  author: "Jane Austen",
  wordCount: 83_600,
  wordCountSource: "pages",
  pages: 304,
  minutes: null,
  isbn: null,
  status: "completed",
  startDate: null,
  completedFrom: null,
  stoppedDate: null,
  pausedSince: null,
  dateCompleted: "2025-02-23",
  rating: 9,
  format: "Print",
  reread: false,
  genres: ["Classics"],
  impressions: null,
  quotes: [],
  wordDistribution: "final",
  contributors: [],
  series: null,
  tags: [],
  private: false,
  publisher: null,
  published: null,
  originalYear: null,
  language: null,
};

const PREVIEW: ImportPreview = {
  imported: 175,
  importedTbr: 24,
  errors: 3,
  skipped: 12,
  leftOut: 0,
  details: [41, 97, 160].map((row) => ({ row, field: "author", message: "Author is missing" })),
  format: "goodreads",
  importId: null,
  estimatedWords: 190,
  books: [EMMA],
  tbr: [],
  shelves: [{ name: "abandoned", rows: 6, guess: "skip" }],
  columns: [
    { name: "Title", sample: "Emma", field: "title" },
    { name: "My Rating", sample: "5", field: "rating5" },
    { name: "BCID", sample: "", field: null },
  ],
  earlierReads: 9,
  dateOrder: "ymd",
};

const RESULT: ImportResult = { ...PREVIEW, importId: 7 };

const PAST_GOODREADS: PastImport = {
  id: 5,
  fileName: "goodreads_library_export.csv",
  format: "goodreads",
  createdAt: "2025-03-02T20:00:00Z",
  imported: 41,
  importedTbr: 0,
  errors: 0,
  skipped: 0,
  leftOut: 0,
  undone: null,
};

/** A form as the server received it. */
interface Sent {
  path: string;
  dryRun: boolean;
  key: string | null;
  body: string;
}

let sent: Sent[] = [];
let past: PastImport[] = [];
let limits = { bookLimit: null as number | null, bookCount: 0, historyMonths: null };

async function take(request: Request): Promise<Sent> {
  const { pathname, searchParams } = new URL(request.url);
  const one = {
    path: pathname,
    dryRun: searchParams.get("dryRun") === "true",
    key: request.headers.get("Idempotency-Key"),
    body: await request.text(),
  };
  sent.push(one);
  return one;
}

/** Answers previews with `preview` and imports with `result`. */
function importing(preview: (sent: Sent) => Response | ImportPreview, result: () => Response | ImportResult) {
  return http.post("*/api/:list/import", async ({ request }) => {
    const one = await take(request);
    const answer = one.dryRun ? preview(one) : result();
    return answer instanceof Response ? answer : HttpResponse.json(answer);
  });
}

const server = setupServer(
  http.get("*/api/imports", ({ request }) => {
    const isOfBooks = new URL(request.url).searchParams.get("kind") === "books";
    return HttpResponse.json({ data: isOfBooks ? past : [] });
  }),
  http.get("*/api/preferences", () => HttpResponse.json({ preferences: PREFERENCES })),
  http.get("*/api/subscriptions/current", () =>
    HttpResponse.json({ subscription: { plan: "reader" }, team: null, limits, features: [], billingEnabled: false }),
  ),
);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => {
  sent = [];
  past = [];
  limits = { bookLimit: null, bookCount: 0, historyMonths: null };
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open() {
  const client = createQueryClient(() => undefined);
  const invalidate = vi.spyOn(client, "invalidateQueries");
  const shown = (page: ReactNode) => (
    <QueryClientProvider client={client}>
      {page}
      <ToastHost />
    </QueryClientProvider>
  );
  const { rerender } = render(shown(<ImportPage />));
  return { user: userEvent.setup({ applyAccept: false }), invalidate, leave: () => rerender(shown(null)) };
}

const figures = () =>
  [...document.querySelectorAll("dl > div")].map(
    ({ children }) => `${children[0]?.textContent} ${children[1]?.textContent}`,
  );
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const csv = (name = "goodreads_library_export.csv") =>
  new File(["Title,My Rating\nEmma,5\n"], name, { type: "text/csv" });
const pick = (user: ReturnType<typeof userEvent.setup>, file = csv()) =>
  user.upload(screen.getByLabelText(/Drop a CSV file here/), file);

it("without a file nothing can be imported, and the page says why", () => {
  open();
  expect(button("Import as Read Books").disabled).toBe(true);
  expect(button("Import as TBR").disabled).toBe(true);
  expect(screen.getByText("Please select a file")).toBeTruthy();
});

it("the templates have the columns of the specification", () => {
  expect(template("books").text).toBe(
    "Title,Author,Word Count,Date Completed,Rating,Format,Reread,Genres,Impressions\r\n",
  );
  expect(template("tbr").text).toBe("Title,Author,Word Count,Notes\r\n");
});

it("a file of another kind is refused without being sent", async () => {
  const { user } = open();
  await pick(user, new File(["x"], "books 2025.xlsx"));
  expect((await screen.findByRole("alert")).textContent).toContain("Only .csv files can be imported");
  expect(sent).toEqual([]);
  await user.click(button("Remove file"));
  expect(screen.getByText("Drop a CSV file here, or choose one")).toBeTruthy();
});

it("a file that the server can't read says why and can't be imported", async () => {
  const sentence = "This is a spreadsheet file with another ending, not a CSV. Nothing was imported.";
  const answer = () => HttpResponse.json({ error: sentence, code: "unreadable_file" }, { status: 422 });
  server.use(importing(answer, answer));
  const { user } = open();
  await pick(user);
  expect((await screen.findByRole("alert")).textContent).toContain(sentence);
  expect(button("Import as Read Books").disabled).toBe(true);
});

it("a preview shows what would be saved, and writes nothing", async () => {
  server.use(
    importing(
      () => PREVIEW,
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user);
  expect(await screen.findByText("Goodreads export")).toBeTruthy();
  expect(figures()).toEqual(["Books 175", "To be read 24", "Skipped 15"]);
  expect(screen.getByText("12 are here already and skipped. 3 rows can’t be imported.")).toBeTruthy();
  // Everything with a preset is folded.
  expect([...document.querySelectorAll("details")].filter(({ open }) => open)).toEqual([]);
  expect(screen.getByText("83,600 words, from 304 pages")).toBeTruthy();
  expect(screen.getByText("Row 41")).toBeTruthy();
  expect(screen.getByText(/We estimated 190 word counts/)).toBeTruthy();
  expect(sent.map(({ path, dryRun }) => [path, dryRun])).toEqual([["/api/books/import", true]]);
  expect(sent[0]?.body).toContain('filename="goodreads_library_export.csv"');
});

it("a choice makes a new preview and goes with the import", async () => {
  server.use(
    importing(
      () => PREVIEW,
      () => RESULT,
    ),
  );
  const { user, invalidate } = open();
  await pick(user);
  await user.selectOptions(await screen.findByLabelText("abandoned"), "read");
  await user.click(screen.getByLabelText("Also add 9 earlier reads that the file counts but gives no date for"));
  await waitFor(() => expect(sent).toHaveLength(3));
  await user.click(button("Import as Read Books"));
  // It is said once.
  expect(await screen.findAllByText("Successfully imported 175 books, 3 rows had errors")).toHaveLength(1);
  expect(screen.queryByText("Import successful")).toBeNull();
  const written = sent.at(-1);
  expect(written?.dryRun).toBe(false);
  expect(written?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(written?.body).toContain('{"abandoned":"read"}');
  expect(written?.body).toContain("undated");
  expect(invalidate).toHaveBeenCalledOnce();
});

it("the preferences of a complete export are shown as soon as they are taken over", async () => {
  const restored = { covers: 0, coversLeftOut: 0, tagShelves: 0, views: 0, goals: 0, preferences: 0 };
  server.use(
    importing(
      () => ({ ...PREVIEW, restored }),
      () => ({ ...RESULT, restored: { ...restored, preferences: 12 } }),
    ),
  );
  const { user, invalidate } = open();
  await pick(user);
  await user.click(await screen.findByLabelText("This is a complete export. Restore its preferences too?"));
  await waitFor(() => expect(sent).toHaveLength(2));
  await user.click(button("Import as Read Books"));
  await waitFor(() => expect(invalidate).toHaveBeenCalledWith({ queryKey: keys.preferences }));
});

it("a complete export says that all of it is restored, and has no columns to match", async () => {
  const restored = { covers: 0, coversLeftOut: 0, tagShelves: 0, views: 0, goals: 0, preferences: 0 };
  server.use(
    importing(
      () => ({ ...PREVIEW, format: "shelfwise", restored }),
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user);
  expect(await screen.findByText("This is a complete export: everything in it is restored.")).toBeTruthy();
  expect(screen.getByText("all 3 used")).toBeTruthy();
  expect(screen.queryByText(/matched/)).toBeNull();
});

it("columns that are not used stay out of the way of a known format, and can be brought in", async () => {
  server.use(
    importing(
      () => PREVIEW,
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user);
  await screen.findByLabelText("My Rating");
  expect(screen.getByText("2 of 3 matched")).toBeTruthy();
  expect(screen.queryByLabelText("BCID")).toBeNull();
  await user.click(button("Show 1 more column"));
  await user.selectOptions(screen.getByLabelText("BCID"), "notes");
  await waitFor(() => expect(sent.at(-1)?.body).toContain('{"BCID":"notes"}'));
});

it("an unknown file asks for its author before books can be made of it", async () => {
  const columns = [
    { name: "Buch", sample: "Die Wand", field: "title" },
    { name: "Von", sample: "Marlen Haushofer", field: null },
    { name: "Fertig", sample: "14.03.2025", field: "dateCompleted" },
  ];
  const unknown = { ...PREVIEW, format: "unknown", columns, shelves: [], books: [] };
  server.use(
    importing(
      ({ body }) => (body.includes("columnMap") ? { ...unknown, books: [EMMA] } : unknown),
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user, csv("gelesen.csv"));
  const author = await screen.findByLabelText("Von");
  expect(author.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("We don’t know this format: 3 columns. Say what each one is.")).toBeTruthy();
  expect(screen.getByText("Choose the author’s column to see your books here.")).toBeTruthy();
  expect(button("Import as Read Books").disabled).toBe(true);
  expect(button("Import as TBR").disabled).toBe(false);
  await user.selectOptions(author, "author");
  expect(await screen.findByText("Emma")).toBeTruthy();
  expect(button("Import as Read Books").disabled).toBe(false);
  expect(sent.at(-1)?.body).toContain('{"Buch":"title","Von":"author","Fertig":"dateCompleted"}');
});

it("a TBR list is previewed and imported as one", async () => {
  const columns = ["title", "author", "notes"].map((field) => ({ name: field, sample: "", field }));
  const items = { ...PREVIEW, format: "template", columns, shelves: [], books: [], imported: 2, importedTbr: 0 };
  server.use(
    importing(
      () => items,
      () => ({ ...RESULT, imported: 2, importedTbr: 0, errors: 0 }),
    ),
  );
  const { user } = open();
  await pick(user, csv("tbr.csv"));
  expect(await screen.findByText("Shelfwise template")).toBeTruthy();
  expect(figures()[0]).toBe("To be read 2");
  await user.click(button("Import as TBR"));
  expect(await screen.findByText("Successfully imported 2 TBR items")).toBeTruthy();
  expect(sent.at(-1)?.path).toBe("/api/tbr/import");
  expect(screen.getByRole("link", { name: "Go to your TBR" })).toBeTruthy();
});

it("a plan without room for all says so before anything is written", async () => {
  limits = { ...limits, bookLimit: 150, bookCount: 112 };
  server.use(
    importing(
      () => ({ ...PREVIEW, imported: 38, errors: 140 }),
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user);
  expect(await screen.findByText(/The Reader plan has room for 38 more books\./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Upgrade" })).toBeTruthy();
});

it("shelves that are not genres become genres only when the reader asks for it", async () => {
  server.use(
    importing(
      () => ({ ...PREVIEW, otherShelves: ["2023-challenge", "owned"] }),
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user);
  const offer = await screen.findByRole("checkbox", { name: "Also make genres of 2023-challenge, owned" });
  expect(sent.at(-1)?.body).not.toContain("shelfGenres");
  await user.click(offer);
  await user.click(button("Import as Read Books"));
  await screen.findByRole("region", { name: "Result" });
  expect(sent.at(-1)?.body).toContain("shelfGenres");
});

it("moods become tags only when the reader asks for it", async () => {
  const moods = { name: "Moods", sample: "dark, tense", field: null };
  server.use(
    importing(
      () => ({ ...PREVIEW, columns: [...PREVIEW.columns, moods] }),
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user);
  const offer = await screen.findByRole("checkbox", { name: "Make tags of the moods" });
  expect(sent.at(-1)?.body).not.toContain("columnMap");
  await user.click(offer);
  await user.click(button("Import as Read Books"));
  await screen.findByRole("region", { name: "Result" });
  expect(sent.at(-1)?.body).toContain('{"Moods":"tags"}');
});

it("books beyond the plan are said to have no room, and are not listed as errors", async () => {
  const beyond = [{ row: 151, message: "Beyond the 150 books of the Reader plan.", beyondLimit: true }];
  limits = { ...limits, bookLimit: 150, bookCount: 0 };
  server.use(
    importing(
      () => ({ ...PREVIEW, imported: 150, errors: 1_224, beyondLimit: 1_224, details: beyond }),
      () => ({ ...RESULT, imported: 150, importedTbr: 0, errors: 1_224, beyondLimit: 1_224, details: beyond }),
    ),
  );
  const { user } = open();
  await pick(user);
  expect(await screen.findByText(/The first 150 in this file are imported, 1,224 books do not fit\./)).toBeTruthy();
  expect(screen.queryByText(/can’t be imported/)).toBeNull();
  await user.click(button("Import as Read Books"));
  const result = within(await screen.findByRole("region", { name: "Result" }));
  expect(result.getByText(/^1,224 books do not fit the Reader plan\. The rows are kept/)).toBeTruthy();
  expect(result.queryByText("Errors")).toBeNull();
  expect(result.queryByText(/Beyond the 150 books/)).toBeNull();
});

it("a failed import keeps file and choices, and trying again sends the same key", async () => {
  let broken = true;
  const refused = () => HttpResponse.json({ error: "This column is taken.", code: "invalid" }, { status: 422 });
  server.use(
    importing(
      () => PREVIEW,
      () => (broken ? refused() : RESULT),
    ),
  );
  const { user } = open();
  await pick(user);
  await user.selectOptions(await screen.findByLabelText("abandoned"), "to-read");
  await user.click(button("Import as Read Books"));
  expect(await screen.findByText("Import failed", { selector: "strong" })).toBeTruthy();
  expect(screen.getByText(/This column is taken\. Your file and choices are still here/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLSelectElement>("abandoned").value).toBe("to-read");
  broken = false;
  await user.click(button("Try again"));
  expect(await screen.findByText(/^Successfully imported 175 books/)).toBeTruthy();
  const keys = sent.filter(({ dryRun }) => !dryRun).map(({ key }) => key);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

it("a finished import offers its rejected rows and can be undone; the result lists the books that stay", async () => {
  server.use(
    importing(
      () => PREVIEW,
      () => RESULT,
    ),
    http.delete("*/api/imports/7", () =>
      HttpResponse.json({ removed: 174, removedTbr: 24, kept: [{ id: 3, title: "Circe" }], keptTbr: [] }),
    ),
  );
  const { user, invalidate } = open();
  await pick(user);
  await screen.findByText("Jane Austen");
  await user.click(button("Import as Read Books"));
  const rejected = await screen.findByRole("link", { name: "Download these rows" });
  expect(rejected.getAttribute("href")).toBe("/api/imports/7/rejected");
  await user.click(button("Undo"));
  const dialog = within(await screen.findByRole("alertdialog"));
  expect(dialog.getByText("goodreads_library_export.csv")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Undo import" }));
  expect(await screen.findByText(/1 book stays, because you have changed it since/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Circe" }).getAttribute("href")).toBe("/add-book?tab=edit&bookId=3");
  expect(invalidate).toHaveBeenCalledTimes(2);
});

it("a failed undo says why", async () => {
  server.use(
    importing(
      () => PREVIEW,
      () => RESULT,
    ),
    http.delete("*/api/imports/7", () =>
      HttpResponse.json({ error: "This import was undone already.", code: "already_undone" }, { status: 409 }),
    ),
  );
  const { user } = open();
  await pick(user);
  await screen.findByText("Jane Austen");
  await user.click(button("Import as Read Books"));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Undo import" }));
  expect(await screen.findByText("This import was undone already.")).toBeTruthy();
});

it("an import that is canceled keeps file and choices, and its reader is told once", async () => {
  server.use(
    http.post("*/api/books/import", async ({ request }) => {
      const { dryRun } = await take(request);
      if (!dryRun) await delay("infinite");
      return HttpResponse.json(PREVIEW);
    }),
  );
  const { user } = open();
  await pick(user);
  await user.selectOptions(await screen.findByLabelText("abandoned"), "read");
  await user.click(button("Import as Read Books"));
  expect(await screen.findByRole("progressbar")).toBeTruthy();
  await user.click(button("Cancel"));
  expect(await screen.findByText("Canceled. Nothing was imported.")).toBeTruthy();
  expect(screen.getByLabelText<HTMLSelectElement>("abandoned").value).toBe("read");
  expect(screen.queryByText("Import failed", { selector: "strong" })).toBeNull();
});

it("a reader who has moved on is told in a notice that the import is done", async () => {
  let finish: (value: unknown) => void = () => undefined;
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  server.use(
    http.post("*/api/books/import", async ({ request }) => {
      const { dryRun } = await take(request);
      if (!dryRun) await finished;
      return HttpResponse.json(dryRun ? PREVIEW : RESULT);
    }),
  );
  const { user, leave } = open();
  await pick(user);
  await screen.findByText("Jane Austen");
  await user.click(button("Import as Read Books"));
  await screen.findByRole("progressbar");
  leave();
  finish(null);
  expect((await screen.findAllByText("Import successful")).length).toBeGreaterThan(0);
});

it("a second file of a tracker brings the library up to date, and can be imported as new", async () => {
  past = [PAST_GOODREADS];
  const nothing = {
    changed: 0,
    moved: 0,
    unchanged: 9,
    inConflict: 0,
    gone: 0,
    deletedHere: 0,
    entries: [],
    conflicts: [],
  };
  server.use(
    http.post("*/api/books/import", async ({ request }) => {
      const isSync = new URL(request.url).searchParams.get("mode") === "sync";
      return HttpResponse.json(isSync ? { ...RESULT, ...nothing, imported: 0, importedTbr: 0 } : PREVIEW);
    }),
  );
  const { user } = open();
  await pick(user);
  expect(await screen.findByText("Everything in this file is already here.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Import it as new" }));
  expect(await screen.findByRole("button", { name: "Import as Read Books" })).toBeTruthy();
});

it("a tracker whose import was undone is new again", async () => {
  past = [{ ...PAST_GOODREADS, undone: "2025-03-03T20:00:00Z" }];
  server.use(
    importing(
      () => PREVIEW,
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user);
  expect(await screen.findByRole("button", { name: "Import as Read Books" })).toBeTruthy();
});

it("a file that does not say what its books are asks before they become read books", async () => {
  const columns = [
    { name: "Titel", sample: "Die Wand", field: "title" },
    { name: "Autorin", sample: "Marlen Haushofer", field: "author" },
    { name: "Sterne", sample: "4,5", field: "rating5" },
  ];
  const asks = [{ field: "status", choices: ["undated", "completed", "tbr", "in-progress"], preset: null }];
  server.use(
    importing(
      () => ({ ...PREVIEW, format: "unknown", columns, shelves: [], asks }),
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user);
  const question = within(await screen.findByRole("group", { name: "Are these read, or to be read?" }));
  await user.click(button("Import as Read Books"));
  expect(question.getByText("Choose one first.")).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(question.getAllByRole("radio")[0]));
  expect(sent.every(({ dryRun }) => dryRun)).toBe(true);

  // Books to be read are a list, and what is read goes with its answer.
  await user.click(question.getByRole("radio", { name: "To be read" }));
  expect(button("Import as TBR").dataset.variant).toBe("primary");
  await user.click(question.getByRole("radio", { name: "Reading now" }));
  expect(button("Import as Read Books").dataset.variant).toBe("primary");
  expect(question.getByText("The file doesn’t say.")).toBeTruthy();
  await user.click(button("Import as Read Books"));
  await screen.findByRole("region", { name: "Result" });
  expect(sent.at(-1)?.body).toContain("in-progress");
});

it("books without a length lead to the change of many books", async () => {
  server.use(
    importing(
      () => ({ ...PREVIEW, withoutWords: 9 }),
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user);
  await screen.findByText("Jane Austen");
  await user.click(button("Import as Read Books"));
  const result = within(await screen.findByRole("region", { name: "Result" }));
  expect(result.getByText("Without a length").closest("li")?.textContent).toContain("9. Change books");
});

it("the order of dates and the offers about them go with the import", async () => {
  const asked = { ...PREVIEW, ambiguousDates: { count: 12, sample: "03/04/2020" }, januaryFirsts: 23, january1970: 2 };
  server.use(
    importing(
      ({ body }) => ({ ...asked, dateOrder: body.includes("dmy") ? "dmy" : "mdy" }),
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user);
  const order = within(await screen.findByRole("group", { name: "03/04/2020: which day?" }));
  const month = order.getByRole<HTMLInputElement>("radio", { name: "Month first: Mar 4, 2020" });
  expect(month.checked).toBe(true);
  await user.click(order.getByRole("radio", { name: "Day first: Apr 3, 2020" }));
  await user.click(screen.getByLabelText("23 books were finished on a January 1. Make them year-only?"));
  await user.click(screen.getByLabelText(/^2 books were finished in January 1970/));
  await user.click(button("Import as Read Books"));
  await screen.findByRole("region", { name: "Result" });
  const body = sent.at(-1)?.body ?? "";
  for (const field of ["dateOrder", "januaryFirsts", "january1970", "dmy", "years", "undated"]) {
    expect(body).toContain(field);
  }
});

it("the preview shows since when a book is paused, when it was given up, and rough dates", async () => {
  const unfinished = { ...EMMA, dateCompleted: null, rating: null };
  const books: PreviewBook[] = [
    { ...unfinished, title: "Resting", status: "in-progress", startDate: "2024-06-01", pausedSince: "2024-07-02" },
    { ...unfinished, title: "Given up", status: "did-not-finish", stoppedDate: "2024-03-04" },
    { ...EMMA, title: "Rough", completedFrom: "2019-01-01", dateCompleted: "2019-12-31" },
  ];
  server.use(
    importing(
      () => ({ ...PREVIEW, books }),
      () => RESULT,
    ),
  );
  const { user } = open();
  await pick(user);
  expect(await screen.findByText("started Jun 1, 2024, paused since Jul 2, 2024")).toBeTruthy();
  expect(screen.getByText("stopped Mar 4, 2024")).toBeTruthy();
  expect(screen.getByText("2019")).toBeTruthy();
});

it("cells that could not be read are listed, before and after the import", async () => {
  const notes = [
    { row: 12, field: "rating", message: "Rating “17” is not a number of stars. The cell is left empty." },
  ];
  server.use(
    importing(
      () => ({ ...PREVIEW, notes, noted: 1 }),
      () => ({ ...RESULT, notes, noted: 1 }),
    ),
  );
  const { user } = open();
  await pick(user);
  expect(await screen.findByText("1 cell left empty")).toBeTruthy();
  expect(screen.getByText("Row 12")).toBeTruthy();
  await user.click(button("Import as Read Books"));
  const result = within(await screen.findByRole("region", { name: "Result" }));
  expect(result.getByText(notes[0]?.message ?? "")).toBeTruthy();
});
