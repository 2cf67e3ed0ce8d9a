import { QueryClientProvider } from "@tanstack/react-query";
import { configure, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { signedIn } from "../../access/viewer";
import { keys } from "../../kit/api/keys";
import type { TbrItem, User } from "../../kit/api/types";
import { dateBefore, longDate, today } from "../../kit/format";
import { openPage } from "../../kit/origin";
import { createQueryClient } from "../../kit/query";
import { ToastHost } from "../../kit/ui/ToastHost";
import { plainQuote } from "../books/model";
import { aRead } from "../books/test-read";
import { KINDRED } from "../lookup/test-book";
import AddBookPage from "./AddBookPage";

const USER: User = {
  id: 1,
  displayName: "Ann",
  email: "ann@example.org",
  role: "user",
  stripeCustomerId: null,
  createdAt: "2025-01-01T00:00:00Z",
};
const BOOK = aRead({
  title: "Emma",
  author: "Jane Austen",
  wordCount: 155_887,
  startDate: "2025-03-01",
  dateCompleted: "2025-03-09",
  year: 2025,
  month: 3,
  format: "eBook",
  reread: true,
  genres: ["Classics"],
  quotes: ["Badly done, Emma!"],
  wordDistribution: "spread",
  authors: ["Jane Austen"],
  createdAt: "2025-03-09T10:00:00Z",
  updatedAt: "2025-03-09T10:00:00Z",
});
const ITEM: TbrItem = {
  id: 3,
  title: "Kindred",
  author: "Octavia E. Butler",
  wordCount: 97_300,
  notes: null,
  pages: null,
  isbn: null,
  position: 1,
  format: null,
  tags: [],
  wordCountSource: null,
  createdAt: "2025-03-09T10:00:00Z",
};

const subscription = (bookLimit: number | null, bookCount = 150) =>
  http.get("*/api/subscriptions/current", () =>
    HttpResponse.json({
      subscription: { plan: "reader", status: "active" },
      team: null,
      limits: { bookLimit, bookCount, historyMonths: 6 },
      features: [],
      billingEnabled: false,
    }),
  );

// These tests use whole pages by role, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000 });
configure({ asyncUtilTimeout: 5_000 });

const server = setupServer(http.get("*/api/books/:id/days", () => HttpResponse.json({ data: [] })));
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());
afterEach(() => server.resetHandlers());
beforeEach(() => {
  localStorage.clear();
  server.use(
    subscription(null),
    http.get("*/api/site", () => HttpResponse.json({ signup: "open" })),
    http.get("*/api/preferences", () => HttpResponse.json({ preferences: { defaultFormat: "Audio" } })),
    http.get("*/api/tbr", () => HttpResponse.json({ data: [ITEM] })),
    http.get("*/api/books", () => HttpResponse.json({ data: [], total: 0, limitedToMonths: null })),
    http.get("*/api/tags", () => HttpResponse.json({ data: [] })),
    http.get("*/api/series", () => HttpResponse.json({ data: [] })),
    http.get("*/api/stats/options", () => HttpResponse.json({ genres: [], authors: [], formats: [] })),
    http.get("*/api/books/titles", () =>
      HttpResponse.json({ data: [{ id: 7, title: "Emma", author: "Jane Austen", status: "completed" }] }),
    ),
    http.get("*/api/books/7", () => HttpResponse.json({ book: BOOK })),
  );
});

/** Opens the page at an address, or at the present one. */
function open(address?: string) {
  if (address) window.history.replaceState(null, "", address);
  const client = createQueryClient(() => undefined);
  signedIn(client, USER);
  const page = render(
    <QueryClientProvider client={client}>
      <AddBookPage />
      <ToastHost />
    </QueryClientProvider>,
  );
  return { ...page, client };
}

/** Every body sent with a method to a path, with its idempotency key. */
function sent(method: "post" | "patch", path: string, answer: () => Response): { body: unknown; key: string | null }[] {
  const calls: { body: unknown; key: string | null }[] = [];
  server.use(
    http[method](`*${path}`, async ({ request }) => {
      calls.push({ body: await request.json(), key: request.headers.get("Idempotency-Key") });
      return answer();
    }),
  );
  return calls;
}

const field = (name: string) => screen.findByRole("textbox", { name });
const fill = async (name: string, text: string) => {
  await userEvent.click(await field(name));
  await userEvent.paste(text);
};
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

it("shows missing values at the fields, and sends nothing", async () => {
  const calls = sent("post", "/api/books", () => HttpResponse.json({}, { status: 500 }));
  open("/add-book");
  await press("Add Book");
  expect(await screen.findByText("The title is required.")).toBeTruthy();
  expect((await field("Title")).getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("The rating is required.")).toBeTruthy();
  expect(document.activeElement).toBe(await field("Title"));
  expect(calls).toEqual([]);
});

it("adds a book and leads to the dashboard; the format starts as the reader prefers", async () => {
  const calls = sent("post", "/api/books", () => HttpResponse.json({ book: BOOK }, { status: 201 }));
  open("/add-book");
  await fill("Title", "Emma");
  await fill("Authors", "Jane Austen");
  await fill("Genres", "Classics, Romance");
  await userEvent.click(screen.getByRole("radio", { name: "No date - track words/genres only" }));
  await press("Add Book");
  expect(await screen.findByText("Book added successfully!")).toBeTruthy();
  expect(window.location.pathname).toBe("/dashboard");
  expect(calls[0]?.body).toMatchObject({
    title: "Emma",
    format: "Audio",
    status: "undated",
    genres: ["Classics", "Romance"],
  });
  expect(localStorage.length).toBe(0);
});

it("adding leads back to the page from which the form was opened", async () => {
  sent("post", "/api/books", () => HttpResponse.json({ book: BOOK }, { status: 201 }));
  window.history.replaceState(null, "", "/tbr");
  openPage("/add-book");
  open();
  await fill("Title", "Emma");
  await fill("Authors", "Jane Austen");
  await userEvent.click(screen.getByRole("radio", { name: "No date - track words/genres only" }));
  await press("Add Book");
  await waitFor(() => expect(window.location.pathname).toBe("/tbr"));
});

it("a quote is edited in its place, and one that is too long is refused where it stands", async () => {
  const calls = sent("post", "/api/books", () => HttpResponse.json({ book: BOOK }, { status: 201 }));
  open("/add-book");
  await fill("Title", "Emma");
  await fill("Authors", "Jane Austen");
  for (const quote of ["Badly dome, Emma!", "One half of the world"]) {
    await fill("Quotes", quote);
    await press("Add quote");
  }
  await press("Edit quote 1");
  const box = await screen.findByRole("textbox", { name: "Quote" });
  expect(document.activeElement).toBe(box);
  await userEvent.clear(box);
  await userEvent.paste("Badly done, Emma!");
  await press("Done");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit quote 1" }));
  await userEvent.click(await field("Quotes"));
  await userEvent.paste("x".repeat(5_001));
  await press("Add quote");
  expect(await screen.findByText("A quote can have at most 5,000 characters.")).toBeTruthy();
  expect(await field("Quotes")).toHaveProperty("value", "x".repeat(5_001));
  await userEvent.clear(await field("Quotes"));
  await userEvent.click(screen.getByRole("radio", { name: "No date - track words/genres only" }));
  await press("Add Book");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toMatchObject({ passages: ["Badly done, Emma!", "One half of the world"].map(plainQuote) });
});

it("a refusal shows beside its field, everything typed stays, and a second press sends the same key", async () => {
  const refusal = { error: "Some fields are wrong.", code: "invalid", fields: { isbn: "This is not a valid ISBN." } };
  const calls = sent("post", "/api/books", () => HttpResponse.json(refusal, { status: 422 }));
  open("/add-book");
  await fill("Title", "Emma");
  await fill("Authors", "Jane Austen");
  await fill("ISBN", "123");
  await fill("Quotes", "Badly done, Emma!");
  await userEvent.click(screen.getByRole("radio", { name: "Currently reading" }));
  await press("Add Book");
  expect(await screen.findByText("Failed to add book")).toBeTruthy();
  expect(screen.getByText("Some fields are wrong.")).toBeTruthy();
  expect(await screen.findByText("This is not a valid ISBN.")).toBeTruthy();
  expect(document.activeElement).toBe(await field("ISBN"));
  expect(await field("Title")).toHaveProperty("value", "Emma");
  expect(await field("Quotes")).toHaveProperty("value", "Badly done, Emma!");
  await press("Add Book");
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(calls[1]?.key).toBe(calls[0]?.key);
  expect(calls[0]?.key).toBeTruthy();
});

it("a full shelf shows the way to another plan instead of the form", async () => {
  server.use(subscription(150));
  open("/add-book");
  expect(
    await screen.findByText(
      "You've reached the 150 book limit on the Reader plan. Upgrade to Shelfwise Plus for unlimited book tracking and access to advanced analytics.",
    ),
  ).toBeTruthy();
  expect(screen.getByRole("link", { name: "Upgrade" }).getAttribute("href")).toBe("/pricing");
  expect(screen.queryByRole("textbox", { name: "Title" })).toBeNull();
});

it("typed values are restored after a reload, until the reader starts over", async () => {
  const first = open("/add-book");
  await fill("Title", "Em");
  await userEvent.click(screen.getByRole("radio", { name: "Read over a date span" }));
  first.unmount();
  open("/add-book");
  expect(await field("Title")).toHaveProperty("value", "Em");
  expect(screen.getByRole("radio", { name: "Read over a date span" })).toHaveProperty("checked", true);
  await press("Start over");
  expect(await field("Title")).toHaveProperty("value", "");
  expect(screen.queryByText(/Restored what you had typed before/)).toBeNull();
  expect(localStorage.length).toBe(0);
});

it("pages make words, and the payload says so", async () => {
  const calls = sent("post", "/api/books", () => HttpResponse.json({ book: BOOK }, { status: 201 }));
  open("/add-book?tbr=3&status=in-progress");
  expect(await field("Title")).toHaveProperty("value", "Kindred");
  await userEvent.clear(await field("Word Count"));
  await userEvent.type(await field("Pages"), "304");
  expect(await field("Word Count")).toHaveProperty("value", "83600");
  expect(screen.getByText("Estimated from the pages.")).toBeTruthy();
  await press("Add Book");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toMatchObject({
    tbrId: 3,
    status: "in-progress",
    wordCount: 83_600,
    pages: 304,
    wordCountSource: "pages",
  });
});

it("a book that is here already is offered again below its author, until it is another one", async () => {
  const read = { ...BOOK, dateCompleted: "2025-03-09", completedFrom: null };
  const title = { ...read, work: 70 };
  server.use(
    http.get("*/api/books/titles", () =>
      HttpResponse.json({ data: [title, { ...title, work: 71, title: "Persuasion" }] }),
    ),
    http.get("*/api/works/71", () =>
      HttpResponse.json({
        work: { id: 70, title: "Emma", author: "Jane Austen", authors: ["Jane Austen"], reads: [read] },
      }),
    ),
  );
  const calls = sent("post", "/api/books/7/again", () => HttpResponse.json({ book: BOOK }, { status: 201 }));
  open("/add-book");
  await fill("Title", "emma!");
  await fill("Authors", "Jane  Austen");
  expect(await screen.findByText("“Emma” by Jane Austen, read once: Mar 9, 2025.")).toBeTruthy();
  await press("Add it as another book");
  expect(screen.queryByText("You have this. Read it again?")).toBeNull();
  await userEvent.clear(await field("Title"));
  await fill("Title", "Persuasion");
  await press("Read again");
  await userEvent.click(await screen.findByRole("button", { name: "Start reading" }));
  await waitFor(() => expect(window.location.pathname).toBe("/book/7"));
  expect(calls).toHaveLength(1);
  expect(localStorage.length).toBe(0);
});

it("pages typed into the form make words, until the words are typed", async () => {
  open("/add-book");
  const [pages, words] = [await field("Pages"), await field("Word Count")];
  await userEvent.type(pages, "480");
  expect(words).toHaveProperty("value", "132000");
  expect(screen.getByText("Estimated from the pages.")).toBeTruthy();
  await userEvent.clear(pages);
  expect(words).toHaveProperty("value", "");
  await userEvent.type(words, "95k");
  expect(screen.getByText(/95,000 words\./)).toBeTruthy();
  await userEvent.type(pages, "480");
  expect(words).toHaveProperty("value", "95k");
});

it("hours in the place of an audiobook's pages become its length when the reader says so, and the words follow it", async () => {
  open("/add-book");
  const [pages, words] = [await field("Pages"), await field("Word Count")];
  await userEvent.click(screen.getByRole("radio", { name: "Print" }));
  await userEvent.type(pages, "12");
  expect(words).toHaveProperty("value", "3300");
  expect(screen.queryByRole("textbox", { name: "Length" })).toBeNull();
  await userEvent.click(screen.getByRole("radio", { name: "Audio" }));
  expect(words).toHaveProperty("value", "");
  await press("Use as 12 hours");
  const length = await field("Length");
  expect([pages, length, words]).toMatchObject([{ value: "" }, { value: "12:00" }, { value: "111600" }]);
  await userEvent.clear(length);
  await userEvent.type(length, "12:30");
  expect(words).toHaveProperty("value", "116250");
  expect(screen.getByText("Estimated from the length.")).toBeTruthy();
});

it("a number without a clear meaning is questioned, and nothing is sent", async () => {
  const calls = sent("post", "/api/books", () => HttpResponse.json({}, { status: 500 }));
  open("/add-book");
  await fill("Title", "Emma");
  await fill("Authors", "Jane Austen");
  await fill("Word Count", "1e5");
  await userEvent.click(screen.getByRole("radio", { name: "8" }));
  await press("Add Book");
  expect(await screen.findByText(/“1e5” is not a number that we understand\./)).toBeTruthy();
  expect(calls).toEqual([]);
});

it("a book is finished today unless said otherwise, and one that is being read was started today", async () => {
  const calls = sent("post", "/api/books", () => HttpResponse.json({ book: BOOK }, { status: 201 }));
  const day = today();
  open("/add-book");
  await fill("Title", "Emma");
  await fill("Authors", "Jane Austen");
  const date = screen.getByLabelText(/^Date Completed/);
  expect(date).toHaveProperty("value", longDate(day));
  await userEvent.clear(date);
  await userEvent.type(date, "yesterday");
  await userEvent.tab();
  expect(date).toHaveProperty("value", longDate(dateBefore(day, { days: 1 })));
  await press("Choose a day");
  await press("Today");
  expect(date).toHaveProperty("value", longDate(day));
  await userEvent.click(screen.getByRole("radio", { name: "Currently reading" }));
  expect(screen.getByLabelText("Start Date")).toHaveProperty("value", longDate(day));
  await userEvent.click(screen.getByRole("radio", { name: "Read over a date span" }));
  expect(screen.getByLabelText(/^Start Date/)).toHaveProperty("value", "");
  await userEvent.click(screen.getByRole("radio", { name: "Currently reading" }));
  await press("Add Book");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toMatchObject({ status: "in-progress", startDate: day, dateCompleted: null });
});

it("a day in the future is questioned, and taken when the reader confirms it", async () => {
  const calls = sent("post", "/api/books", () => HttpResponse.json({ book: BOOK }, { status: 201 }));
  open("/add-book");
  await fill("Title", "Emma");
  await fill("Authors", "Jane Austen");
  await userEvent.click(screen.getByRole("radio", { name: "8" }));
  fireEvent.change(screen.getByLabelText(/^Date Completed/), { target: { value: "2062-11-22" } });
  await press("Add Book");
  expect(await screen.findByText("Nov 22, 2062 is in the future. Is it right?")).toBeTruthy();
  expect(calls).toEqual([]);
  await userEvent.click(screen.getByRole("checkbox", { name: "Nov 22, 2062 is in the future, and it is right" }));
  await press("Add Book");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toMatchObject({ dateCompleted: "2062-11-22" });
});

it("a rough date is understood at once, and sent with both its ends", async () => {
  const calls = sent("post", "/api/books", () => HttpResponse.json({ book: BOOK }, { status: 201 }));
  open("/add-book");
  await fill("Title", "Momo");
  await fill("Authors", "Michael Ende");
  await userEvent.click(screen.getByRole("radio", { name: "8" }));
  const date = screen.getByLabelText(/^Date Completed/);
  fireEvent.change(date, { target: { value: "2019" } });
  expect(screen.getByText("Any day from Jan 1 to Dec 31, 2019.")).toBeTruthy();
  fireEvent.change(date, { target: { value: "yesterday" } });
  fireEvent.blur(date);
  expect(date).toHaveProperty("value", longDate(dateBefore(today(), { days: 1 })));
  fireEvent.change(date, { target: { value: "winter 2020" } });
  await press("Add Book");
  expect(await screen.findByText("Winter 2019/20 or winter 2020/21? Write it with both years.")).toBeTruthy();
  expect(calls).toEqual([]);
  fireEvent.change(date, { target: { value: "winter 2019/20" } });
  await press("Add Book");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toMatchObject({
    status: "completed",
    completedFrom: "2019-12-01",
    dateCompleted: "2020-02-29",
  });
});

it("half points are one more cell, for readers who want them", async () => {
  const calls = sent("post", "/api/books", () => HttpResponse.json({ book: BOOK }, { status: 201 }));
  const first = open("/add-book");
  await field("Title");
  expect(screen.queryByRole("checkbox", { name: "and a half" })).toBeNull();
  first.unmount();
  server.use(http.get("*/api/preferences", () => HttpResponse.json({ preferences: { ratingStep: 0.5 } })));
  open("/add-book");
  await fill("Title", "Momo");
  await fill("Authors", "Michael Ende");
  const half = await screen.findByRole<HTMLInputElement>("checkbox", { name: "and a half" });
  expect(half.disabled).toBe(true);
  await userEvent.click(screen.getByRole("radio", { name: "9" }));
  await userEvent.click(half);
  expect(screen.getByText("9.5")).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: "10" }));
  expect([half.checked, half.disabled]).toEqual([false, true]);
  await userEvent.click(screen.getByRole("radio", { name: "8" }));
  await userEvent.click(half);
  await press("Add Book");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toMatchObject({ rating: 8.5 });
});

it("a span does not end on a rough date", async () => {
  open("/add-book");
  fireEvent.change(await screen.findByLabelText(/^Date Completed/), { target: { value: "spring 2020" } });
  await userEvent.click(screen.getByRole("radio", { name: "Read over a date span" }));
  expect(screen.getByLabelText(/^End Date/)).toHaveProperty("value", longDate(today()));
});

it("a rough date is there again after other modes were tried, and nothing is changed", async () => {
  const rough = { ...BOOK, startDate: null, completedFrom: "2020-03-01", dateCompleted: "2020-05-31" };
  server.use(http.get("*/api/books/7", () => HttpResponse.json({ book: rough })));
  const calls = sent("patch", "/api/books/7", () => HttpResponse.json({ book: rough }));
  open("/add-book?tab=edit&bookId=7");
  const completed = await screen.findByLabelText(/^Date Completed/);
  const typed = (completed as HTMLInputElement).value;
  const choose = async (name: string) => userEvent.click(screen.getByRole("radio", { name }));
  await choose("Read over a date span");
  expect(screen.getByLabelText(/^End Date/)).toHaveProperty("value", longDate(today()));
  await choose("Currently reading");
  await choose("Completed on a single date");
  expect(screen.getByLabelText(/^Date Completed/)).toHaveProperty("value", typed);
  expect(localStorage.length).toBe(0);
  await press("Update Book");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toEqual({});
});

it("a rough date that a span has replaced is there again after a reload, too", async () => {
  const first = open("/add-book");
  const choose = async (name: string) => userEvent.click(await screen.findByRole("radio", { name }));
  fireEvent.change(await screen.findByLabelText(/^Date Completed/), { target: { value: "spring 2020" } });
  await choose("Read over a date span");
  first.unmount();
  open();
  expect(await screen.findByLabelText(/^End Date/)).toHaveProperty("value", longDate(today()));
  await choose("Completed on a single date");
  expect(screen.getByLabelText(/^Date Completed/)).toHaveProperty("value", "Mar – May 2020");
});

it("an end that was typed for a span stays", async () => {
  open("/add-book");
  fireEvent.change(await screen.findByLabelText(/^Date Completed/), { target: { value: "spring 2020" } });
  await userEvent.click(screen.getByRole("radio", { name: "Read over a date span" }));
  fireEvent.change(screen.getByLabelText(/^End Date/), { target: { value: "2020-04-30" } });
  await userEvent.click(screen.getByRole("radio", { name: "Completed on a single date" }));
  expect(screen.getByLabelText(/^Date Completed/)).toHaveProperty("value", "Apr 30, 2020");
});

it("a start that was only filled in stays with the mode that has it", async () => {
  open("/add-book");
  const choose = async (name: string) => userEvent.click(await screen.findByRole("radio", { name }));
  const start = () => screen.getByLabelText("Start Date");
  await choose("Currently reading");
  expect(start()).toHaveProperty("value", longDate(today()));
  await choose("Did not finish");
  expect(start()).toHaveProperty("value", "");
  expect(screen.getByLabelText("Stopped on")).toHaveProperty("value", longDate(today()));
  await choose("Currently reading");
  fireEvent.change(start(), { target: { value: "2025-02-01" } });
  await choose("Did not finish");
  expect(start()).toHaveProperty("value", "Feb 1, 2025");
});

it("a book that is opened as being read, and was given up, has no start of today", async () => {
  open("/add-book?tbr=3&status=in-progress");
  await userEvent.click(await screen.findByRole("radio", { name: "Did not finish" }));
  expect(screen.getByLabelText("Start Date")).toHaveProperty("value", "");
});

it("saving a change leads back to the filtered page that it was made from", async () => {
  sent("patch", "/api/books/7", () => HttpResponse.json({ book: BOOK }));
  window.history.pushState(null, "", "/dashboard?genres=Classics");
  openPage("/add-book?tab=edit&bookId=7");
  open();
  await press("Update Book");
  expect(await screen.findByText("Book updated successfully!")).toBeTruthy();
  await waitFor(() => expect(window.location.pathname + window.location.search).toBe("/dashboard?genres=Classics"));
});

it("a new book leads to the dashboard, with the filter that it had", async () => {
  sent("post", "/api/books", () => HttpResponse.json({ book: BOOK }, { status: 201 }));
  window.history.pushState(null, "", "/dashboard?genres=Classics");
  openPage("/add-book?tbr=3");
  // A change of the list's item that was not saved.
  localStorage.setItem("shelfwise.draft.1.tbr.3", "{}");
  open();
  await userEvent.click(await screen.findByRole("radio", { name: "8" }));
  await press("Add Book");
  await waitFor(() => expect(window.location.pathname + window.location.search).toBe("/dashboard?genres=Classics"));
  expect(localStorage.getItem("shelfwise.draft.1.tbr.3")).toBeNull();
});

it("the form stays while it saves the place of the last book that the plan has room for", async () => {
  let arrive = () => {};
  const arrived = new Promise<void>((done) => {
    arrive = done;
  });
  server.use(
    subscription(150, 149),
    http.post("*/api/books", () => {
      server.use(
        subscription(150),
        http.get("*/api/tbr", () => HttpResponse.json({ data: [] })),
      );
      return HttpResponse.json({ book: BOOK }, { status: 201 });
    }),
    http.put("*/api/books/7/days/*", async () => {
      await arrived;
      return HttpResponse.json({ book: BOOK, day: {} });
    }),
  );
  const { client } = open("/add-book?tbr=3&status=in-progress");
  await fill("Place reached", "40");
  await press("Add Book");
  await waitFor(() => expect(client.getQueryData(keys.tbr)).toEqual({ data: [] }));
  await waitFor(() => expect(client.getQueryData(keys.subscription)).toMatchObject({ limits: { bookCount: 150 } }));
  expect(await field("Title")).toHaveProperty("value", "Kindred");
  expect(screen.queryByText(/no longer in your TBR/)).toBeNull();
  arrive();
  expect(await screen.findByText("Book added successfully!")).toBeTruthy();
  await waitFor(() => expect(window.location.pathname).toBe("/dashboard"));
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("the pages of a waiting book are kept, and say how many words they make", async () => {
  const calls = sent("post", "/api/tbr", () => HttpResponse.json({ item: ITEM }, { status: 201 }));
  open("/add-book?tab=tbr");
  await fill("Title", "Beowulf");
  await fill("Pages", "400");
  expect(screen.getByText("110,000 words, from the pages.")).toBeTruthy();
  await press("Add to TBR");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toEqual({ title: "Beowulf", author: null, wordCount: null, notes: null, pages: 400 });
});

it("own authors and genres are suggested while one types", async () => {
  const known = (...names: string[]) => names.map((name) => ({ name, words: 1, books: 1 }));
  const options = { genres: known("Fantasy", "Science Fiction"), authors: known("Jane Austen"), formats: [] };
  server.use(http.get("*/api/stats/options", () => HttpResponse.json(options)));
  open("/add-book");
  await fill("Authors", "aus");
  await press("Jane Austen");
  expect(await field("Authors")).toHaveProperty("value", "Jane Austen");
  await fill("Genres", "Classics, scie");
  await press("Science Fiction");
  expect(await field("Genres")).toHaveProperty("value", "Classics, Science Fiction, ");
  await fill("Genres", "fantasy");
  await press("Fantasy");
  expect(await field("Genres")).toHaveProperty("value", "Classics, Science Fiction, Fantasy, ");
  expect(screen.queryByRole("list", { name: "From your library" })).toBeNull();
});

it("a book is picked, changed in the mode that it is stored in, and saved", async () => {
  const calls = sent("patch", "/api/books/7", () => HttpResponse.json({ book: BOOK }));
  open("/add-book?tab=edit&bookId=7");
  expect(await field("Title")).toHaveProperty("value", "Emma");
  expect(screen.getByRole("button", { name: "Book Emma - Jane Austen" })).toBeTruthy();
  expect(screen.getByRole("radio", { name: "Read over a date span" })).toHaveProperty("checked", true);
  expect(screen.getByRole("radio", { name: "8" })).toHaveProperty("checked", true);
  await press("Remove quote 1");
  await press("Update Book");
  expect(await screen.findByText("Book updated successfully!")).toBeTruthy();
  expect(window.location.pathname).toBe("/dashboard");
  expect(calls[0]?.body).toEqual({ passages: [] });
});

it("the list of books stays open while the book of the address arrives", async () => {
  let arrive = () => {};
  const arrived = new Promise<void>((done) => {
    arrive = done;
  });
  server.use(
    http.get("*/api/books/7", async () => {
      await arrived;
      return HttpResponse.json({ book: BOOK });
    }),
  );
  open("/add-book?tab=edit&bookId=7");
  await userEvent.click(await screen.findByRole("button", { name: /^Book/ }));
  expect(await screen.findByRole("combobox", { name: "Find a book" })).toBeTruthy();
  arrive();
  expect(await screen.findByRole("button", { name: "Update Book", hidden: true })).toBeTruthy();
  expect(await screen.findByRole("combobox", { name: "Find a book" })).toBeTruthy();
});

it("a book is deleted only after the second word", async () => {
  let deleted = 0;
  server.use(
    http.delete("*/api/books/7", () => {
      deleted += 1;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  open("/add-book?tab=edit&bookId=7");
  await press("Delete Book");
  const dialog = within(await screen.findByRole("alertdialog", { name: "Are you sure you want to delete this book?" }));
  expect(
    dialog.getByText("This action cannot be undone. This will permanently delete the book from your collection."),
  ).toBeTruthy();
  await userEvent.click(dialog.getByRole("button", { name: "Keep book" }));
  expect(deleted).toBe(0);
  await press("Delete Book");
  await press("I'm sure");
  expect(await screen.findByText("Book deleted successfully!")).toBeTruthy();
  expect(window.location.pathname).toBe("/dashboard");
  expect(deleted).toBe(1);
});

it("a book that is not there is said to be gone", async () => {
  server.use(http.get("*/api/books/8", () => HttpResponse.json({ error: "x", code: "not_found" }, { status: 404 })));
  open("/add-book?tab=edit&bookId=8");
  expect(await screen.findByText(/This book is not in your library/, {}, { timeout: 3_000 })).toBeTruthy();
});

it("a to-be-read item is added, and the fields are free for the next", async () => {
  const calls = sent("post", "/api/tbr", () => HttpResponse.json({ item: ITEM }, { status: 201 }));
  open("/add-book?tab=tbr");
  await press("Add to TBR");
  expect(await screen.findByText("The title is required.")).toBeTruthy();
  await fill("Title", "Beowulf");
  await press("Add to TBR");
  expect(await screen.findByText("TBR book added successfully!")).toBeTruthy();
  expect(await field("Title")).toHaveProperty("value", "");
  await fill("Title", "Beowulf");
  await press("Add to TBR");
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(calls[0]?.body).toEqual({ title: "Beowulf", author: null, wordCount: null, notes: null });
  expect(calls[1]?.key).not.toBe(calls[0]?.key);
});

it("the next book of a series is put on the list with its author and place, and saving leads back to the series", async () => {
  const calls = sent("post", "/api/tbr", () => HttpResponse.json({ item: ITEM }, { status: 201 }));
  open("/add-book?tab=tbr&series=Earthsea&number=4&author=Ursula+K.+Le+Guin");
  expect(await field("Author")).toHaveProperty("value", "Ursula K. Le Guin");
  expect(screen.getByText(/^Number 4 of/).textContent).toContain("Earthsea");
  await fill("Title", "Tehanu");
  await press("Add to TBR");
  await waitFor(() => expect(window.location.pathname).toBe("/series/Earthsea"));
  expect(calls[0]?.body).toMatchObject({ title: "Tehanu (Earthsea, #4)", author: "Ursula K. Le Guin" });
});

it("a page that another program shared fills the form for the list, is looked up on a press, and leads to the list", async () => {
  const calls = sent("post", "/api/tbr", () => HttpResponse.json({ item: ITEM }, { status: 201 }));
  const asked: (string | null)[] = [];
  server.use(
    http.get("*/api/site", () => HttpResponse.json({ signup: "open", lookup: ["openlibrary.org"] })),
    http.get("*/api/lookup", ({ request }) => {
      asked.push(new URL(request.url).searchParams.get("q"));
      const book = { ...KINDRED, authors: ["Octavia E. Butler", "Damian Duffy"], cover: null };
      return HttpResponse.json({ data: [book], sources: [{ name: "openlibrary", outcome: "ok" }] });
    }),
  );
  const url = "https://www.goodreads.com/book/show/60931.Kindred?isbn=9780807083697";
  open(`/add-book?${new URLSearchParams({ title: "Kindred | Goodreads", text: "", url })}`);
  expect(await field("Title")).toHaveProperty("value", "Kindred");
  expect(await field("Notes")).toHaveProperty("value", url);
  expect(await screen.findByRole("searchbox", { name: "Look it up" })).toHaveProperty("value", "9780807083697");
  expect(asked).toEqual([]);
  await press("Look up");
  await waitFor(async () => expect(await field("Author")).toHaveProperty("value", "Octavia E. Butler, Damian Duffy"));
  expect(asked).toEqual(["9780807083697"]);
  await press("Add to TBR");
  await waitFor(() => expect(window.location.pathname).toBe("/tbr"));
  expect(calls[0]?.body).toEqual({
    title: "Kindred",
    author: "Octavia E. Butler, Damian Duffy",
    wordCount: null,
    pages: 264,
    isbn: "9780807083697",
    notes: url,
  });
});
