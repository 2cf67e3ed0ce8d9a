import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it } from "vitest";
import { NORA, renderAs, toastSays } from "../../test-reader";
import { pageServer } from "../../test-server";
import { aRead } from "../books/test-read";
import SeriesPage from "./SeriesPage";
import TagsPage from "./TagsPage";

const EARTHSEA = { name: "Earthsea", read: 1, open: 1, known: ["1", "4"], missing: [2, 3], next: 2 };
const QUARTET = { name: "Earthsea Quartet", read: 1, open: 0, known: ["1"], missing: [], next: 2 };
const OWNED = { name: "owned", books: 2, shelf: true, icon: "home" };
const COSY = { name: "cosy", books: 1, shelf: false, icon: null };
const READS = [
  aRead({ id: 1, work: 1, title: "A Wizard of Earthsea", series: { name: "Earthsea", number: "1" }, tags: ["owned"] }),
  aRead({
    id: 2,
    work: 2,
    title: "Tehanu",
    series: { name: "Earthsea", number: "4" },
    tags: ["owned", "cosy"],
    status: "in-progress",
    dateCompleted: null,
    rating: null,
  }),
];

let series: object[];
let tags: object[];
let list: object[];
let sent: { call: string; body?: unknown }[];
beforeEach(() => {
  series = [EARTHSEA, QUARTET];
  tags = [COSY, OWNED];
  list = [];
  sent = [];
});
const note = async (request: Request) => {
  const call = `${request.method} ${decodeURIComponent(new URL(request.url).pathname)}`;
  sent.push(request.method === "DELETE" ? { call } : { call, body: await request.json() });
};

const server = pageServer(
  "/series",
  http.get("*/api/series", () => HttpResponse.json({ data: series })),
  http.get("*/api/tags", () => HttpResponse.json({ data: tags })),
  http.get("*/api/tbr", () => HttpResponse.json({ data: list })),
  http.get("*/api/books", ({ request }) => {
    const query = new URL(request.url).searchParams;
    const [names, tag] = [query.getAll("series"), query.get("tags")];
    const data = READS.filter((read) =>
      tag === null ? names.includes(read.series?.name ?? "") : read.tags.includes(tag),
    );
    return HttpResponse.json({ data, limitedToMonths: null, matching: data.length, nextCursor: null });
  }),
  http.get("*/api/stats/options", () => HttpResponse.json({ genres: [], authors: [], formats: [] })),
  http.patch("*/api/series/:name", async ({ request }) => {
    await note(request);
    return HttpResponse.json({ series: { ...EARTHSEA, name: "Earthsea" }, operationId: 41 });
  }),
  http.patch("*/api/tags/:name", async ({ request }) => {
    await note(request);
    return HttpResponse.json({ tag: COSY, operationId: 42 });
  }),
  http.delete("*/api/tags/:name", async ({ request }) => {
    await note(request);
    return new HttpResponse(null, { status: 204 });
  }),
  http.get("*/api/operations", () =>
    HttpResponse.json({
      data: [{ id: 42, kind: "delete-tag", undone: null, summary: "Tag “cosy” deleted." }],
      nextCursor: null,
    }),
  ),
  http.delete("*/api/operations/:id", async ({ request }) => {
    await note(request);
    return HttpResponse.json({ restored: 1, removed: 0, kept: [] });
  }),
);

function open(path: string) {
  window.history.replaceState(null, "", path);
  renderAs(NORA, path.startsWith("/series") ? <SeriesPage /> : <TagsPage />);
  return userEvent.setup();
}

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const choose = async (menu: string, item: string) => {
  await press(menu);
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
};

it("every series says what is held and what comes next", async () => {
  open("/series");
  expect(await screen.findByText("2 series, 2 books read in them")).toBeTruthy();
  const [earthsea] = screen.getAllByRole("listitem");
  expect(earthsea?.textContent).toContain("You have #1 and #4.");
  expect(earthsea?.textContent).toContain("Next: #2");
  await waitFor(() => expect(earthsea?.textContent).toContain("Frank Herbert"));
  expect(earthsea?.textContent).toContain("Reading #4");
  const link = screen.getByRole("link", { name: "Earthsea" });
  expect(link.getAttribute("href")).toBe("/series/Earthsea");
});

it("the reads of series that do not fit into one answer are fetched in several", async () => {
  server.use(
    http.get("*/api/books", ({ request }) => {
      const isRest = new URL(request.url).searchParams.get("cursor") === "more";
      const data = READS.slice(isRest ? 1 : 0, isRest ? 2 : 1);
      return HttpResponse.json({ data, limitedToMonths: null, matching: 2, nextCursor: isRest ? null : "more" });
    }),
  );
  open("/series");
  expect(await screen.findByText(/Reading #4/)).toBeTruthy();
});

it("without a series the page says how to make one", async () => {
  series = [];
  open("/series");
  expect(await screen.findByText("No series yet")).toBeTruthy();
  expect(screen.getByText("Give a book a series and a number.")).toBeTruthy();
});

it("a series lists its books and gaps by number, and leads to the form for a gap", async () => {
  open("/series/Earthsea");
  const rows = await screen.findByRole("region", { name: "In order" });
  expect(within(rows).getAllByRole("listitem")).toHaveLength(4);
  const titles = within(rows).getAllByRole("link");
  expect(titles.map((link) => link.getAttribute("href"))).toEqual([
    "/book/1",
    "/add-book?series=Earthsea&number=2&author=Frank+Herbert",
    "/add-book?series=Earthsea&number=3&author=Frank+Herbert",
    "/book/2",
  ]);
  const next = screen.getByRole("region", { name: "Next" });
  expect(within(next).getByText("#2")).toBeTruthy();
  expect(within(next).getByRole("link", { name: "Add to TBR" }).getAttribute("href")).toBe(
    "/add-book?tab=tbr&series=Earthsea&number=2&author=Frank+Herbert",
  );
  expect(within(screen.getByRole("region", { name: "In figures" })).getByText("1 of 4")).toBeTruthy();
});

it("a book of a series on the list is not missing", async () => {
  list = [
    { id: 1, title: "Emma" },
    { id: 2, title: "The Tombs of Atuan (earthsea, #2)" },
    { id: 3, title: "The Other Wind (Earthsea, #6)" },
  ];
  open("/series/Earthsea");
  const rows = await screen.findByRole("region", { name: "In order" });
  expect(await within(rows).findByText("On your TBR, place 2")).toBeTruthy();
  expect(within(rows).getByRole("link", { name: "The Tombs of Atuan" }).getAttribute("href")).toBe("/tbr");
  expect(within(rows).getAllByText("Missing")).toHaveLength(1);
  const next = within(screen.getByRole("region", { name: "Next" }));
  expect(next.getByRole("link", { name: "The Tombs of Atuan" }).getAttribute("href")).toBe("/tbr");
  expect(within(screen.getByRole("region", { name: "In figures" })).getByText("1 of 5")).toBeTruthy();
});

it("a series that is read to its end asks for nothing, and one that is read from the middle comes back to its gap", async () => {
  const finished = READS.map((read, at) => ({
    ...read,
    status: "completed",
    series: { name: "Earthsea", number: String(at + 1) },
  }));
  server.use(
    http.get("*/api/books", () =>
      HttpResponse.json({ data: finished, limitedToMonths: null, matching: 2, nextCursor: null }),
    ),
  );
  series = [{ ...EARTHSEA, read: 2, open: 0, known: ["1", "2"], missing: [], next: 3 }];
  open("/series/Earthsea");
  const next = within(await screen.findByRole("region", { name: "Next" }));
  expect(next.getByText("You’ve read all that is known.")).toBeTruthy();
  const link = next.getByRole("link", { name: "Is there a #3? Add it" });
  expect(link.getAttribute("href")).toBe("/add-book?series=Earthsea&number=3&author=Frank+Herbert");
});

it("the list of series says when the next book is on the list", async () => {
  list = [{ id: 2, title: "The Tombs of Atuan (Earthsea, #2)" }];
  open("/series");
  expect(await screen.findByText("Next: #2, on your TBR")).toBeTruthy();
});

it("a series is renamed, says when that merges, and can be undone", async () => {
  const user = open("/series/Earthsea");
  await choose("More for Earthsea", "Rename the series");
  const name = await screen.findByRole("textbox", { name: "Name" });
  await user.clear(name);
  await user.type(name, "earthsea quartet");
  expect(await screen.findByText(/There is a series “Earthsea Quartet” already, with 1 book/)).toBeTruthy();
  await press("Merge");
  await toastSays("The series are merged");
  expect(sent).toEqual([{ call: "PATCH /api/series/Earthsea", body: { name: "earthsea quartet" } }]);
  await press("Undo");
  await toastSays("Undone");
  expect(sent.at(-1)).toEqual({ call: "DELETE /api/operations/41" });
});

it("a series with a new name waits for the list, and never says that it does not exist", async () => {
  let sendList = () => {};
  const user = open("/series/Earthsea");
  await choose("More for Earthsea", "Rename the series");
  const name = await screen.findByRole("textbox", { name: "Name" });
  await user.clear(name);
  await user.type(name, "Erdsee");
  server.use(
    http.patch("*/api/series/:name", () =>
      HttpResponse.json({ series: { ...EARTHSEA, name: "Erdsee" }, operationId: 41 }),
    ),
    http.get("*/api/series", async () => {
      await new Promise<void>((resolve) => {
        sendList = resolve;
      });
      return HttpResponse.json({ data: [{ ...EARTHSEA, name: "Erdsee" }] });
    }),
  );
  await press("Save");
  await toastSays("The series is renamed");
  expect(window.location.pathname).toBe("/series/Erdsee");
  expect(screen.getByText("Fetching the series")).toBeTruthy();
  expect(screen.queryByText("No book is in this series")).toBeNull();
  await waitFor(() => {
    sendList();
    expect(screen.getByRole("heading", { name: "Erdsee", level: 1 })).toBeTruthy();
  });
});

it("Enter renames once", async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.patch("*/api/tags/:name", async ({ request }) => {
      await note(request);
      await answered;
      return HttpResponse.json({ tag: COSY, operationId: 42 });
    }),
  );
  open("/tags");
  await choose("More for the tag cosy", "Rename");
  const name = await screen.findByRole("textbox", { name: "Name" });
  fireEvent.change(name, { target: { value: "読書" } });
  await userEvent.type(name, "{Enter}");
  await screen.findByRole("button", { name: "Saving..." });
  await userEvent.type(name, "{Enter}");
  answer();
  await toastSays("Renamed in 1 book: “cosy” is “読書” now.");
  expect(sent).toEqual([{ call: "PATCH /api/tags/cosy", body: { name: "読書" } }]);
});

it("Undo that is pressed twice is done once", async () => {
  open("/tags");
  await choose("More for the tag cosy", "Delete");
  await press("Delete");
  const undo = await screen.findByRole("button", { name: "Undo" });
  fireEvent.click(undo);
  fireEvent.click(undo);
  await toastSays("Undone");
  expect(sent.map(({ call }) => call)).toEqual(["DELETE /api/tags/cosy", "DELETE /api/operations/42"]);
});

it("another series is merged into this one", async () => {
  open("/series/Earthsea");
  await choose("More for Earthsea", "Merge with another series…");
  expect(await screen.findByRole("option", { name: "Earthsea Quartet (1 book)" })).toBeTruthy();
  await press("Merge");
  await waitFor(() =>
    expect(sent).toEqual([{ call: "PATCH /api/series/Earthsea Quartet", body: { name: "Earthsea" } }]),
  );
});

it("a series without books says so", async () => {
  open("/series/Nowhere%20%25");
  expect(await screen.findByText("No book is in this series")).toBeTruthy();
  expect(document.title).toContain("Nowhere %");
});

it("tags stand with their books, shelves first and then all by name", async () => {
  // The server lists shelves first.
  tags = [OWNED, { ...COSY, name: "Über alles" }, COSY];
  open("/tags");
  expect(await screen.findByText("Your own words for books")).toBeTruthy();
  expect(within(await screen.findByRole("region", { name: "Shelves" })).getByText("2 books")).toBeTruthy();
  const all = within(screen.getByRole("region", { name: "All tags" })).getAllByRole("link");
  expect(all.map(({ textContent }) => textContent)).toEqual([COSY.name, OWNED.name, "Über alles"]);
});

it("without a tag the page says what tags are", async () => {
  tags = [];
  open("/tags");
  expect(await screen.findByText("No tags yet")).toBeTruthy();
  expect(screen.getByText("Tags are your own words for books. Try “owned”.")).toBeTruthy();
});

it("a tag is renamed into one that exists, which merges them, and a comma is refused", async () => {
  const user = open("/tags");
  await choose("More for the tag cosy", "Rename");
  const name = await screen.findByRole("textbox", { name: "Name" });
  await user.clear(name);
  await user.type(name, "a, b");
  expect(await screen.findByText("A tag can't contain a comma.")).toBeTruthy();
  await user.clear(name);
  await user.type(name, "Owned");
  expect(await screen.findByText(/There is a tag “owned” already, on 2 books\. Saving merges the two\./)).toBeTruthy();
  await press("Merge");
  await toastSays("Merged: 1 book moved from “cosy” to “owned”.");
  expect(sent).toEqual([{ call: "PATCH /api/tags/cosy", body: { name: "Owned" } }]);
});

it("a rename whose answer is lost is sent once, and does not say that nothing has the former name", async () => {
  server.use(
    http.patch("*/api/tags/:name", async ({ request }) => {
      await note(request);
      return HttpResponse.error();
    }),
  );
  open("/tags");
  await choose("More for the tag cosy", "Rename");
  await userEvent.type(await screen.findByRole("textbox", { name: "Name" }), " ones{Enter}");
  expect(await screen.findByText("The server can’t be reached.")).toBeTruthy();
  expect(sent).toEqual([{ call: "PATCH /api/tags/cosy", body: { name: "cosy ones" } }]);
});

it("a tag becomes a shelf with an icon, and is a plain tag again", async () => {
  const user = open("/tags");
  await choose("More for the tag cosy", "Show as a shelf");
  await user.click(await screen.findByRole("radio", { name: "Heart" }));
  await press("Save");
  await waitFor(() => expect(sent).toEqual([{ call: "PATCH /api/tags/cosy", body: { shelf: true, icon: "heart" } }]));
  await choose("More for the shelf owned", "No longer a shelf");
  await waitFor(() => expect(sent.at(-1)).toEqual({ call: "PATCH /api/tags/owned", body: { shelf: false } }));
});

it("a tag is deleted after a question, and comes back by Undo", async () => {
  open("/tags");
  await choose("More for the tag cosy", "Delete");
  expect(await screen.findByText("“cosy” is taken off 1 book. The books stay. You can undo it.")).toBeTruthy();
  await press("Delete");
  await toastSays("“cosy” is taken off 1 book.");
  await press("Undo");
  await toastSays("Undone");
  expect(sent.map(({ call }) => call)).toEqual(["DELETE /api/tags/cosy", "DELETE /api/operations/42"]);
});

it("a tag that is gone already is said to be gone, without an undo", async () => {
  const gone = { error: "There is no such tag.", code: "not_found" };
  server.use(http.delete("*/api/tags/:name", () => HttpResponse.json(gone, { status: 404 })));
  open("/tags");
  await choose("More for the tag cosy", "Delete");
  await press("Delete");
  await toastSays("“cosy” is taken off 1 book.");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

it("the focus stays in the list when the row that had it is gone", async () => {
  open("/tags");
  await choose("More for the tag cosy", "Delete");
  tags = [OWNED];
  await press("Delete");
  await waitFor(() => expect(screen.queryByRole("link", { name: "cosy" })).toBeNull());
  const list = within(screen.getByRole("region", { name: "All tags" })).getByRole("list");
  await waitFor(() => expect(document.activeElement).toBe(list));
});

it("a tag with more books than its page shows does not add up their words", async () => {
  tags = [{ ...OWNED, books: 612 }];
  const data = Array.from({ length: 500 }, (_, at) => ({ ...READS[0], id: at, work: at }));
  server.use(http.get("*/api/books", () => HttpResponse.json({ data, limitedToMonths: null, matching: 612 })));
  open("/tags/owned");
  expect(await screen.findByText("612 books")).toBeTruthy();
  expect(screen.getByText("25 of 500 newest books")).toBeTruthy();
  expect(screen.getByRole("link", { name: "All of them in the dashboard" })).toBeTruthy();
});

it("a tag's page has its books and leads to the dashboard", async () => {
  open("/tags/owned");
  expect(await screen.findByText("2 books, 400.0K words")).toBeTruthy();
  expect((await screen.findByRole("link", { name: "Tehanu" })).getAttribute("href")).toBe("/book/2");
  expect(screen.getByRole("link", { name: "Open in the dashboard" }).getAttribute("href")).toBe(
    "/dashboard?tags=owned",
  );
});
