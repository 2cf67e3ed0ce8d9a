import { expect, it } from "vitest";
import { genresWith } from "./genres";

const tally = (name: string, words: number) => ({ name, words, books: 1 });
const KNOWN = [tally("Classics", 300), tally("Crime", 200), tally("Fantasy", 100)];

it("a new genre has the rank that it gets when the book is saved", () => {
  expect(genresWith(KNOWN, { genres: ["Poetry"], wordCount: 250 })).toEqual(["Classics", "Poetry", "Crime", "Fantasy"]);
  expect(genresWith(KNOWN, { genres: ["crime"], wordCount: 150 })).toEqual(["Crime", "Classics", "Fantasy"]);
});

it("the stored words of a book that is edited are not counted twice", () => {
  const stored = { genres: ["Fantasy"], wordCount: 100, status: "completed" as const };
  expect(genresWith(KNOWN, { genres: ["Fantasy"], wordCount: 150 }, stored)).toEqual(["Classics", "Crime", "Fantasy"]);
  expect(genresWith(KNOWN, { genres: ["Fantasy"], wordCount: 150 }, { ...stored, status: "in-progress" })).toEqual([
    "Classics",
    "Fantasy",
    "Crime",
  ]);
});
