import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { entryKey } from "../access/outbox";
import type { Goal, ReadingDays } from "../kit/api/types";
import { aRead } from "../library/books/test-read";
import { ANSWERS, NORA, PREFERENCES, renderAs, toastSays } from "../test-reader";
import ReadingPage from "./ReadingPage";
// The dialogs are there before the first test: reading their code takes a while.
import "./DayView";

const TRUST = aRead({ id: 1, title: "Trust", status: "in-progress", dateCompleted: null, pages: 415 });
const EMMA = aRead({ id: 2, title: "Emma", author: "Jane Austen", status: "completed", dateCompleted: "2025-11-16" });
const DAY = { day: "2025-11-16", words: 24_500, pages: 61, minutes: 45, books: [1] };
const ENTRY = { day: "2025-11-16", at: 4_578, page: 190, minutes: 45, note: null, source: "typed" };
const GOAL: Goal = {
  period: "2025",
  metric: "books",
  target: 40,
  rereads: true,
  value: 38,
  expected: 40,
  ahead: -2,
  remaining: 2,
  inHand: null,
  withoutPages: null,
};

/** The place of a page of Trust. */
const placeAt = (page: number) => ({ at: Math.floor((page * 10_000) / 415), page, day: "2025-11-18" });

let reading: ReadingDays;
let sent: unknown[] = [];

const titleOf = ({ id, title, author, status, dateCompleted }: typeof TRUST) => ({
  id,
  title,
  author,
  status,
  dateCompleted,
  work: id,
});

const server = setupServer(
  http.get("*/api/reading", () => HttpResponse.json(reading)),
  http.get("*/api/goals", ({ request }) => {
    const period = new URL(request.url).searchParams.get("period");
    return HttpResponse.json({ data: period === "2025" ? [{ ...GOAL, metric: "words", value: 1 }, GOAL] : [] });
  }),
  http.get("*/api/calendar", ({ request }) => {
    const year = Number(new URL(request.url).searchParams.get("year"));
    const isPast = year === 2025;
    const finished = isPast ? [{ day: "2025-11-16", id: 2 }] : [];
    return HttpResponse.json({ year, days: isPast ? [DAY] : [], finished, streak: null });
  }),
  http.get("*/api/books/titles", () => HttpResponse.json({ data: [EMMA, TRUST].map(titleOf) })),
  http.get("*/api/books/1", () => HttpResponse.json({ book: TRUST })),
  http.get("*/api/books/2", () => HttpResponse.json({ book: EMMA })),
  http.get("*/api/books/1/days", () => HttpResponse.json({ data: [ENTRY] })),
  http.get("*/api/stats/options", () => HttpResponse.json({ genres: [], authors: [], formats: [] })),
  http.put("*/api/books/:id/days/:day", async ({ request, params }) => {
    const body = (await request.json()) as { page?: number };
    sent.push([params.id, params.day, body]);
    const progress = body.page === undefined ? TRUST.progress : placeAt(body.page);
    const book = { ...TRUST, progress };
    reading = { ...reading, open: reading.open.map((one) => (one.book.id === book.id ? { ...one, book } : one)) };
    return HttpResponse.json({ book, day: ENTRY, startMoved: false });
  }),
  http.patch("*/api/books/:id", async ({ request, params }) => {
    sent.push([params.id, await request.json()]);
    reading = { ...reading, open: reading.open.filter(({ book }) => String(book.id) !== params.id) };
    return HttpResponse.json({ book: TRUST });
  }),
  http.delete("*/api/goals/:period/:metric", () => {
    reading = { ...reading, goals: [] };
    return new HttpResponse(null, { status: 204 });
  }),
  ...ANSWERS,
);
beforeAll(() => server.listen());
beforeEach(() => {
  sent = [];
  reading = { open: [{ book: TRUST, forecast: null }], goals: [], streak: null, today: "" };
  itIs("2025-11-18");
  localStorage.clear();
  window.history.replaceState(null, "", "/reading");
});
afterEach(() => {
  vi.useRealTimers();
  server.resetHandlers();
});
afterAll(() => server.close());

/** Makes it noon of a day, for the server and for the browser. */
function itIs(day: string): void {
  reading = { ...reading, today: day };
  vi.setSystemTime(`${day}T12:00Z`);
}

const open = () => renderAs(NORA, <ReadingPage />);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

/** Opens a day of the calendar, and returns its dialog. */
async function openDay(container: HTMLElement, date: string): Promise<HTMLElement> {
  const day = () => container.querySelector<HTMLElement>(`[data-day="${date}"]`);
  await waitFor(() => expect(day()).toBeTruthy());
  await userEvent.click(day() as HTMLElement);
  return screen.findByRole("dialog");
}

/** The dialog on top of the others. */
async function newDialog(name: string): Promise<HTMLElement> {
  return screen.findByRole("dialog", { name });
}

const pressIn = async (dialog: HTMLElement, name: string | RegExp) =>
  userEvent.click(await within(dialog).findByRole("button", { name }));

it("a January without a goal asks for one, and never again after a no", async () => {
  itIs("2026-01-02");
  const { unmount } = open();
  expect(await screen.findByText("A new year. In 2025 you read 38 books of 40. A goal for 2026?")).toBeTruthy();
  await press("Not this year");
  expect(screen.getByText("No goal for 2026. Some like one, some don't.")).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Create a goal"));
  unmount();
  const again = open();
  expect(await screen.findByText("No goal for 2026. Some like one, some don't.")).toBeTruthy();
  again.unmount();
  localStorage.setItem(`shelfwise-no-goal.${NORA.id}`, "2025");
  open();
  expect(await screen.findByText(/^A new year\./)).toBeTruthy();
});

it("nothing is asked in February, with a goal of the year, and after a year without one", async () => {
  const nothing = async (today: string, goals: Goal[] = []) => {
    itIs(today);
    reading = { ...reading, goals };
    const { unmount } = open();
    expect(await screen.findByRole("heading", { name: "Goals" })).toBeTruthy();
    expect(screen.queryByText(/^A new year\./)).toBeNull();
    unmount();
  };
  await nothing("2026-02-01");
  await nothing("2026-01-02", [{ ...GOAL, period: "2026" }]);
  await nothing("2027-01-02");
});

it("the question stands above a goal of January", async () => {
  itIs("2026-01-02");
  reading = { ...reading, goals: [{ ...GOAL, period: "2026-01" }] };
  open();
  expect(await screen.findByText(/^A new year\./)).toBeTruthy();
  expect(screen.getByRole("region", { name: "Books in January" })).toBeTruthy();
  expect(screen.getAllByRole("button", { name: "Create a goal" })).toHaveLength(1);
});

it("the installed app starts here while a book is open, otherwise at the dashboard", async () => {
  window.history.replaceState(null, "", "/reading?start");
  const { unmount } = open();
  expect(await screen.findByText("Trust")).toBeTruthy();
  expect(window.location.pathname + window.location.search).toBe("/reading");
  unmount();
  window.history.replaceState(null, "", "/reading?start");
  reading = { ...reading, open: [] };
  open();
  await waitFor(() => expect(window.location.pathname).toBe("/dashboard"));
});

it("the place of a book is in its field, and is selected on focus", async () => {
  const progress = { at: 4_578, page: 190, day: "2025-11-16" };
  reading = { ...reading, open: [{ book: { ...TRUST, progress }, forecast: null }] };
  open();
  const field = await screen.findByLabelText<HTMLInputElement>(/^Where you are in Trust/);
  expect(field.value).toBe("190");
  fireEvent.focus(field);
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 3]);
});

it("a day says what was read, and a book's note of it can be changed", async () => {
  const { container } = open();
  const day = await openDay(container, "2025-11-16");
  expect(within(day).getByRole("heading", { name: "Sunday, November 16" })).toBeTruthy();
  expect(within(day).getByText("24,500 words, 61 pages, 45 minutes.")).toBeTruthy();
  expect(await within(day).findByText("Page 190 of 415, 45 minutes")).toBeTruthy();
  expect(within(day).getByText("Finished")).toBeTruthy();
  await pressIn(day, "Change what you read of Trust");
  const form = await newDialog("Sunday, November 16: “Trust”");
  const minutes = within(form).getByLabelText("Minutes");
  fireEvent.change(minutes, { target: { value: "50" } });
  await pressIn(form, "Save");
  await toastSays("Noted");
  expect(sent).toEqual([["1", "2025-11-16", { page: 190, minutes: 50, note: null }]]);
  expect(await newDialog("Sunday, November 16")).toBe(day);
});

it("a day that is still to come takes no note", async () => {
  const { container } = open();
  const day = await openDay(container, "2025-11-19");
  expect(within(day).getByText("This day is still to come.")).toBeTruthy();
  expect(within(day).queryByRole("button", { name: "Note a book" })).toBeNull();
});

it("a forgotten day may be of a book that is finished, up to its last day", async () => {
  const { container } = open();
  const day = await openDay(container, "2025-11-15");
  await pressIn(day, "Note a book");
  const choice = await screen.findByRole("dialog", { description: "Which book did you read?" });
  fireEvent.change(within(choice).getByRole("searchbox"), { target: { value: "austen" } });
  await pressIn(choice, /^Emma/);
  const form = await newDialog("A day of “Emma”");
  expect(within(form).getByText("A finished read keeps its dates and words, whatever its log says.")).toBeTruthy();
  await pressIn(form, "Note");
  await toastSays("Noted");
  expect(sent).toEqual([["2", "2025-11-15", {}]]);
  await waitFor(() => expect(screen.getAllByRole("dialog")).toEqual([day]));
  await pressIn(day, "Close");
  await pressIn(await openDay(container, "2025-11-17"), "Note a book");
  const later = await screen.findByRole("dialog", { description: "Which book did you read?" });
  fireEvent.change(within(later).getByRole("searchbox"), { target: { value: "austen" } });
  expect(await within(later).findByText("No book with this title or author can take this day.")).toBeTruthy();
});

it("a book that could not be loaded for a forgotten day is loaded when it is chosen again", async () => {
  server.use(http.get("*/api/books/2", () => HttpResponse.json({ error: "Not now." }, { status: 500 })));
  open();
  await press("Add a day");
  const choice = await screen.findByRole("dialog", { description: "Which book did you read?" });
  fireEvent.change(within(choice).getByRole("searchbox"), { target: { value: "austen" } });
  await pressIn(choice, /^Emma/);
  expect(await within(choice).findByText("Not now.")).toBeTruthy();
  server.resetHandlers();
  await pressIn(choice, /^Emma/);
  expect(await newDialog("A day of “Emma”")).toBeTruthy();
});

it("goals say nothing of ahead and behind where that is not wanted", async () => {
  const preferences = { ...PREFERENCES, goalPace: false };
  server.use(http.get("*/api/preferences", () => HttpResponse.json({ preferences })));
  reading = { ...reading, goals: [GOAL] };
  open();
  expect(await screen.findByText("2 left in 43 days.")).toBeTruthy();
  expect(screen.queryByText(/behind schedule/)).toBeNull();
});

it("a calendar that knows only finished books says what would fill it", async () => {
  const days: unknown[] = [];
  server.use(
    http.get("*/api/calendar", () =>
      HttpResponse.json({ year: 2025, days, finished: [{ day: "2025-11-10", id: 2 }], streak: null }),
    ),
  );
  const { container } = open();
  expect(await screen.findByText(/Imported books don't have any\./)).toBeTruthy();
  const day = () => container.querySelector('[data-day="2025-11-10"]')?.getAttribute("aria-label");
  await waitFor(() => expect(day()).toContain("Finished Emma"));
  expect(screen.queryByText(/A day is a spine/)).toBeNull();
});

it("the calendar leads to earlier years and back", async () => {
  itIs("2026-01-03");
  const { container } = open();
  expect(await screen.findByText("No days yet")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Days of 2027" })).toBeNull();
  await press("Days of 2025");
  expect(await screen.findByText(/^1 day, .*A day is a spine/)).toBeTruthy();
  const reached = () => container.querySelector('[data-day][tabindex="0"]')?.getAttribute("data-day");
  expect(reached()).toBe("2025-12-31");
  const dialog = await openDay(container, "2025-11-16");
  expect(within(dialog).getByRole("heading", { name: "Sunday, November 16, 2025" })).toBeTruthy();
  await pressIn(dialog, "Close");
  await press("Days of 2024");
  expect(await screen.findByText("Nothing was noted in 2024")).toBeTruthy();
  expect(screen.getByText("Your plan shows the last 11 months.")).toBeTruthy();
  await press("Days of 2025");
  await press("Days of 2026");
  expect(await screen.findByText("No days yet")).toBeTruthy();
});

it("what waits in the browser is shown at its day in the calendar", async () => {
  const entry = {
    kind: "place",
    book: { id: 1, title: "Trust" },
    date: "2025-11-17",
    payload: { page: 212 },
    day: "2025-11-18",
  };
  const at = Date.parse("2025-11-18T08:00Z");
  localStorage.setItem(entryKey(NORA.id, at, "k"), JSON.stringify({ ...entry, key: "k", at }));
  const { container } = open();
  const dialog = await openDay(container, "2025-11-17");
  expect(within(dialog).getByText("1 note waits in this browser.")).toBeTruthy();
  expect(within(dialog).getByText("Trust, page 212")).toBeTruthy();
  expect(within(dialog).getByText("Noted here; sent when there is a connection.")).toBeTruthy();
  await pressIn(dialog, "Close");
  const days = container.querySelectorAll("[data-waits][data-day]");
  expect([...days].map((day) => day.getAttribute("aria-label"))).toEqual([
    "Monday, November 17: Waits in this browser: Trust, page 212",
  ]);
  await press("Table");
  expect(screen.getByRole("cell", { name: "Trust, page 212 (waits in this browser)" })).toBeTruthy();
});

it("an answer of an earlier day does not decide for which day a note is", async () => {
  vi.setSystemTime("2025-11-20T12:00Z");
  open();
  expect(await screen.findByText("Thursday, November 20")).toBeTruthy();
  await press("More for Trust");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Read today" }));
  await waitFor(() => expect(sent).toEqual([["1", "2025-11-20", {}]]));
});

it("a page that is open over midnight gets the new day, which begins in the reader's time zone", async () => {
  vi.setSystemTime("2025-11-18T22:59Z");
  open();
  expect(await screen.findByText("Tuesday, November 18")).toBeTruthy();
  vi.setSystemTime("2025-11-18T23:00Z");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(await screen.findByText("Wednesday, November 19")).toBeTruthy();
  await press("More for Trust");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Read today" }));
  await waitFor(() => expect(sent).toEqual([["1", "2025-11-19", {}]]));
});

it("the clock of a browser that is behind the server's decides nothing", async () => {
  vi.setSystemTime("2025-11-17T12:00Z");
  open();
  expect(await screen.findByText("Tuesday, November 18")).toBeTruthy();
});

/** An open read with a start, whose words can count on several days. */
const STARTED = { ...TRUST, startDate: "2025-11-01", progress: { at: 4_578, page: 190, day: "2025-11-16" } };

/** Presses Finish at the open read, and returns its dialog once it can be sent. */
async function finishDialog(): Promise<HTMLElement> {
  await press("Finish");
  const dialog = await newDialog("Finish “Trust”");
  await waitFor(() => expect(within(dialog).getByRole("button", { name: "Finish" })).toHaveProperty("disabled", false));
  return dialog;
}

it("the words of a read with a log count by its days, also when Finish is pressed before the log has arrived", async () => {
  reading = { ...reading, open: [{ book: STARTED, forecast: null }] };
  let arrive = () => {};
  const arrived = new Promise<void>((done) => {
    arrive = done;
  });
  server.use(
    http.get("*/api/books/1/days", async () => {
      await arrived;
      return HttpResponse.json({ data: [{ ...ENTRY, day: "2025-11-10" }, ENTRY] });
    }),
    http.patch("*/api/books/1", async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ book: TRUST });
    }),
  );
  open();
  await press("Finish");
  const dialog = await newDialog("Finish “Trust”");
  await userEvent.click(within(dialog).getByRole("radio", { name: "8" }));
  await pressIn(dialog, "Finish");
  expect(sent).toEqual([]);
  arrive();
  // The choice is there one drawing before it is made.
  const byDays = await within(dialog).findByRole("radio", { name: "The days you noted" });
  await waitFor(() => expect(byDays).toHaveProperty("checked", true));
  await pressIn(dialog, "Finish");
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ wordDistribution: "logged" })]));
});

it("days that wait in the browser count for the log of a read that is finished", async () => {
  reading = { ...reading, open: [{ book: STARTED, forecast: null }] };
  const entry = {
    kind: "place",
    book: { id: 1, title: "Trust" },
    date: "2025-11-17",
    payload: { page: 212 },
    day: "2025-11-17",
  };
  localStorage.setItem(entryKey(NORA.id, 1, "k"), JSON.stringify({ ...entry, key: "k", at: Date.now() }));
  open();
  const logged = await within(await finishDialog()).findByRole("radio", { name: "The days you noted" });
  expect(logged).toHaveProperty("checked", true);
});

it("a read whose log cannot be fetched can be finished", async () => {
  reading = { ...reading, open: [{ book: STARTED, forecast: null }] };
  server.use(http.get("*/api/books/1/days", () => HttpResponse.json({}, { status: 404 })));
  open();
  expect(within(await finishDialog()).queryByRole("radio", { name: "The days you noted" })).toBeNull();
});

it("the logs of the open books are fetched with them, for a finish without a network", async () => {
  const fetched: unknown[] = [];
  server.use(
    http.get("*/api/books/:id/days", ({ params }) => {
      fetched.push(params.id);
      return HttpResponse.json({ data: [] });
    }),
  );
  const noted = { ...STARTED, id: 3, work: 3 };
  reading = { ...reading, open: [STARTED, EMMA, noted].map((book) => ({ book, forecast: null })) };
  open();
  await waitFor(() => expect(fetched).toEqual(["1", "3"]));
});

/** Holds back what is asked of `path` from now on, until the returned function is called. */
function heldBack(path: string): () => void {
  let arrive = () => {};
  const arrived = new Promise<void>((done) => {
    arrive = done;
  });
  server.use(http.get(`*${path}`, () => arrived.then(() => undefined)));
  return arrive;
}

it("a second step starts where the first has led, before the page is fetched again", async () => {
  reading = { ...reading, open: [{ book: { ...TRUST, progress: placeAt(100) }, forecast: null }] };
  open();
  const place = await screen.findByRole("textbox", { name: /^Where you are/ });
  expect(place).toHaveProperty("value", "100");
  const arrive = heldBack("/api/reading");
  await press("10 pages on: page 110");
  await press("10 pages on: page 120");
  await waitFor(() => expect(sent.map((call) => (call as unknown[])[2])).toEqual([{ page: 110 }, { page: 120 }]));
  await waitFor(() => expect(place).toHaveProperty("value", "120"));
  arrive();
});

it("the field of a place and its button stay when a place is noted", async () => {
  reading = { ...reading, open: [{ book: { ...TRUST, progress: placeAt(100) }, forecast: null }] };
  open();
  const place = await screen.findByRole("textbox", { name: /^Where you are/ });
  await userEvent.clear(place);
  await userEvent.type(place, "130{Enter}");
  await screen.findByText(/^Noted:/);
  expect(document.activeElement).toBe(place);
  expect(place).toHaveProperty("value", "130");
  expect(await screen.findByRole("button", { name: "10 pages on: page 140" })).toBeTruthy();
});

const focused = () => document.activeElement;

it("the form of another book has the focus in its field", async () => {
  const emma = { ...EMMA, status: "in-progress", dateCompleted: null } as const;
  reading = { ...reading, open: [TRUST, emma].map((book) => ({ book, forecast: null })) };
  open();
  await press("Note where you are in Emma");
  expect(focused()).toBe(await screen.findByRole("textbox", { name: "Where you are in Emma" }));
});

it("the heading has the focus when a book is finished, whose buttons go with it", async () => {
  reading = {
    ...reading,
    open: [
      { book: TRUST, forecast: null },
      { book: { ...STARTED, id: 3 }, forecast: null },
    ],
  };
  open();
  await press("Finish");
  const dialog = await newDialog("Finish “Trust”");
  await userEvent.click(within(dialog).getByRole("radio", { name: "8" }));
  await pressIn(dialog, "Finish");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(focused()).toBe(screen.getByRole("heading", { name: "Reading now" })));
});

it("the page's heading has the focus when the last open book is finished", async () => {
  open();
  await press("Finish");
  const dialog = await newDialog("Finish “Trust”");
  await userEvent.click(within(dialog).getByRole("radio", { name: "8" }));
  await pressIn(dialog, "Finish");
  await screen.findByText("Nothing open");
  await waitFor(() => expect(focused()).toBe(screen.getByRole("heading", { name: "Reading" })));
});

it("the heading of the open books has the focus when a note is taken back", async () => {
  server.use(http.delete("*/api/books/1/days/:day", () => new HttpResponse(null, { status: 204 })));
  reading = { ...reading, open: [{ book: { ...TRUST, progress: placeAt(100) }, forecast: null }] };
  open();
  await press("10 pages on: page 110");
  await press("Undo");
  await waitFor(() => expect(screen.queryByText(/^Noted:/)).toBeNull());
  await waitFor(() => expect(focused()).toBe(screen.getByRole("heading", { name: "Reading now" })));
});

it("the calendar begins with the month of the first note, and what is pressed in it and goes leaves the focus beside it", async () => {
  itIs("2026-10-03");
  open();
  await press("Days of 2025");
  await press("Days of 2026");
  expect(focused()).toBe(screen.getByRole("button", { name: "Days of 2025" }));
  server.use(
    http.get("*/api/calendar", () =>
      HttpResponse.json({
        year: 2026,
        days: [{ ...DAY, day: "2026-03-30" }],
        finished: [{ day: "2026-01-02", id: 2 }],
        streak: null,
      }),
    ),
  );
  cleanup();
  const { container } = open();
  await press("March to June");
  expect(focused()).toBe(container.querySelector('[data-day="2026-03-01"]'));
  expect(container.querySelector('[data-day="2026-02-28"]')).toBeNull();
  expect(container.querySelector('[data-day="2026-11-01"]')).toBeNull();
});

it("a goal that is removed leaves the focus on the way to another", async () => {
  reading = { ...reading, goals: [GOAL] };
  open();
  await press("Change the goal: Books in 2025");
  await pressIn(await newDialog("Books in 2025"), "Remove");
  await screen.findByText("No goal for 2025. Some like one, some don't.");
  await waitFor(() => expect(focused()).toBe(screen.getByRole("button", { name: "Create a goal" })));
});
