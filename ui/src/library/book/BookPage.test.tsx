import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Route } from "wouter";
import type { Book, BookDetail, ReadingDay, ReadingForecast, SeriesEntry } from "../../kit/api/types";
import { today } from "../../kit/format";
import { ANSWERS, NORA, PREFERENCES, renderAs, toastSays } from "../../test-reader";
import { aRead } from "../books/test-read";
import BookPage from "./BookPage";

const TODAY = today(PREFERENCES.timezone ?? undefined);
const OPEN = { status: "in-progress", dateCompleted: null, startDate: "2026-11-03", rating: null } as const;

/** The server's reads, the newest last, its days, and what was sent to it. */
let reads: (Book & Partial<BookDetail>)[] = [];
let days: ReadingDay[] = [];
let forecast: ReadingForecast | null = null;
let series: SeriesEntry[] = [];
let sent: { call: string; body: unknown }[] = [];

const work = () => ({
  work: {
    id: reads[0]?.id,
    title: reads.at(-1)?.title,
    authors: ["Frank Herbert"],
    series: reads.at(-1)?.series ?? null,
    tags: [],
    genres: ["Science Fiction"],
    originalYear: null,
    reads,
  },
});

async function noted(request: Request, call: string): Promise<unknown> {
  const text = await request.text();
  const body = text ? JSON.parse(text) : null;
  sent.push({ call, body });
  return body;
}

/** What is like the book. */
let similar: { book: Book; because: string[] }[] = [];

const server = setupServer(
  http.get("*/api/books/titles", () =>
    HttpResponse.json({
      data: [
        ...reads.map(({ id, title, author, status, dateCompleted, work }) => ({
          id,
          title,
          author,
          status,
          dateCompleted,
          work,
        })),
        { id: 40, title: "Dune!", author: "F. Herbert", status: "completed", dateCompleted: "2016-02-01", work: 40 },
      ],
    }),
  ),
  http.get("*/api/books/:id/similar", () => HttpResponse.json({ data: similar })),
  http.get("*/api/series", () => HttpResponse.json({ data: series })),
  http.get("*/api/stats/options", () => HttpResponse.json({ genres: [], authors: [], formats: [] })),
  http.get("*/api/reading", () =>
    HttpResponse.json({
      open: reads.filter(({ status }) => status === "in-progress").map((book) => ({ book, forecast })),
      goals: [],
      streak: null,
    }),
  ),
  http.get("*/api/books/:id/days", () => HttpResponse.json({ data: days })),
  http.put("*/api/books/:id/days/:day", async ({ request, params }) => {
    await noted(request, `PUT ${params.id} ${params.day}`);
    return HttpResponse.json({ book: reads.at(-1), day: { day: params.day }, startMoved: true });
  }),
  http.delete("*/api/books/:id/days/:day", async ({ request, params }) => {
    await noted(request, `DELETE ${params.id} ${params.day}`);
    return new HttpResponse(null, { status: 204 });
  }),
  http.post("*/api/books/:id/quotes", async ({ request, params }) => {
    await noted(request, `quote ${params.id}`);
    return HttpResponse.json({ book: reads[0] }, { status: 201 });
  }),
  http.post("*/api/books/:id/again", async ({ request, params }) => {
    const body = (await noted(request, `again ${params.id}`)) as { startDate: string };
    reads = [...reads, aRead({ ...OPEN, id: 9, startDate: body.startDate })];
    return HttpResponse.json({ book: reads.at(-1) }, { status: 201 });
  }),
  http.post("*/api/books/:id/part", async ({ request, params }) => {
    await noted(request, `part ${params.id}`);
    return HttpResponse.json({ book: reads[0] });
  }),
  http.post("*/api/works/:id/join", async ({ request, params }) => {
    await noted(request, `join ${params.id}`);
    return HttpResponse.json(work());
  }),
  http.patch("*/api/books/:id", async ({ request, params }) => {
    const body = (await noted(request, `PATCH ${params.id}`)) as object;
    reads = reads.map((read) => (String(read.id) === params.id ? { ...read, ...body } : read));
    return HttpResponse.json({ book: reads.at(-1), cleared: "status" in body ? ["rating"] : undefined });
  }),
  http.delete("*/api/books/:id", ({ params }) => {
    reads = reads.filter(({ id }) => String(id) !== params.id);
    return new HttpResponse(null, { status: 204 });
  }),
  http.get("*/api/works/:id", () => HttpResponse.json(work())),
  http.get("*/api/books/:id", ({ params }) => {
    const book = reads.find(({ id }) => String(id) === params.id);
    return book ? HttpResponse.json({ book }) : HttpResponse.json({ error: "", code: "not_found" }, { status: 404 });
  }),
  ...ANSWERS,
);

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => {
  sent = [];
  days = [];
  forecast = null;
});
afterEach(() => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
  window.history.replaceState(null, "", "/");
});
afterAll(() => server.close());

function open(id = 7) {
  window.history.replaceState(null, "", `/book/${id}`);
  renderAs(NORA, <Route path="/book/:id" component={BookPage} />);
  return userEvent.setup();
}

const button = (name: string) => screen.findByRole("button", { name });

it("names books that are alike with the reasons, or says that too little is known", async () => {
  reads = [aRead()];
  similar = [];
  open();
  expect(await screen.findByText("Too few books with genres, tags or series to say.")).toBeTruthy();
  cleanup();
  similar = [
    { book: aRead({ id: 40, title: "Solaris", author: "Stanisław Lem" }), because: ["tag “slow”", "Classics"] },
  ];
  open();
  const link = await screen.findByRole("link", { name: "Solaris" });
  expect(link.getAttribute("href")).toBe("/book/40");
  expect(screen.getByText(/tag “slow”, Classics/)).toBeTruthy();
});

it("shows every read with its days, rating and impressions", async () => {
  reads = [
    aRead({ dateCompleted: "2012-12-31", completedFrom: "2012-01-01", impressions: "Could not put it down." }),
    aRead({ id: 8, startDate: "2025-06-03", dateCompleted: "2025-06-22", rating: 9.5, reread: true }),
  ];
  open();
  expect(await screen.findByRole("heading", { level: 1, name: "Dune" })).toBeTruthy();
  expect(screen.getByText("Read twice, last finished on Jun 22, 2025.")).toBeTruthy();
  const names = screen.getAllByRole("heading", { level: 3 }).map((heading) => heading.textContent);
  expect(names).toEqual(["Second read", "First read"]);
  expect(screen.getByText("8 in 2012, 9.5 now.")).toBeTruthy();
  expect(screen.getByText("Could not put it down.")).toBeTruthy();
});

it("a book that was read once is read again", async () => {
  reads = [aRead()];
  const user = open();
  expect(await screen.findByRole("heading", { name: "1 read" })).toBeTruthy();
  await user.click(await button("Read again"));
  await user.selectOptions(await screen.findByLabelText("Format"), "Audio");
  await user.click(await button("Start reading"));
  expect(sent).toEqual([{ call: "again 7", body: { startDate: TODAY, format: "Audio" } }]);
  expect(await screen.findByRole("heading", { name: "2 reads" })).toBeTruthy();
  expect(await button("Note where I am")).toBeTruthy();
});

it("says that a book is being read already", async () => {
  reads = [aRead()];
  server.use(
    http.post("*/api/books/:id/again", () =>
      HttpResponse.json({ error: "There is one.", code: "already_reading", bookId: 9 }, { status: 409 }),
    ),
  );
  const user = open();
  await user.click(await button("Read again"));
  await user.click(await button("Start reading"));
  expect(await screen.findByText(/^You are reading this already\./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go to the open read" }).getAttribute("href")).toBe("/book/9");
});

it("another edition is read again, which is asked about on request only", async () => {
  reads = [aRead({ pages: 412, isbn: "9780441013593" })];
  const user = open();
  await user.click(await button("Read again"));
  expect(await screen.findByText("200,000 words, 412 pages, 9780441013593")).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: "Pages" })).toBeNull();
  await user.click(screen.getByRole("checkbox", { name: /^The same edition as last time/ }));
  const words = screen.getByRole("textbox", { name: "Word Count" });
  expect(words).toHaveProperty("value", "200000");
  await user.clear(words);
  await user.type(words, "190k");
  expect(screen.getByRole("textbox", { name: "Pages" })).toHaveProperty("value", "");
  await user.click(await button("Start reading"));
  expect(await screen.findByRole("heading", { name: "2 reads" })).toBeTruthy();
  expect(sent[0]?.body).toMatchObject({ format: "Print", wordCount: 190_000, pages: null, isbn: null });
});

const PASSAGE = {
  text: "A process cannot be understood by stopping it.",
  place: "p. 31",
  note: null,
  day: "2025-06-22",
};

it("the impressions and the quotes of each read are edited alone, and only they are sent", async () => {
  reads = [
    aRead({ impressions: "Could not put it down.", quotes: ["Fear is the mind-killer."] }),
    { ...aRead({ id: 8 }), passages: [PASSAGE] },
  ];
  const user = open();
  expect(await screen.findByText("“Fear is the mind-killer.”")).toBeTruthy();
  expect(screen.getByText("p. 31, Jun 22, 2025")).toBeTruthy();
  await user.click(await button("Edit the impressions of the first read"));
  const box = await screen.findByRole("textbox", { name: "Impressions" });
  await user.type(box, " Twice.");
  await user.keyboard("{Escape}");
  await user.click(await button("Edit the impressions of the first read"));
  expect(await screen.findByRole("textbox", { name: "Impressions" })).toHaveProperty(
    "value",
    "Could not put it down. Twice.",
  );
  await user.click(await button("Save"));
  await toastSays("Saved");
  await user.click(await button("Edit the quotes of the second read"));
  await user.click(await button("Edit quote 1"));
  await user.type(screen.getByLabelText("Note"), "Aloud.");
  await user.click(await button("Save"));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent).toEqual([
    { call: "PATCH 7", body: { impressions: "Could not put it down. Twice." } },
    { call: "PATCH 8", body: { passages: [{ ...PASSAGE, note: "Aloud." }] } },
  ]);
  expect(localStorage).toHaveLength(0);
});

it("a read is edited alone: a start makes it a span, and a refused day is said beside it", async () => {
  reads = [aRead({ dateCompleted: "2025-06-22", rating: 8 })];
  const user = open();
  await user.click(await button("Edit the first read"));
  const dialog = within(await screen.findByRole("dialog"));
  const start = await dialog.findByRole("textbox", { name: "Start Date" });
  await user.type(start, "Jun 30 2025");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText("The start date can't be after the end date.")).toBeTruthy();
  expect(sent).toEqual([]);
  await user.clear(start);
  await user.type(start, "Jun 3 2025");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await toastSays("Saved");
  expect(sent).toEqual([{ call: "PATCH 7", body: { startDate: "2025-06-03" } }]);
});

it("the edition is edited alone", async () => {
  reads = [aRead()];
  const user = open();
  await user.click(await button("Edit the edition"));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(await dialog.findByRole("textbox", { name: "Publisher" }), "Ace");
  expect(dialog.queryByRole("textbox", { name: "Title" })).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await toastSays("Saved");
  expect(sent).toEqual([{ call: "PATCH 7", body: { publisher: "Ace" } }]);
});

const refusal = (status: number, code: string) => HttpResponse.json({ error: "", code }, { status });

it("a book of several reads is deleted with all of them", async () => {
  reads = [aRead(), aRead({ id: 8 })];
  const user = open();
  await user.click(await button("More for this book"));
  await user.click(await screen.findByRole("menuitem", { name: "Delete the book" }));
  expect(await screen.findByText(/All 2 reads\./)).toBeTruthy();
  await user.click(await button("I'm sure"));
  await waitFor(() => expect(window.location.pathname).toBe("/dashboard"));
});

it("a deletion that failed between two reads is finished by another try", async () => {
  reads = [aRead(), aRead({ id: 8 })];
  let tries = 0;
  server.use(
    http.delete("*/api/books/:id", ({ params }) => {
      if (!reads.some(({ id }) => String(id) === params.id)) return refusal(404, "not_found");
      if (reads.length === 1 && tries++ === 0) return refusal(409, "changed_elsewhere");
      reads = reads.filter(({ id }) => String(id) !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const user = open();
  await user.click(await button("More for this book"));
  await user.click(await screen.findByRole("menuitem", { name: "Delete the book" }));
  await user.click(await button("I'm sure"));
  await toastSays("Failed to delete book");
  await user.click(await button("I'm sure"));
  await waitFor(() => expect(reads).toEqual([]));
});

const aDay = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);

it("a quote is added to the newest read without its form", async () => {
  reads = [aRead(), aRead({ id: 8 })];
  const user = open();
  await user.click(await button("Add a quote"));
  await user.type(await screen.findByLabelText("Quote"), "The map is not the territory.");
  await user.type(screen.getByLabelText("Place"), "p. 212");
  await user.click(await button("Save"));
  expect(await screen.findByText("Quote kept")).toBeTruthy();
  expect(sent).toEqual([
    { call: "quote 8", body: { text: "The map is not the territory.", place: "p. 212", day: aDay } },
  ]);
});

it("a quote that was typed survives Escape, and goes with Cancel or when it is saved", async () => {
  reads = [aRead()];
  const user = open();
  const quote = async () => {
    await user.click(await button("Add a quote"));
    return screen.findByLabelText("Quote");
  };
  await user.type(await quote(), "The map is not");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(await quote()).toHaveProperty("value", "The map is not");
  expect(screen.getByText(/Restored what you had typed before/)).toBeTruthy();
  await user.click(await button("Cancel"));
  await user.type(await quote(), "The territory.");
  await user.keyboard("{Escape}");
  await quote();
  await user.click(await button("Save"));
  await toastSays("Quote kept");
  expect(sent).toEqual([{ call: "quote 7", body: { text: "The territory.", day: aDay } }]);
  expect(await quote()).toHaveProperty("value", "");
  expect(localStorage).toHaveLength(0);
});

it("a note of a day that was typed survives Escape, and goes with Cancel or when it is saved", async () => {
  reads = [aRead({ ...OPEN, pages: 412 })];
  const user = open();
  const note = async () => {
    await user.click(await button("Note where I am"));
    return screen.findByLabelText("Note");
  };
  await user.type(await note(), "The desert");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(await note()).toHaveProperty("value", "The desert");
  await user.click(await button("Cancel"));
  await user.type(await note(), "The worm");
  await user.type(screen.getByLabelText("Place reached"), "212");
  await user.keyboard("{Escape}");
  await note();
  await user.click(await button("Note"));
  await toastSays("Noted");
  expect(sent).toEqual([{ call: `PUT 7 ${TODAY}`, body: { page: 212, note: "The worm" } }]);
  expect(localStorage).toHaveLength(0);
});

it("what was typed to finish a book survives Escape, and goes with Cancel or when it is finished", async () => {
  reads = [aRead(OPEN)];
  days = [
    { day: "2026-11-04", at: 2_000, page: null, time: null, minutes: null, note: null, covered: null },
    { day: "2026-11-05", at: 3_000, page: null, time: null, minutes: null, note: null, covered: null },
  ];
  const user = open();
  const finish = async () => {
    await user.click(await button("Finish"));
    const dialog = within(await screen.findByRole("dialog"));
    const logged = await dialog.findByRole("radio", { name: "The days you noted" });
    return { dialog, logged, day: dialog.getByLabelText(/^Finished on/) };
  };
  await finish();
  await user.keyboard("{Escape}");
  expect(localStorage).toHaveLength(0);
  const first = await finish();
  expect(first.logged).toHaveProperty("checked", true);
  fireEvent.change(first.day, { target: { value: "2026-11-20" } });
  await user.click(first.dialog.getByRole("radio", { name: "9" }));
  await user.click(first.dialog.getByRole("radio", { name: "The last day" }));
  await user.keyboard("{Escape}");
  const second = await finish();
  expect(second.day).toHaveProperty("value", "Nov 20, 2026");
  const isChosen = (name: string) => second.dialog.getByRole<HTMLInputElement>("radio", { name }).checked;
  expect(["9", "The last day"].map(isChosen)).toEqual([true, true]);
  await user.click(second.dialog.getByRole("button", { name: "Cancel" }));
  expect(localStorage).toHaveLength(0);
  const third = await finish();
  await user.click(third.dialog.getByRole("radio", { name: "8" }));
  await user.keyboard("{Escape}");
  await user.click((await finish()).dialog.getByRole("button", { name: "Finish" }));
  await toastSays("Book finished");
  expect(sent.at(-1)).toMatchObject({ call: "PATCH 7", body: { rating: 8, wordDistribution: "logged" } });
  expect(localStorage).toHaveLength(0);
  await user.click(await button("Undo"));
  await toastSays("In progress again");
  const { startDate } = aRead(OPEN);
  expect(sent.at(-1)).toEqual({ call: "PATCH 7", body: { status: "in-progress", startDate, pausedSince: null } });
});

it("a book that was finished without a network is taken back while it waits", async () => {
  reads = [aRead(OPEN)];
  const user = open();
  await user.click(await button("Finish"));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("radio", { name: "8" }));
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await user.click(dialog.getByRole("button", { name: "Finish" }));
  await toastSays("Book finished");
  expect(localStorage).toHaveLength(1);
  await user.click(await button("Undo"));
  await waitFor(() => expect(localStorage).toHaveLength(0));
  expect(sent).toEqual([]);
  onLine.mockRestore();
});

it("what was typed to give a book up survives Escape, and goes when it is given up", async () => {
  reads = [aRead(OPEN)];
  const user = open();
  const stop = async () => {
    await user.click(await button("Did not finish"));
    const dialog = within(await screen.findByRole("dialog"));
    return { dialog, place: dialog.getByLabelText("Place reached") };
  };
  const first = await stop();
  await user.type(first.place, "30");
  await user.click(first.dialog.getByRole("radio", { name: "4" }));
  await user.keyboard("{Escape}");
  const second = await stop();
  expect(second.place).toHaveProperty("value", "30");
  expect(second.dialog.getByText(/Restored what you had typed before/)).toBeTruthy();
  await user.click(second.dialog.getByRole("button", { name: "Stop reading" }));
  await toastSays("Stopped reading");
  expect(sent.map(({ body }) => body)).toEqual([{ percent: 30 }, expect.objectContaining({ rating: 4 })]);
  await user.click(await button("Undo"));
  await toastSays("In progress again");
  expect(sent.slice(2).map(({ call }) => call)).toEqual(["PATCH 7", `DELETE 7 ${TODAY}`]);
  expect(localStorage).toHaveLength(0);
});

it("a place is noted by page, and one beyond the end is refused", async () => {
  reads = [aRead({ ...OPEN, pages: 412 })];
  const user = open();
  await user.click(await button("Note where I am"));
  const place = await screen.findByLabelText("Place reached");
  await user.type(place, "413");
  await user.click(await button("Note"));
  expect(await screen.findByText("This edition has 412 pages.")).toBeTruthy();
  expect(sent).toEqual([]);
  await user.clear(place);
  await user.type(place, "212");
  await user.click(await button("Note"));
  expect(
    await toastSays(
      `Start moved to ${new Date(`${TODAY}T00:00Z`).toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone: "UTC" })}.`,
    ),
  ).toBeTruthy();
  expect(sent).toEqual([{ call: `PUT 7 ${TODAY}`, body: { page: 212 } }]);
});

it("asks for a percentage where the pages are unknown", async () => {
  reads = [aRead(OPEN)];
  const user = open();
  await user.click(await button("Note where I am"));
  const hint = "Type a percentage, or add the number of pages to use page numbers.";
  expect(await screen.findByText(hint)).toBeTruthy();
  await user.type(screen.getByLabelText("Place reached"), "30.5");
  await user.click(await button("Note"));
  expect(await toastSays("Noted")).toBeTruthy();
  expect(sent[0]?.body).toMatchObject({ percent: 30.5 });
});

it("a read is paused, and goes on", async () => {
  reads = [aRead(OPEN)];
  const user = open();
  await user.click(await button("Pause"));
  await user.click(await button("Resume"));
  expect(await button("Pause")).toBeTruthy();
  expect(sent).toEqual([
    { call: "PATCH 7", body: { pausedSince: TODAY } },
    { call: "PATCH 7", body: { pausedSince: null } },
  ]);
});

it("a book is given up at a place, and taken up again without its rating", async () => {
  reads = [aRead(OPEN)];
  const user = open();
  await user.click(await button("Did not finish"));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Place reached"), "30");
  await user.click(dialog.getByRole("radio", { name: "4" }));
  await user.click(dialog.getByRole("button", { name: "Stop reading" }));
  expect(
    (await screen.findAllByText("Books you did not finish do not count towards analytics.")).length,
  ).toBeGreaterThan(0);
  expect(sent).toEqual([
    { call: `PUT 7 ${TODAY}`, body: { percent: 30 } },
    { call: "PATCH 7", body: { status: "did-not-finish", stoppedDate: TODAY, rating: 4 } },
  ]);
  await user.click(await button("Resume"));
  expect(await toastSays("The rating was removed. You can rate the book when you finish it.")).toBeTruthy();
});

it("a second attempt to give a book up shows its own reason, not that of the first", async () => {
  reads = [aRead(OPEN)];
  const refuse = (fields: object) => HttpResponse.json({ error: "No.", code: "invalid", fields }, { status: 422 });
  server.use(
    http.put("*/api/books/:id/days/:day", () => refuse({ percent: "You were further on." })),
    http.patch("*/api/books/:id", () => refuse({ stoppedDate: "That is before its start." })),
  );
  const user = open();
  await user.click(await button("Did not finish"));
  const dialog = within(await screen.findByRole("dialog"));
  const place = dialog.getByLabelText("Place reached");
  await user.type(place, "30");
  await user.click(dialog.getByRole("button", { name: "Stop reading" }));
  expect(await dialog.findByText("You were further on.")).toBeTruthy();
  await user.clear(place);
  await user.click(dialog.getByRole("button", { name: "Stop reading" }));
  expect(await dialog.findByText("That is before its start.")).toBeTruthy();
  expect(dialog.queryByText("You were further on.")).toBeNull();
});

it("the title has the focus when a dialog has changed the state of the read, whose buttons go with it", async () => {
  reads = [aRead(OPEN)];
  const user = open();
  const title = await screen.findByRole("heading", { level: 1, name: "Dune" });
  await user.click(await button("Did not finish"));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Stop reading" }));
  await toastSays("Stopped reading");
  await button("Resume");
  await waitFor(() => expect(document.activeElement).toBe(title));
});

it("a day of the log is corrected, and removed", async () => {
  reads = [aRead({ ...OPEN, pages: 400 })];
  days = [{ day: "2026-11-05", at: 2_500, page: 100, time: null, minutes: 40, note: "Slow.", covered: null }];
  const user = open();
  await user.click(await screen.findByText("Day log"));
  await user.click(await button("Change Nov 5"));
  const place = await screen.findByLabelText("Place reached");
  await user.clear(place);
  await user.type(place, "120");
  await user.click(await button("Save"));
  await user.click(await button("Change Nov 5"));
  await user.click(await button("Remove"));
  expect(await toastSays("Day removed from the log")).toBeTruthy();
  expect(sent).toEqual([
    { call: "PUT 7 2026-11-05", body: { page: 120, minutes: 40, note: "Slow." } },
    { call: "DELETE 7 2026-11-05", body: null },
  ]);
});

it("two books are joined, and a read is parted", async () => {
  reads = [aRead(), aRead({ id: 8 })];
  const user = open();
  await user.click(await button("More for this book"));
  const items = await screen.findAllByRole("menuitem");
  expect(items.map(({ textContent }) => textContent)).toEqual([
    "Edit everything",
    "Merge with another book…",
    "Add a cover",
    "Delete the book",
  ]);
  await user.click(await screen.findByRole("menuitem", { name: "Merge with another book…" }));
  const sought = await screen.findByRole("searchbox", { name: "Find a book" });
  expect(sought).toHaveProperty("value", "Frank Herbert");
  await user.clear(sought);
  await user.type(sought, "Dune");
  await user.click(await screen.findByRole("radio", { name: /^Dune!/ }));
  expect(screen.getByText(/is one book with 3 reads/)).toBeTruthy();
  await user.click(await button("Merge"));
  expect(await toastSays("Merged")).toBeTruthy();
  await user.click(await button("Actions for the second read"));
  await user.click(await screen.findByRole("menuitem", { name: "Split into its own book…" }));
  await user.click(await button("Split"));
  expect(await toastSays("Split")).toBeTruthy();
  expect(sent).toEqual([
    { call: "join 7", body: { work: 40 } },
    { call: "part 8", body: null },
  ]);
});

it("a read that was not finished after all is in progress again, after a question", async () => {
  reads = [aRead({ rating: 8 })];
  const user = open();
  await user.click(await button("Actions for the first read"));
  await user.click(await screen.findByRole("menuitem", { name: "Mark as unfinished" }));
  const question = await screen.findByRole("alertdialog", { name: "Mark as unfinished?" });
  expect(within(question).getByText(/counts in no figure until it is finished/).textContent).toContain(
    "Its date of completion and its rating are removed.",
  );
  expect(sent).toEqual([]);
  await user.click(await button("Mark as unfinished"));
  expect(await toastSays("Resumed")).toBeTruthy();
  expect(sent).toEqual([{ call: "PATCH 7", body: { status: "in-progress" } }]);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("what was typed about a read is deleted with it", async () => {
  reads = [aRead(), aRead({ id: 8 })];
  const drafts = ["edit.7", "quote.7", "day.7.2026-11-12", "edit.70", "edit.8"];
  for (const draft of drafts) localStorage.setItem(`shelfwise.draft.1.${draft}`, "{}");
  const user = open();
  await user.click(await button("Actions for the first read"));
  await user.click(await screen.findByRole("menuitem", { name: "Delete this read" }));
  await user.click(await button("I'm sure"));
  await toastSays("Book deleted successfully!");
  expect(Object.keys(localStorage).sort()).toEqual(["shelfwise.draft.1.edit.70", "shelfwise.draft.1.edit.8"]);
});

it("stays with the other reads when the read in the address is deleted", async () => {
  reads = [aRead(), aRead({ id: 8 })];
  const user = open();
  await user.click(await button("Actions for the first read"));
  await user.click(await screen.findByRole("menuitem", { name: "Delete this read" }));
  expect(await screen.findByText(/Your other read stays/)).toBeTruthy();
  await user.click(await button("I'm sure"));
  expect(await screen.findByRole("heading", { name: "1 read" })).toBeTruthy();
  expect(window.location.pathname).toBe("/book/8");
});

it("an open read says where it is, on how many days it was noted, and when it will be finished", async () => {
  const progress = { at: 5_000, page: 50, day: TODAY };
  reads = [aRead({ ...OPEN, pages: 100, progress })];
  days = [
    { day: "2026-11-04", at: 2_000, page: 20, time: null, minutes: null, note: null, covered: null },
    { day: TODAY, at: 5_000, page: 50, time: null, minutes: null, note: null, covered: null },
  ];
  forecast = { days: 9, date: `${TODAY.slice(0, 4)}-12-24` };
  const user = open();
  expect(await screen.findByText("At this pace you finish around Dec 24.")).toBeTruthy();
  expect(screen.getByText(/^, 2 days noted$/)).toBeTruthy();
  expect(screen.getByText("2 days")).toBeTruthy();
  expect(screen.queryByRole("table", { hidden: true })).toBeNull();
  await user.click(await button("Note where I am"));
  const place = await screen.findByLabelText<HTMLInputElement>("Place reached");
  expect(place.value).toBe("50");
});

it("the line of the forecast stays where it is when a book goes on whose pace is unknown", async () => {
  reads = [aRead({ ...OPEN, pausedSince: "2026-11-10", progress: { at: 2_000, page: null, day: "2026-11-04" } })];
  const user = open();
  const line = await screen.findByText("No forecast while it is paused.");
  await user.click(await button("Resume"));
  await button("Pause");
  await waitFor(() => expect(line.textContent).toBe("No forecast yet."));
  expect(line.isConnected).toBe(true);
});

it("a book without words is an outline that asks for them, and an unrated read says so", async () => {
  reads = [aRead({ wordCount: 0, rating: null, contributors: [{ name: "Thomas Teal", role: "translator" }] })];
  open();
  const link = await screen.findByRole("link", { name: "Add a word count" });
  expect(link.getAttribute("href")).toContain("bookId=7");
  for (const said of ["not known", "no word count", "not rated", ", translated by Thomas Teal"])
    expect(screen.getByText(said)).toBeTruthy();
});

it("says of a book that nobody else sees it, and nothing of others", async () => {
  reads = [aRead({ private: true })];
  open();
  expect(await screen.findByText("Only you see this book")).toBeTruthy();
  cleanup();
  reads = [aRead()];
  open();
  expect(await screen.findByRole("heading", { name: "Dune" })).toBeTruthy();
  expect(screen.queryByText("Only you see this book")).toBeNull();
});

it("the series has a small spine for each known number, those that were read are filled", async () => {
  reads = [aRead({ series: { name: "Dune", number: "1" } })];
  series = [{ name: "Dune", read: 1, open: 1, known: ["1", "3"], missing: [2], next: 2 }];
  open();
  const line = (await screen.findByText(/of 3 known\. Next: #2\./)).closest("p");
  const spines = [...(line?.querySelectorAll("i") ?? [])].map(({ dataset }) => [dataset.state, "own" in dataset]);
  expect(spines).toEqual([
    ["read", true],
    ["missing", false],
    ["held", false],
  ]);
});

it("says that a book is not there", async () => {
  reads = [];
  open(99);
  expect(await screen.findByText("This book is not in your library")).toBeTruthy();
});
