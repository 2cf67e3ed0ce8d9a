import { QueryClientProvider } from "@tanstack/react-query";
import { configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { signedIn, signedOut } from "../../access/viewer";
import type { Book } from "../../kit/api/types";
import { createQueryClient } from "../../kit/query";
import { Link } from "../../kit/ui/Link";
import { ToastHost } from "../../kit/ui/ToastHost";
import { ANSWERS, NORA } from "../../test-reader";
import { aRead } from "../books/test-read";
import AddBookPage from "./AddBookPage";

const EMMA = aRead({
  title: "Emma",
  author: "Jane Austen",
  wordCount: 155_887,
  dateCompleted: "2025-03-09",
  year: 2025,
  month: 3,
  format: "eBook",
  genres: ["Classics"],
  quotes: ["Badly done, Emma!"],
  authors: ["Jane Austen"],
  createdAt: "2025-03-09T10:00:00Z",
  updatedAt: "2025-03-09T10:00:00Z",
});

vi.setConfig({ testTimeout: 30_000 });
configure({ asyncUtilTimeout: 5_000 });

/** The book as the server has it, and its version. */
let stored: Book;
let version: number;
/** Every change that was sent: its body, the version that it was meant for, and the account. */
let sent: { body: Partial<Book>; meantFor: string | null; account: string | null }[];

const server = setupServer(http.get("*/api/books/:id/days", () => HttpResponse.json({ data: [] })));
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());
afterEach(() => server.resetHandlers());
beforeEach(() => {
  localStorage.clear();
  [stored, version, sent] = [EMMA, 1, []];
  const headers = () => ({ ETag: `"${version}"` });
  server.use(
    http.get("*/api/tbr", () => HttpResponse.json({ data: [] })),
    http.get("*/api/books/titles", () => HttpResponse.json({ data: [{ ...EMMA }] })),
    http.get("*/api/tags", () => HttpResponse.json({ data: [] })),
    http.get("*/api/series", () => HttpResponse.json({ data: [] })),
    http.get("*/api/stats/options", () => HttpResponse.json({ genres: [], authors: [], formats: [] })),
    http.get("*/api/books", () => HttpResponse.json({ data: [], total: 0, limitedToMonths: null })),
    http.get("*/api/books/7", () => HttpResponse.json({ book: stored }, { headers: headers() })),
    http.patch("*/api/books/7", async ({ request }) => {
      const body = (await request.json()) as Partial<Book>;
      const meantFor = request.headers.get("If-Match");
      sent.push({ body, meantFor, account: request.headers.get("Shelfwise-Account") });
      if (meantFor !== `"${version}"`) {
        const refusal = {
          error: "This book was changed elsewhere meanwhile.",
          code: "changed_elsewhere",
          book: stored,
        };
        return HttpResponse.json(refusal, { status: 412, headers: headers() });
      }
      changeElsewhere(body);
      return HttpResponse.json({ book: stored }, { headers: headers() });
    }),
    ...ANSWERS,
  );
});

function changeElsewhere(change: Partial<Book>) {
  stored = { ...stored, ...change };
  version += 1;
}

function open(address = "/add-book?tab=edit&bookId=7") {
  window.history.replaceState(null, "", address);
  const client = createQueryClient(signedOut);
  signedIn(client, NORA);
  return render(
    <QueryClientProvider client={client}>
      <Link href="/dashboard">Dashboard</Link>
      <AddBookPage />
      <ToastHost />
    </QueryClientProvider>,
  );
}

const field = (name: string) => screen.findByRole("textbox", { name });
const type = async (name: string, text: string) => {
  await userEvent.click(await field(name));
  await userEvent.paste(text);
};
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

it("what was typed into the edit form is there again after a reload, and gone once it is saved", async () => {
  const first = open();
  await type("Impressions", "Slow, then perfect.");
  await type("Quotes", "It is such a happiness");
  first.unmount();
  const second = open();
  expect(await field("Impressions")).toHaveProperty("value", "Slow, then perfect.");
  expect(await field("Quotes")).toHaveProperty("value", "It is such a happiness");
  expect(screen.getByText(/Restored what you had typed before/)).toBeTruthy();
  await press("Update Book");
  expect(await screen.findByText("Book updated successfully!")).toBeTruthy();
  expect(localStorage.length).toBe(0);
  second.unmount();
  open();
  expect(await field("Impressions")).toHaveProperty("value", "Slow, then perfect.");
  expect(screen.queryByText(/Restored/)).toBeNull();
});

it("the list of books counts one book as one", async () => {
  open();
  await field("Impressions");
  await userEvent.click(screen.getByRole("button", { name: /^Book Emma/ }));
  expect(await screen.findByText(/^1 book: also those in progress/)).toBeTruthy();
  await userEvent.type(screen.getByRole("combobox", { name: "Find a book" }), "zzz");
  expect(await screen.findByText("0 of 1 book")).toBeTruthy();
});

it("another account does not see the draft", async () => {
  const first = open();
  await type("Impressions", "Mine.");
  first.unmount();
  window.history.replaceState(null, "", "/add-book?tab=edit&bookId=7");
  const client = createQueryClient(signedOut);
  signedIn(client, { ...NORA, id: 2 });
  render(
    <QueryClientProvider client={client}>
      <AddBookPage />
    </QueryClientProvider>,
  );
  expect(await field("Impressions")).toHaveProperty("value", "");
});

it("a save sends only what was changed, for the version that the form was filled from", async () => {
  open();
  await type("Impressions", "Slow.");
  await press("Update Book");
  await waitFor(() => expect(sent).toEqual([{ body: { impressions: "Slow." }, meantFor: '"1"', account: "1" }]));
});

it("a change made elsewhere is shown field by field, and what was typed stays until it is saved", async () => {
  open();
  await userEvent.click(await screen.findByRole("radio", { name: "9" }));
  await type("Authors", ", the younger");
  changeElsewhere({ impressions: "From the phone.", rating: 6, quotes: [...EMMA.quotes, "Theirs."] });
  await press("Update Book");
  expect(await screen.findByText(/This book was changed elsewhere while you were editing it/)).toBeTruthy();
  expect(await field("Authors")).toHaveProperty("value", "Jane Austen, the younger");
  expect(screen.getByRole("radio", { name: "9" })).toHaveProperty("checked", true);
  expect(await field("Impressions")).toHaveProperty("value", "From the phone.");
  const row = (name: string) => screen.getByText(name, { selector: "dt" }).parentElement as HTMLElement;
  expect(row("Impressions").textContent).toContain("From the phone. The form has this value.");
  expect(row("Rating").textContent).toContain("6 The form has your own value.");
  expect(within(row("Quotes")).queryByRole("button")).toBeNull();
  expect(stored.author).toBe("Jane Austen");

  await press("Update Book");
  expect(await screen.findByText("Book updated successfully!")).toBeTruthy();
  expect(sent.at(-1)).toMatchObject({ body: { author: "Jane Austen, the younger", rating: 9 }, meantFor: '"2"' });
  expect(Object.keys(sent.at(-1)?.body ?? {})).toEqual(["author", "rating"]);
  expect(stored).toMatchObject({ impressions: "From the phone.", rating: 9, quotes: [...EMMA.quotes, "Theirs."] });
});

it("one field of a change made elsewhere can be taken over", async () => {
  open();
  await userEvent.click(await screen.findByRole("radio", { name: "9" }));
  changeElsewhere({ rating: 6 });
  await press("Update Book");
  await press("Use the stored value of Rating");
  expect(screen.getByRole("radio", { name: "6" })).toHaveProperty("checked", true);
  await press("Update Book");
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ body: {}, meantFor: '"2"' }));
});

it("words that count by the log since are named so", async () => {
  open();
  await type("Impressions", "Slow.");
  changeElsewhere({ startDate: "2025-03-01", wordDistribution: "logged" });
  await press("Update Book");
  const row = (await screen.findByText("Days of the words", { selector: "dt" })).parentElement;
  expect(row?.textContent).toContain("The days you noted");
});

it("the log proposes how the words of a span count, and a choice of the reader stays", async () => {
  const day = { minutes: null, note: null, page: null };
  const log = [
    { ...day, day: "2026-11-03", at: 1_000 },
    { ...day, day: "2026-11-04", at: 2_000 },
  ];
  server.use(http.get("*/api/books/7/days", () => HttpResponse.json({ data: log })));
  stored = { ...EMMA, status: "in-progress", startDate: "2026-11-03", dateCompleted: null, rating: null };
  open();
  const choose = async (name: string) => userEvent.click(await screen.findByRole("radio", { name }));
  const isChosen = async (name: string) =>
    waitFor(() => expect(screen.getByRole("radio", { name })).toHaveProperty("checked", true));
  await choose("Read over a date span");
  await isChosen("The days you noted");
  await choose("Currently reading");
  expect(localStorage.length).toBe(0);
  await choose("Read over a date span");
  await isChosen("The days you noted");
  await choose("The last day");
  await choose("Currently reading");
  await choose("Read over a date span");
  await isChosen("The last day");
});

it("a draft meets a book that was changed since, and shows it", async () => {
  const first = open();
  await type("Impressions", "Mine.");
  first.unmount();
  changeElsewhere({ impressions: "Theirs.", title: "Emma, a novel" });
  open();
  expect(await field("Impressions")).toHaveProperty("value", "Mine.");
  expect(await field("Title")).toHaveProperty("value", "Emma, a novel");
  expect(screen.getByText("Theirs.")).toBeTruthy();
});

it("a change elsewhere that no field shows does not ask", async () => {
  open();
  await type("Impressions", "Slow.");
  changeElsewhere({ updatedAt: "2026-01-01T00:00:00Z" });
  await press("Update Book");
  expect(await screen.findByText("Book updated successfully!")).toBeTruthy();
  expect(stored.impressions).toBe("Slow.");
});

it("a changed form asks before it is left by a link or the back button, and an unchanged one does not", async () => {
  window.history.replaceState(null, "", "/tbr");
  window.history.pushState(null, "", "/add-book?tab=edit&bookId=7");
  open();
  await type("Impressions", "Slow.");
  await userEvent.click(screen.getByRole("link", { name: "Dashboard" }));
  const dialog = () => screen.findByRole("alertdialog", { name: "Leave without saving?" });
  expect(within(await dialog()).getByText(/This browser keeps it/)).toBeTruthy();
  await press("Keep editing");
  expect(window.location.pathname).toBe("/add-book");
  expect(await field("Impressions")).toHaveProperty("value", "Slow.");

  window.history.back();
  await dialog();
  expect(window.location.pathname).toBe("/add-book");
  await press("Keep editing");

  await userEvent.click(screen.getByRole("link", { name: "Dashboard" }));
  await press("Leave");
  await waitFor(() => expect(window.location.pathname).toBe("/dashboard"));
});

it("an unchanged form is left without a question", async () => {
  open();
  await field("Impressions");
  await userEvent.click(screen.getByRole("link", { name: "Dashboard" }));
  expect(window.location.pathname).toBe("/dashboard");
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("what was typed into the form for the list to read is kept, too", async () => {
  const first = open("/add-book?tab=tbr");
  await type("Title", "Kindred");
  await type("Notes", "From Imani");
  first.unmount();
  open("/add-book?tab=tbr");
  expect(await field("Title")).toHaveProperty("value", "Kindred");
  expect(await field("Notes")).toHaveProperty("value", "From Imani");
  await press("Start over");
  expect(await field("Title")).toHaveProperty("value", "");
  expect(localStorage.length).toBe(0);
});

it("a book that is missing in a series has a form of its own, apart from the one that was begun before", async () => {
  const first = open("/add-book");
  await type("Title", "Persuasion");
  first.unmount();
  const second = open("/add-book?series=Earthsea&number=4&author=Ursula%20K.%20Le%20Guin");
  expect(await field("Title")).toHaveProperty("value", "");
  expect(screen.queryByText(/Restored/)).toBeNull();
  await type("Title", "Tehanu");
  second.unmount();
  open("/add-book");
  expect(await field("Title")).toHaveProperty("value", "Persuasion");
  expect(await field("Series")).toHaveProperty("value", "");
});

/** Holds back the answers to a call until the returned function is called. */
function heldBack(method: "post" | "patch", path: string): () => void {
  let arrive = () => {};
  const arrived = new Promise<void>((done) => {
    arrive = done;
  });
  server.use(http[method](`*${path}`, () => arrived.then(() => undefined)));
  return arrive;
}

it("what is typed while a change is being saved stays in the form, and is saved next", async () => {
  const arrive = heldBack("patch", "/api/books/7");
  open();
  await type("Impressions", "Slow");
  await press("Update Book");
  await type("Impressions", ", then perfect.");
  await userEvent.click(screen.getByRole("link", { name: "Dashboard" }));
  await screen.findByRole("alertdialog", { name: "Leave without saving?" });
  await press("Keep editing");
  const box = await field("Impressions");
  box.focus();
  arrive();
  expect(await screen.findByText("Book updated successfully!")).toBeTruthy();
  expect(screen.getByText("What you typed while it was being saved is not saved yet.")).toBeTruthy();
  expect([window.location.pathname, document.activeElement]).toEqual(["/add-book", box]);
  expect(box).toHaveProperty("value", "Slow, then perfect.");
  expect(stored.impressions).toBe("Slow");
  await press("Update Book");
  await waitFor(() => expect(window.location.pathname).toBe("/dashboard"));
  expect(stored.impressions).toBe("Slow, then perfect.");
  expect(sent.at(-1)?.body).toEqual({ impressions: "Slow, then perfect." });
  expect(localStorage.length).toBe(0);
});

it("what is typed while a new book is being saved goes on in the form that edits it", async () => {
  server.use(
    http.post("*/api/books", async ({ request }) => {
      changeElsewhere((await request.json()) as Partial<Book>);
      return HttpResponse.json({ book: stored }, { status: 201 });
    }),
  );
  const arrive = heldBack("post", "/api/books");
  open("/add-book");
  await type("Title", "Persuasion");
  await type("Authors", "Jane Austen");
  await type("Quotes", "You pierce my soul.");
  await userEvent.click(screen.getByRole("radio", { name: "9" }));
  await press("Add Book");
  await type("Impressions", "Half agony, half hope.");
  arrive();
  expect(await screen.findByText("Book added successfully!")).toBeTruthy();
  expect(await screen.findByRole("button", { name: "Update Book" })).toBeTruthy();
  expect(window.location.search).toBe("?tab=edit&bookId=7");
  expect(await field("Impressions")).toHaveProperty("value", "Half agony, half hope.");
  expect(screen.queryByText(/This book was changed elsewhere/)).toBeNull();
  await press("Update Book");
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ impressions: "Half agony, half hope." }));
  expect(localStorage.length).toBe(0);
});

it("the next title that is typed while one is being added to the list stays in the form", async () => {
  const added: unknown[] = [];
  server.use(
    http.post("*/api/tbr", async ({ request }) => {
      added.push(await request.json());
      return HttpResponse.json({ item: {} }, { status: 201 });
    }),
  );
  const arrive = heldBack("post", "/api/tbr");
  open("/add-book?tab=tbr");
  await type("Title", "Kindred");
  await type("Notes", "From Imani");
  await press("Add to TBR");
  await userEvent.clear(await field("Title"));
  await type("Title", "Dawn");
  arrive();
  expect(await screen.findByText("TBR book added successfully!")).toBeTruthy();
  expect(added).toEqual([expect.objectContaining({ title: "Kindred", notes: "From Imani" })]);
  await waitFor(async () => expect(await field("Notes")).toHaveProperty("value", ""));
  expect(await field("Title")).toHaveProperty("value", "Dawn");
  await press("Add to TBR");
  await waitFor(() => expect(added).toHaveLength(2));
  expect(added[1]).toMatchObject({ title: "Dawn", notes: null });
});

it("a reader who has gone on to another tab of the page while a book is being saved stays there", async () => {
  const arrive = heldBack("patch", "/api/books/7");
  open();
  await type("Impressions", "Slow.");
  await press("Update Book");
  await userEvent.click(screen.getByRole("tab", { name: "Add to TBR" }));
  await type("Title", "Kindred");
  arrive();
  expect(await screen.findByText("Book updated successfully!")).toBeTruthy();
  expect(window.location.search).toBe("?tab=tbr");
  expect(await field("Title")).toHaveProperty("value", "Kindred");
});

it("a reader who has left the form for the next book of a series stays where they are", async () => {
  server.use(http.post("*/api/tbr", () => HttpResponse.json({ item: {} }, { status: 201 })));
  const arrive = heldBack("post", "/api/tbr");
  open("/add-book?tab=tbr&series=Earthsea&number=4");
  await type("Title", "Tehanu");
  await press("Add to TBR");
  await userEvent.click(screen.getByRole("link", { name: "Dashboard" }));
  expect(window.location.pathname).toBe("/dashboard");
  arrive();
  expect(await screen.findByText("TBR book added successfully!")).toBeTruthy();
  expect(window.location.pathname).toBe("/dashboard");
});
