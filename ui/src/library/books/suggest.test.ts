import { expect, it } from "vitest";
import { lastEntry, suggestions, withEntry } from "./suggest";

const GENRES = ["Fantasy", "Science Fiction", "Historical Fiction", "Fiction", "Épopée", "Classics"];

it("known names are suggested by their beginning or the beginning of a word", () => {
  expect(suggestions("fi", GENRES)).toEqual(["Science Fiction", "Historical Fiction", "Fiction"]);
  expect(suggestions("epo", GENRES)).toEqual(["Épopée"]);
  expect(suggestions("iction", GENRES)).toEqual([]);
  expect(suggestions(" ", GENRES)).toEqual([]);
});

it("a name in another spelling is suggested as it is known, a complete one is not", () => {
  expect(suggestions("fantasy", GENRES)).toEqual(["Fantasy"]);
  expect(suggestions("Fantasy", GENRES)).toEqual([]);
});

it("in a list the last entry counts, and choosing one makes room for the next", () => {
  expect(lastEntry("Classics, fan")).toEqual({ before: "Classics,", entry: "fan" });
  expect(withEntry("Classics, fan", "Fantasy")).toBe("Classics, Fantasy, ");
  expect(withEntry("fan", "Fantasy")).toBe("Fantasy, ");
});
