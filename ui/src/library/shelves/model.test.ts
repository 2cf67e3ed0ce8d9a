import { describe, expect, it } from "vitest";
import type { SeriesEntry, TbrItem } from "../../kit/api/types";
import { aRead } from "../books/test-read";
import {
  authorsLine,
  beyond,
  heldLine,
  listedBySeries,
  nextLine,
  nextOf,
  openOf,
  placesOf,
  readingLine,
  readLine,
  rowsOf,
  shelfIcon,
  titleInSeries,
} from "./model";

const series = (fields: Partial<SeriesEntry> = {}): SeriesEntry => ({
  name: "Earthsea",
  read: 2,
  open: 1,
  known: ["1", "1.5", "4"],
  missing: [2, 3],
  next: 2,
  ...fields,
});

describe("what a reader has of a series", () => {
  it("is said by number", () => {
    expect(heldLine(series())).toBe("You have #1, #1.5 and #4.");
    expect(heldLine(series({ known: ["10"] }))).toBe("You have #10.");
    const many = ["1", "2", "3", "5", "6", "7", "8", "9", "9.5", "11"];
    expect(heldLine(series({ known: many }))).toBe("You have #1, #2, #3, #5 to #9, #9.5 and #11.");
    expect(heldLine(series({ known: [], read: 1, open: 1 }))).toBe("You have 2 books without a number.");
  });

  it("is all of it where nothing is missing or open", () => {
    const whole = series({ known: ["1", "2", "3"], missing: [], read: 3, open: 0, next: 4 });
    expect(readLine(whole)).toBe("All three read.");
    expect(readLine({ ...whole, known: ["1", "2"], read: 2 })).toBe("Both read.");
    expect(readLine({ ...whole, open: 1 })).toBe("You have #1, #2 and #3.");
    expect(readLine({ ...whole, known: ["1"], read: 1 })).toBe("You have #1.");
  });
});

it("the whole numbers of a series are read, held or missing, in order", () => {
  expect(placesOf(series()).map(({ number, state }) => `${number} ${state}`)).toEqual([
    "1 read",
    "2 missing",
    "3 missing",
    "4 held",
  ]);
  // One book is read, and two numbers stand before the next one: it is not known which of them.
  const unclear = series({ known: ["1", "2"], missing: [], read: 1, open: 1, next: 3 });
  expect(placesOf(unclear).map(({ state }) => state)).toEqual(["held", "held"]);
});

it("a series names its authors, of many only the first", () => {
  expect(authorsLine(["Homer"])).toBe("Homer");
  expect(authorsLine(["A", "B", "C", "D"])).toBe("A, B, C, D");
  expect(authorsLine(["A", "B", "C", "D", "E"])).toBe("A, B, C and 2 more");
});

it("next comes the lowest number that is known and not read, whatever the server says", () => {
  const read = (number: string, status: "completed" | "in-progress" | "did-not-finish" = "completed") =>
    aRead({ id: Number(number), work: Number(number), series: { name: "Earthsea", number }, status });
  const on = [{ title: "Children of Dune", number: "3", place: 2 }];
  const dune = series({ known: ["1", "2", "4"], missing: [3], read: 3, open: 0, next: 5 });
  const places = placesOf(dune, [read("1"), read("2"), read("4")], on);
  expect(nextOf(places)?.number).toBe("3");
  expect(places.flatMap((place) => (place.number === "3" ? nextLine(place, on) : []))).toEqual([
    "Next: #3, on your TBR",
  ]);
  expect(beyond(places)).toBeNull();

  const whole = placesOf(series({ known: ["1", "2"], missing: [], read: 2, open: 0, next: null }), [
    read("1"),
    read("2"),
  ]);
  expect([nextOf(whole), beyond(whole)]).toEqual([null, 3]);
  expect([nextOf([]), beyond([])]).toEqual([null, null]);

  const given = placesOf(series({ known: ["1", "2"], missing: [] }), [
    read("1", "did-not-finish"),
    read("2", "in-progress"),
  ]);
  expect([nextOf(given), beyond(given)]).toEqual([null, null]);
});

it("the places of a series follow its reads, where they are known", () => {
  const of = (number: string, status: "completed" | "in-progress", progress: number | null = null) =>
    aRead({
      series: { name: "Earthsea", number },
      status,
      progress: progress === null ? null : { at: progress, page: null, day: "2025-01-01" },
    });
  const reads = [of("1", "in-progress"), of("4", "completed")];
  expect(placesOf(series(), reads).map(({ state, book }) => `${state} ${book !== null}`)).toEqual([
    "held true",
    "missing false",
    "missing false",
    "read true",
  ]);
  expect(readingLine(of("2", "in-progress", 3800))).toBe("Reading #2, 38%");
  expect(openOf([of("4", "completed")])).toBeUndefined();
});

it("a series' page has each book once and the missing numbers, by number", () => {
  const of = (id: number, number: string | null, work = id) =>
    aRead({ id, work, series: { name: "Earthsea", number } });
  const rows = rowsOf([of(5, "4"), of(1, "1"), of(9, "1", 1), of(7, null), of(8, "1.5"), of(6, "10")], [2, 3]);
  expect(rows.map(({ number, book }) => [number, book?.id])).toEqual([
    ["1", 9],
    ["1.5", 8],
    ["2", undefined],
    ["3", undefined],
    ["4", 5],
    ["10", 6],
    [null, 7],
  ]);
});

it("numbers that are texts are in the order of the numbers in them, behind those that begin with one", () => {
  const of = (id: number, number: string | null) => aRead({ id, work: id, series: { name: "Earthsea", number } });
  const numbers = ["Part 10", "10-12", "Part 3", null, "3-4", "5"];
  const rows = rowsOf(
    numbers.map((number, at) => of(at + 1, number)),
    [],
  );
  expect(rows.map(({ number }) => number)).toEqual(["3-4", "5", "10-12", "Part 3", "Part 10", null]);
});

it("a title that names its series is found by it", () => {
  const title = titleInSeries(" Tehanu ", "Earthsea", "4");
  expect(title).toBe("Tehanu (Earthsea, #4)");
  expect(listedBySeries([{ title } as TbrItem])("Earthsea")).toEqual([{ title: "Tehanu", number: "4", place: 1 }]);
});

it("a title on the list names a series behind it", () => {
  const titles = [
    "Tehanu (Earthsea, #4)",
    "Leviathan Wakes (The Expanse #1)",
    "Two (ÉARTHSEA, #0.5; Other, #3)",
    "Emma (Penguin Classics)",
    "(Earthsea, #9)",
    "Tales (Omnibus) (Earthsea, #1-3)",
  ];
  const listedOf = listedBySeries(titles.map((title, at) => ({ id: at + 1, title }) as TbrItem));
  expect(listedOf("earthsea")).toEqual([
    { title: "Tehanu", number: "4", place: 1 },
    { title: "Two", number: "0.5", place: 3 },
    { title: "Tales (Omnibus)", number: "1-3", place: 6 },
  ]);
  expect(listedOf("The Expanse")).toHaveLength(1);
  expect(listedOf("Penguin Classics")).toEqual([]);
});

it("a book of several numbers has the place of each, as does one on the list", () => {
  const held = series({ known: ["1-3", "Book 5"], missing: [4], read: 2, open: 0, next: 6 });
  const states = (listed: Parameters<typeof placesOf>[2]) => placesOf(held, [], listed).map(({ state }) => state);
  expect(states([])).toEqual(["read", "read", "read", "missing", "read"]);
  const listed = { title: "Four and five", number: "4-5", place: 1 };
  expect(states([listed])).toEqual(["read", "read", "read", "held", "read"]);
  expect(rowsOf([], [4], [listed]).map(({ number }) => number)).toEqual(["4-5"]);
  expect(heldLine(held)).toBe("You have #1-3 and Book 5.");
});

it("a number on the list is held, and one beyond the highest stands, too", () => {
  const listed = ["2", "2", "4", "6", "2.5"].map((number, at) => ({ title: `T${number}`, number, place: at + 1 }));
  expect(placesOf(series(), [], listed).map(({ number, state }) => `${number} ${state}`)).toEqual([
    "1 read",
    "2 held",
    "3 missing",
    "4 held",
    "6 held",
  ]);
  const reads = [aRead({ id: 5, work: 5, series: { name: "Earthsea", number: "4" } })];
  expect(rowsOf(reads, [2, 3], listed).map((row) => [row.number, row.book?.id ?? row.listed?.place])).toEqual([
    ["2", 1],
    ["2.5", 5],
    ["3", undefined],
    ["4", 5],
    ["6", 4],
  ]);
});

it("an icon that is not known is that of a tag", () => {
  expect([shelfIcon("heart"), shelfIcon(null), shelfIcon("rocket")]).toEqual(["heart", "tag", "tag"]);
});
