import { describe, expect, it } from "vitest";
import { withQuery } from "../../kit/api/client";
import { dateBefore } from "../../kit/format";
import { earlierYears, type Filter, filterPeriodName, isFiltered, parseFilter, toQuery, UNFILTERED } from "./filter";
import { chipsOf } from "./filters";

const full: Filter = {
  titleSearch: "sea & sky",
  genres: ["Science Fiction", "Fantasy"],
  authors: ["Ursula K. Le Guin"],
  tags: ["owned"],
  series: ["Earthsea"],
  languages: ["pt-BR"],
  formats: ["eBook"],
  statuses: ["in-progress", "paused"],
  reread: "only",
  minRating: 9,
  startDate: "2025-01-01",
  endDate: "2025-06-30",
};
const TODAY = "2025-11-18";
const serialise = (filter: Filter) => withQuery("", toQuery(filter)).slice(1);

describe("the address", () => {
  it("brings back every filter that was written into it", () => {
    expect(parseFilter(serialise(full))).toEqual(full);
  });

  it("is empty when nothing is filtered", () => {
    expect(serialise(UNFILTERED)).toBe("");
    expect(parseFilter("")).toEqual(UNFILTERED);
  });

  it("ignores invalid values", () => {
    const odd =
      "?reread=perhaps&minRating=11&startDate=yesterday&formats=Papyrus&status=toString&genres=&genres=A&genres=A";
    expect(parseFilter(odd)).toEqual({ ...UNFILTERED, genres: ["A"] });
  });

  it("uses the API's own names, and a list is repeated", () => {
    expect(serialise({ ...UNFILTERED, genres: ["A", "B"] })).toBe("genres=A&genres=B");
    expect(Object.keys(toQuery(full))).toEqual([
      "titleSearch",
      "genres",
      "authors",
      "tags",
      "series",
      "language",
      "formats",
      "status",
      "reread",
      "minRating",
      "startDate",
      "endDate",
    ]);
  });

  it("does not hold a search of blanks", () => {
    expect(isFiltered({ ...UNFILTERED, titleSearch: "  " })).toBe(false);
  });
});

describe("chips", () => {
  it("name every filter but the search, in the order of the bar", () => {
    expect(chipsOf(full, TODAY).map(({ label }) => label)).toEqual([
      "Science Fiction",
      "Fantasy",
      "Ursula K. Le Guin",
      "eBook",
      "Only rereads",
      "Rating 9 and up",
      "Jan 1, 2025 - Jun 30, 2025",
      "In Progress",
      "Paused",
      "owned",
      "Earthsea",
      "Brazilian Portuguese",
    ]);
  });

  it("take away just their own filter", () => {
    const fantasy = chipsOf(full, TODAY).find(({ label }) => label === "Fantasy");
    expect(fantasy?.without).toEqual({ genres: ["Science Fiction"] });
  });
});

describe("periods", () => {
  it.each([
    ["2025-01-01", "", "This year"],
    ["2024-11-18", "", "Last 12 months"],
    ["2025-10-19", "", "Last 30 days"],
    ["2024-01-01", "2024-12-31", "2024"],
    ["2019-01-01", "2019-12-31", "2019"],
    ["2024-01-01", "2024-11-18", "Last year to this day"],
    ["2025-03-07", "", "From Mar 7, 2025"],
    ["", "2025-03-07", "Until Mar 7, 2025"],
    ["", "", ""],
  ])("from '%s' to '%s' is called '%s'", (startDate, endDate, name) => {
    expect(filterPeriodName({ startDate, endDate }, TODAY)).toBe(name);
  });

  it("are offered for each year back to the first book", () => {
    expect(earlierYears(TODAY, "2021-05-03").map(({ label }) => label)).toEqual(["2023", "2022", "2021"]);
    expect(earlierYears(TODAY, "2025-05-03")).toEqual([]);
  });

  it("go back over the ends of months and leap days", () => {
    expect(dateBefore("2025-03-01", { days: 1 })).toBe("2025-02-28");
    expect(dateBefore("2024-02-29", { years: 1 })).toBe("2023-02-28");
  });
});

it("days that no calendar has, or no book can have, are ignored", () => {
  for (const day of ["2025-99-99", "2025-02-30", "0202-01-01", "2101-01-01", "now"]) {
    expect(parseFilter(`?startDate=${day}&endDate=${day}`), day).toMatchObject({ startDate: "", endDate: "" });
  }
  expect(parseFilter("?startDate=2024-02-29").startDate).toBe("2024-02-29");
});
