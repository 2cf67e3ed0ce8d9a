import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it, vi } from "vitest";
import type { Device, ReadDocument } from "../kit/api/types";
import type { EpubBook } from "../library/epub/read";
import { NORA, renderAs, toastSays } from "../test-reader";
import { pageServer } from "../test-server";
import DevicesPage from "./DevicesPage";

const KOBO: Device = {
  id: 7,
  name: "Kobo Libra",
  kind: "koreader",
  login: "kqztmw",
  createdAt: "2026-10-01T10:00:00Z",
  lastSeenAt: "2026-11-16T10:00:00Z",
  putAt: null,
  clockOffset: 0,
  clockOffsetProposed: null,
  reports: { days: 0, books: 1, unknown: 1 },
};
const URLS = { kosync: "https://books.example.org/kosync", webdav: "https://books.example.org/dav" };
const TRUST: ReadDocument = {
  id: 3,
  digest: "59d481d168cca6267322f150c5f6a2a3",
  title: "Trust",
  authors: ["Hernan Diaz"],
  device: "Kobo Libra",
  place: 3_100,
  firstSeen: "2026-11-01T10:00:00Z",
  lastSeen: "2026-11-16T10:00:00Z",
  days: 6,
  minutes: 312,
  words: null,
  peeked: false,
  bookId: null,
  suggestion: null,
  ignored: false,
  ignoreBefore: null,
  finish: null,
  again: null,
  removedThere: 0,
};
const NAMELESS: ReadDocument = { ...TRUST, title: null, authors: [] };
const EPUB: EpubBook = {
  title: "Trust",
  author: "Hernan Diaz",
  isbn: "",
  subjects: [],
  language: "en",
  words: 98_000,
  digest: "21f0df72cce9bc7da8dae2512ee5feed",
};
const BOOK = { id: 12, title: "Trust: A Novel", author: "Hernan Diaz", status: "in-progress" };

let devices: Device[] = [];
let documents: ReadDocument[] = [];
const asked: unknown[] = [];
const server = pageServer("/devices");
beforeEach(() => {
  devices = [KOBO];
  documents = [];
  asked.length = 0;
  server.use(
    http.get("*/api/devices", () => HttpResponse.json({ data: devices })),
    http.get("*/api/documents", () => HttpResponse.json({ data: documents, full: null })),
    http.get("*/api/books/titles", () => HttpResponse.json({ data: [BOOK] })),
    http.put("*/api/documents/:id", async ({ request }) => {
      asked.push(await request.json());
      documents = [];
      return HttpResponse.json({ document: TRUST });
    }),
  );
});

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

async function choose(item: string) {
  await press(/^More for /);
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
}

/** Opens an EPUB at the document of the page, of which a worker would say this. */
async function open(book: EpubBook) {
  vi.stubGlobal(
    "Worker",
    class {
      onmessage: (event: { data: { book: EpubBook } }) => void = () => {};
      postMessage = () => this.onmessage({ data: { book } });
      terminate = () => {};
    },
  );
  await screen.findByRole("button", { name: "Choose the file" });
  const input = document.querySelector<HTMLInputElement>("input[accept='.epub']");
  if (input) await userEvent.upload(input, new File(["book"], "trust.epub"));
}

it("a new device's login is shown once, with the steps", async () => {
  devices = [];
  server.use(
    http.post("*/api/devices", async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json(
        { device: { ...KOBO, lastSeenAt: null }, login: "kqztmw", password: "abcde-fghij", urls: URLS },
        { status: 201 },
      );
    }),
  );
  renderAs(NORA, <DevicesPage />);
  expect(await screen.findByText("Nothing reports yet")).toBeTruthy();
  await press("New device");
  await userEvent.type(screen.getByLabelText("Name"), "Kobo Libra");
  await press("Create login");
  const dialog = within(await screen.findByRole("dialog", { name: "Kobo Libra" }));
  expect(dialog.getByDisplayValue("abcde-fghij")).toBeTruthy();
  expect(dialog.getByDisplayValue(URLS.webdav)).toBeTruthy();
  expect(dialog.getAllByRole("listitem")).toHaveLength(4);
  expect(asked).toEqual([{ name: "Kobo Libra", kind: "koreader" }]);
  await userEvent.click(dialog.getByRole("button", { name: "Done" }));
  await waitFor(() => expect(screen.queryByDisplayValue("abcde-fghij")).toBeNull());
});

it("a device says what it brings, and its clock is set right", async () => {
  devices = [{ ...KOBO, clockOffsetProposed: 60 }];
  server.use(
    http.patch("*/api/devices/:id", async ({ request }) => {
      asked.push(await request.json());
      devices = [KOBO];
      return HttpResponse.json({ device: KOBO, urls: URLS });
    }),
  );
  renderAs(NORA, <DevicesPage />);
  expect(await screen.findByText(/Place only\. For days, turn on statistics/)).toBeTruthy();
  await press("Count with 60 minutes less");
  await waitFor(() => expect(asked).toEqual([{ clockOffset: 60 }]));
  await waitFor(() => expect(screen.queryByText(/Is the clock of/)).toBeNull());
});

it("a document with a suggestion is linked by one press", async () => {
  documents = [{ ...TRUST, suggestion: { bookId: 12, confidence: 0.75, because: "same-short-title" } }];
  renderAs(NORA, <DevicesPage />);
  expect((await screen.findByText(/Is this/)).textContent).toBe("Is this Trust: A Novel on your shelf?");
  expect(screen.getByText(/^Hernan Diaz\. From Kobo Libra, at 31%, 6 days, 5 h 12 min/)).toBeTruthy();
  await press("Yes, link it");
  await waitFor(() => expect(screen.queryByText("What is this?")).toBeNull());
  expect(asked).toEqual([{ bookId: 12 }]);
});

it("a document that is no book is ignored", async () => {
  documents = [TRUST];
  renderAs(NORA, <DevicesPage />);
  await choose("Ignore");
  await waitFor(() => expect(asked).toEqual([{ ignore: true }]));
});

it("a full plan says how many documents wait for room", async () => {
  documents = [TRUST];
  const full = { books: 150, waiting: 12 };
  server.use(http.get("*/api/documents", () => HttpResponse.json({ data: documents, full })));
  renderAs(NORA, <DevicesPage />);
  const banner = await screen.findByText("Your plan holds 150 books; 12 documents wait until there is room.");
  expect(within(banner.parentElement as HTMLElement).getByRole("link", { name: "Upgrade" })).toBeTruthy();
});

it("a document without a name is made a book", async () => {
  documents = [NAMELESS];
  renderAs(NORA, <DevicesPage />);
  await choose("Make a book of it");
  await userEvent.type(screen.getByLabelText("Title"), "Trust");
  await userEvent.type(screen.getByLabelText("Author"), "Hernan Diaz");
  await press("Create book");
  const create = { title: "Trust", author: "Hernan Diaz", status: "in-progress", format: "eBook" };
  await waitFor(() => expect(asked).toEqual([{ create }]));
});

it("a nameless document gets its name and words from its EPUB, which stays on the device", async () => {
  documents = [NAMELESS];
  server.use(http.get("*/api/books/titles", () => HttpResponse.json({ data: [] })));
  renderAs(NORA, <DevicesPage />);
  await open({ ...EPUB, digest: NAMELESS.digest });
  const dialog = within(await screen.findByRole("dialog", { name: "Make a book of it" }));
  expect(dialog.getByDisplayValue("Trust")).toBeTruthy();
  expect(dialog.queryByText(/isn’t the exact file/)).toBeNull();
  await press("Create book");
  const { title, author, words: wordCount } = EPUB;
  const create = { title, author, wordCount, wordCountSource: "epub", isbn: null };
  await waitFor(() => expect(asked).toEqual([{ create: { ...create, status: "in-progress", format: "eBook" } }]));
});

it("an EPUB that is here already offers its book, and says that it is a changed copy", async () => {
  documents = [NAMELESS];
  renderAs(NORA, <DevicesPage />);
  await open({ ...EPUB, title: BOOK.title });
  const dialog = within(await screen.findByRole("dialog", { name: "Link to a book" }));
  expect(dialog.getByText(/This isn’t the exact file on your device/)).toBeTruthy();
  await press("Link");
  await waitFor(() => expect(asked).toEqual([{ bookId: 12 }]));
});

it("a document of a file is of no device", async () => {
  documents = [{ ...TRUST, device: null, peeked: true, minutes: 0 }];
  renderAs(NORA, <DevicesPage />);
  expect(await screen.findByText("Hernan Diaz. At 31%, 6 days. Only looked into")).toBeTruthy();
});

it("many documents are shown a part at a time", async () => {
  documents = Array.from({ length: 60 }, (_, i) => ({ ...TRUST, id: i, title: `Book ${i}` }));
  renderAs(NORA, <DevicesPage />);
  expect(await screen.findAllByRole("button", { name: "Make a book of it" })).toHaveLength(25);
  await press("35 more");
  expect(screen.getAllByRole("button", { name: "Make a book of it" })).toHaveLength(60);
});

it("each list of documents grows by itself, and its first new row gets the focus", async () => {
  documents = Array.from({ length: 120 }, (_, i) => ({ ...TRUST, id: i, title: `Book ${i}`, ignored: i % 2 === 1 }));
  renderAs(NORA, <DevicesPage />);
  const waiting = () => screen.getAllByRole("button", { name: "Make a book of it" });
  const ignored = () => screen.getAllByRole("button", { name: "Don’t ignore" });
  const [, ofIgnored] = await screen.findAllByRole("button", { name: "35 more" });
  await userEvent.click(ofIgnored as HTMLElement);
  expect(waiting()).toHaveLength(25);
  expect(ignored()).toHaveLength(60);
  expect(document.activeElement).toBe(ignored()[25]);
});

it("a finish is confirmed with its day, or refused", async () => {
  documents = [{ ...TRUST, bookId: 12, finish: { day: "2026-11-16", because: "place" } }];
  server.use(
    http.post("*/api/documents/3/finish", async ({ request }) => {
      asked.push(await request.json());
      documents = [];
      return HttpResponse.json({ book: BOOK });
    }),
  );
  renderAs(NORA, <DevicesPage />);
  expect(await screen.findByText("The end was reached on Nov 16, 2026")).toBeTruthy();
  await press("Finished on Nov 16, 2026");
  await toastSays("Finished on Nov 16, 2026");
  expect(asked).toEqual([{ day: "2026-11-16" }]);
});

it("the address is tried as a device does, and a proxy's page is named", async () => {
  renderAs(NORA, <DevicesPage />);
  server.use(http.get("*/kosync/healthcheck", () => HttpResponse.html("<h1>Log in</h1>")));
  await press("Try this address");
  expect(await screen.findByText(/A proxy in front of this server answers/)).toBeTruthy();
  server.use(
    http.get("*/kosync/healthcheck", () =>
      HttpResponse.json({ state: "OK" }, { headers: { "Shelfwise-Version": "0.2.0" } }),
    ),
  );
  await press("Try this address");
  expect(await screen.findByText("Devices that can open this address reach Shelfwise.")).toBeTruthy();
});
