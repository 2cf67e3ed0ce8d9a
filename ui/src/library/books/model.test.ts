import { describe, expect, it } from "vitest";
import type { Place } from "../../access/place";
import type { Book, Passage, TbrItem } from "../../kit/api/types";
import {
  type BookForm,
  changes,
  emptyForm,
  finishForm,
  formField,
  formOf,
  formOfItem,
  type Mode,
  modeOf,
  needsRating,
  plainQuote,
  refusalsOf,
  toChange,
  toFinish,
  toNew,
  wholeNumber,
} from "./model";
import { aRead } from "./test-read";

const form = (changes: Partial<BookForm> = {}): BookForm => ({
  ...emptyForm("Print"),
  title: "Kindred",
  author: "Octavia E. Butler",
  startDate: "2025-03-01",
  dateCompleted: "2025-03-09",
  rating: 9,
  wordDistribution: "spread",
  ...changes,
});

const book = (changes: Partial<Book> = {}): Book =>
  aRead({
    title: "Kindred",
    author: "Octavia E. Butler",
    wordCount: 97_300,
    pages: 304,
    isbn: "9780807083697",
    dateCompleted: "2025-03-09",
    year: 2025,
    month: 3,
    rating: 9,
    format: "eBook",
    reread: true,
    genres: ["Science Fiction", "Historical Fiction"],
    impressions: "Could not stop.\n",
    quotes: ["I lost an arm on my last trip home."],
    authors: ["Octavia E. Butler"],
    createdAt: "2025-03-09T10:00:00Z",
    updatedAt: "2025-03-09T10:00:00Z",
    ...changes,
  });

const NORTH: Place = { hemisphere: "north", today: "2025-06-01" };

const STORED: Record<Mode, Book> = {
  single: book(),
  span: book({ startDate: "2025-03-01", wordDistribution: "spread" }),
  "in-progress": book({ status: "in-progress", startDate: "2025-03-01", dateCompleted: null, rating: null }),
  "no-date": book({ status: "undated", dateCompleted: null, rating: null }),
  "did-not-finish": book({ status: "did-not-finish", dateCompleted: null, stoppedDate: "2025-03-09", rating: 4 }),
};

describe("modes and stored books", () => {
  it.each(Object.entries(STORED))("%s is found again in the stored book", (mode, stored) => {
    expect(modeOf(stored)).toBe(mode);
    expect(formOf(stored).mode).toBe(mode);
  });

  it.each(Object.entries(STORED))("%s: the untouched form of a book sends the stored values", (_, stored) => {
    const detail = { ...stored, passages: stored.quotes.map(plainQuote) };
    expect(detail).toMatchObject(toChange(formOf(detail), NORTH, detail));
  });

  it("single is completed without a start, its words counted on the day", () => {
    expect(toNew(form({ mode: "single" }), NORTH)).toMatchObject({
      status: "completed",
      startDate: null,
      dateCompleted: "2025-03-09",
      rating: 9,
      wordDistribution: "final",
    });
  });

  it("span has both dates and the chosen distribution", () => {
    expect(toNew(form({ mode: "span" }), NORTH)).toMatchObject({
      status: "completed",
      startDate: "2025-03-01",
      dateCompleted: "2025-03-09",
      rating: 9,
      wordDistribution: "spread",
    });
  });

  it("in-progress keeps at most the start, whatever other modes were tried", () => {
    const ongoing = { status: "in-progress", dateCompleted: null, rating: null, wordDistribution: "final" };
    expect(toNew(form({ mode: "in-progress" }), NORTH)).toMatchObject({ ...ongoing, startDate: "2025-03-01" });
    expect(toNew(form({ mode: "in-progress", startDate: "" }), NORTH)).toMatchObject({ ...ongoing, startDate: null });
  });

  it("no-date has no dates, and a rating tried in another mode is not sent along", () => {
    const sent = toNew(form({ mode: "no-date" }), NORTH);
    expect(sent).toMatchObject({ status: "undated", startDate: null, dateCompleted: null });
    expect(sent).not.toHaveProperty("rating");
  });

  it("the rating of an undated book stays, and can be changed", () => {
    const imported = book({ status: "undated", dateCompleted: null, rating: 8 });
    expect(toChange(formOf(imported), NORTH, imported).rating).toBe(8);
    expect(toChange({ ...formOf(imported), rating: 6 }, NORTH, imported).rating).toBe(6);
    const finished = book({ rating: 8 });
    expect(toChange({ ...formOf(finished), mode: "no-date" }, NORTH, finished).rating).toBe(8);
  });
});

describe("a payload", () => {
  it("a new one leaves out empty texts, a change clears them", () => {
    const empty = form({ impressions: "", passages: [] });
    expect(Object.keys(toNew(empty, NORTH))).not.toContain("impressions");
    expect(Object.keys(toNew(empty, NORTH))).not.toContain("passages");
    expect(toChange(empty, NORTH)).toMatchObject({ impressions: null, passages: [], pages: null, isbn: null });
  });

  it("genres are parted at commas, trimmed, without empty ones", () => {
    expect(toNew(form({ genres: " Fiction,, Science Fiction ,Thriller," }), NORTH).genres).toEqual([
      "Fiction",
      "Science Fiction",
      "Thriller",
    ]);
  });

  it("a quote that was typed and not added is sent too, a blank one is not", () => {
    const [a, b] = ["a", "b"].map(plainQuote);
    expect(toNew(form({ passages: [a as Passage], nextQuote: " b\n" }), NORTH).passages).toEqual([a, b]);
    expect(toNew(form({ passages: [a as Passage], nextQuote: " \n" }), NORTH).passages).toEqual([a]);
  });

  it("a quote keeps its place, note and day; a note without a text is kept, too", () => {
    const known = { text: "a", place: "p. 212", note: "Aloud.", day: "2025-03-09" };
    const note = { text: "", place: null, note: "Ask Ida.", day: null };
    const empty = { text: " ", place: "p. 1", note: " ", day: null };
    const detail = { ...book(), passages: [known, note, empty] };
    expect(toChange(formOf(detail), NORTH).passages).toEqual([known, note]);
    expect(changes(formOf(detail), { ...formOf(detail), passages: [known] }, NORTH, detail)).toEqual({
      passages: [known],
    });
  });

  it("names the to-be-read item that it takes off the list", () => {
    expect(toNew(form(), NORTH, 12).tbrId).toBe(12);
    expect(toNew(form(), NORTH)).not.toHaveProperty("tbrId");
  });

  it.each([
    ["97300", 97_300],
    ["97,300", 97_300],
    ["1 097 300", 1_097_300],
    ["97300 words", 97_300],
    ["many", 0],
    ["", 0],
    ["-5", -5],
  ])("%o words are %i", (typed, words) => {
    expect(wholeNumber(typed)).toBe(words);
  });
});

describe("refused values", () => {
  it.each<[Mode, string[]]>([
    ["single", ["title", "author", "rating", "dateCompleted"]],
    ["span", ["title", "author", "rating", "startDate", "dateCompleted"]],
    ["in-progress", ["title", "author"]],
    ["no-date", ["title", "author"]],
  ])("an empty form in mode %s lacks %j", (mode, fields) => {
    expect(Object.keys(refusalsOf({ ...emptyForm("Print"), mode })).sort()).toEqual(fields.sort());
  });

  it("a filled form is in order in every mode, a rating of 0 included", () => {
    for (const mode of ["single", "span", "in-progress", "no-date"] as const) {
      expect(refusalsOf(form({ mode, rating: 0 }))).toEqual({});
    }
  });

  it("a span that starts after its end, but not one of a single day", () => {
    expect(refusalsOf(form({ mode: "span", startDate: "2025-03-10" }))).toHaveProperty("startDate");
    expect(refusalsOf(form({ mode: "span", startDate: "2025-03-09" }))).toEqual({});
    expect(refusalsOf(form({ mode: "single", startDate: "2025-03-10" }))).toEqual({});
  });

  it.each<[Partial<BookForm>, string]>([
    [{ dateCompleted: "1899-12-31" }, "dateCompleted"],
    [{ dateCompleted: "2101-01-01" }, "dateCompleted"],
    [{ title: "x".repeat(501) }, "title"],
    [{ author: " " }, "author"],
    [{ wordCount: "-1" }, "wordCount"],
    [{ wordCount: "100,000,001" }, "wordCount"],
    [{ pages: "0" }, "pages"],
    [{ pages: "a lot" }, "pages"],
    [{ pages: "100001" }, "pages"],
    [{ nextQuote: "x".repeat(5_001) }, "nextQuote"],
  ])("%j", (changes, field) => {
    expect(Object.keys(refusalsOf(form(changes)))).toEqual([field]);
  });

  it("characters are counted as readers count them", () => {
    expect(refusalsOf(form({ title: "📚".repeat(500) }))).toEqual({});
  });

  it("a finished book that came unrated may stay so; one finished in the form may not", () => {
    const imported = book({ rating: null });
    expect(needsRating("single", imported)).toBe(false);
    expect(refusalsOf(formOf(imported), imported)).toEqual({});
    const ongoing = STORED["in-progress"];
    const finished = { ...formOf(ongoing), mode: "single" as const, dateCompleted: "2025-04-01" };
    expect(refusalsOf(finished, ongoing)).toHaveProperty("rating");
  });
});

describe("a form from the to-be-read list", () => {
  const item: TbrItem = {
    id: 3,
    title: "The Odyssey",
    author: null,
    wordCount: null,
    notes: "Emily Wilson's translation.",
    pages: 400,
    isbn: null,
    position: 1,
    format: null,
    tags: [],
    wordCountSource: null,
    createdAt: "2025-03-09T10:00:00Z",
  };

  it("works unknown words out from the pages, and makes impressions of the notes", () => {
    expect(formOfItem(item, "Audio")).toMatchObject({
      title: "The Odyssey",
      author: "",
      wordCount: "110000",
      wordCountSource: "pages",
      pages: "400",
      impressions: "Emily Wilson's translation.",
      format: "Audio",
      mode: "single",
    });
  });

  it("was finished today", () => {
    expect(formOfItem(item, "Print", "2025-11-18").dateCompleted).toBe("2025-11-18");
  });

  it("keeps the item's format, its tags and the origin of its words", () => {
    const known: TbrItem = { ...item, wordCount: 9, wordCountSource: "epub", format: "eBook", tags: ["club"] };
    expect(formOfItem(known, "Audio")).toMatchObject({ format: "eBook", tags: ["club"], wordCountSource: "epub" });
  });

  it("takes known words as they are", () => {
    expect(formOfItem({ ...item, wordCount: 0 }, "Print")).toMatchObject({
      wordCount: "0",
      wordCountSource: "entered",
    });
  });
});

describe("days in the future", () => {
  const TODAY = "2025-03-09";

  it("are questioned until they are confirmed, each for itself", () => {
    const late = form({ mode: "single", dateCompleted: "2025-03-10" });
    expect(refusalsOf(late, null, { today: TODAY })).toEqual({
      dateCompleted: "Mar 10, 2025 is in the future. Is it right?",
    });
    expect(refusalsOf({ ...late, sureOf: ["2025-03-10"] }, null, { today: TODAY })).toEqual({});
    expect(refusalsOf({ ...late, sureOf: ["2025-03-11"] }, null, { today: TODAY })).toHaveProperty("dateCompleted");
    expect(refusalsOf(form({ mode: "single" }), null, { today: TODAY })).toEqual({});
  });

  it("that are stored already are not questioned again", () => {
    const planned = book({ dateCompleted: "2062-11-22" });
    expect(refusalsOf(formOf(planned), planned, { today: TODAY })).toEqual({});
  });
});

it("finishing sends what changes with it, and a known start makes a span", () => {
  const started = STORED["in-progress"];
  expect(toFinish({ ...finishForm(started, "2025-03-11"), rating: 7 }, NORTH)).toEqual({
    status: "completed",
    startDate: "2025-03-01",
    dateCompleted: "2025-03-11",
    rating: 7,
    wordDistribution: "final",
  });
  expect(finishForm({ ...started, startDate: null }, "2025-03-11").mode).toBe("single");
});

it("an error of an API field shows beside the form's field", () => {
  expect(["title", "status", "quotes", "tbrId"].map(formField)).toEqual(["title", "mode", "nextQuote", undefined]);
});

describe("rough dates", () => {
  const rough = book({ completedFrom: "2020-03-01", dateCompleted: "2020-05-31" });

  it("a rough date is sent with both ends, and the words of the stored one mean the same", () => {
    const spring = { dateCompleted: "2020-05-31", completedFrom: "2020-03-01" };
    expect(toNew(form({ dateCompleted: "spring 2020" }), NORTH)).toMatchObject(spring);
    expect(formOf(rough).dateCompleted).toBe("2020-03-01/2020-05-31");
    expect(toChange(formOf(rough), NORTH, rough)).toMatchObject(spring);
  });

  it("the seasons are those of the reader's hemisphere, and today is the reader's", () => {
    const south = { ...NORTH, hemisphere: "south" } as const;
    const typed = (dateCompleted: string) => toNew(form({ dateCompleted }), south);
    expect(typed("spring 2020")).toMatchObject({ dateCompleted: "2020-11-30", completedFrom: "2020-09-01" });
    expect(typed("today")).toMatchObject({ dateCompleted: "2025-06-01" });
    expect(typed("today")).not.toHaveProperty("completedFrom");
  });

  it("a change names both ends of a rough date, and only the first possible day where the last stays", () => {
    const to = (dateCompleted: string) => changes(formOf(rough), { ...formOf(rough), dateCompleted }, NORTH, rough);
    expect(to("2020-03/2020-06")).toEqual({ dateCompleted: "2020-06-30", completedFrom: "2020-03-01" });
    expect(to("2020")).toEqual({ dateCompleted: "2020-12-31", completedFrom: "2020-01-01" });
    expect(to("2020-05-31")).toEqual({ completedFrom: null });
    expect(to("spring 2020")).toEqual({});
  });

  it("what is not understood is refused, and so is a future that no one confirmed", () => {
    const refusal = (dateCompleted: string) => refusalsOf(form({ dateCompleted }), null, NORTH).dateCompleted;
    expect(refusal("winter 2020")).toBe("Winter 2019/20 or winter 2020/21? Write it with both years.");
    expect(refusal("sometime")).toMatch(/^Try a day, a month, a year/);
    expect(refusal("2026")).toBe("Jan 1, 2026 is in the future. Is it right?");
    expect(refusal("2025")).toBeUndefined();
  });

  it("a span ends on a day", () => {
    expect(toNew(form({ mode: "span" }), NORTH)).not.toHaveProperty("completedFrom");
    expect(refusalsOf({ ...formOf(rough), mode: "span", startDate: "2020-03-01" }, rough, NORTH)).toHaveProperty(
      "dateCompleted",
    );
  });
});

describe("a book that was given up", () => {
  const form = { ...emptyForm("Print"), title: "Ulysses", author: "James Joyce", mode: "did-not-finish" as const };
  it("needs neither a day nor a rating, and keeps both", () => {
    expect(refusalsOf(form)).toEqual({});
    const sent = toChange({ ...form, startDate: "2025-02-10", stoppedDate: "2025-03-20", rating: 4 }, NORTH);
    expect(sent).toMatchObject({
      status: "did-not-finish",
      startDate: "2025-02-10",
      dateCompleted: null,
      stoppedDate: "2025-03-20",
      rating: 4,
    });
    expect(modeOf({ status: "did-not-finish", startDate: null })).toBe("did-not-finish");
  });
  it("was not given up before its start", () => {
    const refused = refusalsOf({ ...form, startDate: "2025-02-10", stoppedDate: "2025-02-09" });
    expect(refused).toEqual({ stoppedDate: "The day can't be before the start date." });
  });
});

it("a book in progress may be paused", () => {
  const form = { ...emptyForm("Print"), title: "Trust", author: "Hernan Diaz", mode: "in-progress" as const };
  expect(toChange({ ...form, pausedSince: "2025-03-20" }, NORTH)).toMatchObject({
    pausedSince: "2025-03-20",
    rating: null,
  });
  expect(toChange(form, NORTH)).toMatchObject({ pausedSince: null });
  expect(
    toChange({ ...form, mode: "single", dateCompleted: "2025-03-21", pausedSince: "2025-03-20" }, NORTH),
  ).not.toHaveProperty("pausedSince");
});
