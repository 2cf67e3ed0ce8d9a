import { describe, expect, it } from "vitest";
import type { SyncConflict, SyncEntry } from "../../../kit/api/types";
import { conflictText, dateText, deletedText, entryText, leftText, theirsText, tracker, valueText } from "./texts";

const RATED: SyncConflict = {
  id: 1,
  row: 2,
  title: "Emma",
  author: "Jane Austen",
  field: "rating",
  mine: 8.5,
  theirs: 10,
  before: 8,
};

const entry = (change: Partial<SyncEntry>): SyncEntry => ({
  row: 2,
  kind: "new",
  title: "Emma",
  author: "Jane Austen",
  status: "completed",
  completed: null,
  fields: [],
  ...change,
});

describe("the texts of a newer file", () => {
  it("says a conflict in plain words", () => {
    expect(conflictText(RATED)).toBe("“Emma”: rated 8.5 here, 10 there; it was 8 in the last file.");
    const started = { ...RATED, field: "status" as const, mine: "completed", theirs: "in-progress" };
    expect(conflictText(started)).toBe("Status. The finished read is never moved back.");
    expect(theirsText(started)).toBe("Start it again");
    expect(theirsText({ ...started, mine: "did-not-finish" })).toBe("Go on reading");
    expect(theirsText({ ...started, theirs: "to-read" })).toBe("Put it on your TBR again");
  });

  it("shows values of every kind", () => {
    expect(valueText("dateCompleted", "2019-03-01")).toBe("Mar 1, 2019");
    expect(valueText("dateCompleted", null)).toBe("no date");
    expect(valueText("rating", null)).toBe("empty");
    expect(valueText("originalYear", 1999)).toBe("1999");
    expect(valueText("wordCount", 83_600)).toBe("83,600");
    expect(valueText("tags", ["sf", "owned"])).toBe("sf, owned");
    expect(valueText("series", { name: "The Expanse", number: "8" })).toBe("The Expanse, #8");
    expect(valueText("contributors", [{ name: "Ann One", role: "translator" }])).toBe("Ann One");
    expect(
      ["2019", "2019-03", "1990/1999", "2020-03/2020-05", "../2014", "2020-03-05/2020-07-08"].map(dateText),
    ).toEqual(["2019", "March 2019", "1990 – 1999", "Mar – May 2020", "before 2015", "Mar 5 – Jul 8, 2020"]);
  });

  it("says what becomes of each row", () => {
    expect(entryText(entry({ completed: "2025-10-30" }))).toBe("read Oct 30, 2025");
    expect(entryText(entry({ kind: "listed", status: null }))).toBe("to your TBR");
    const rating = { field: "rating" as const, from: 7, to: 8 };
    expect(entryText(entry({ kind: "changed", fields: [rating] }))).toBe("rating 7 → 8");
    expect(entryText(entry({ kind: "changed", fields: [{ ...rating, from: null }] }))).toBe("rated 8");
    const title = { field: "title" as const, from: "a", to: "b" };
    expect(entryText(entry({ kind: "changed", fields: [rating, title] }))).toBe("rating, title");
  });

  it("counts what stays", () => {
    expect(leftText(1)).toBe("1 conflict left unchanged.");
    expect(deletedText(2)).toBe("2 books of the file were deleted here. They stay deleted.");
    expect([tracker("storygraph"), tracker("unknown"), tracker("constructor")]).toEqual(["StoryGraph", null, null]);
  });
});
