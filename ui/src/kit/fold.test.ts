import { expect, it } from "vitest";
import { genreKey } from "./fold";

// The same pairs as in src/library/text.rs: page and server must agree.
it("genres that differ by case, accents, spaces, hyphens, apostrophes or the plural are one", () => {
  for (const [one, other] of [
    ["Sci-Fi", "sci fi"],
    ["SciFi", "sci\u2011fi"],
    ["Non-Fiction", "Nonfiction"],
    ["Épopée", "epopee"],
    ["Children's", "Childrens"],
    ["Young_Adult", "young adult"],
    ["Classics", "Classic"],
    ["Mysteries", "Mystery"],
    ["Biographies", "Biography"],
    ["Movies", "Movie"],
    ["Short Stories", "short story"],
  ] as const) {
    expect(genreKey(one), one).toBe(genreKey(other));
  }
});

it("other genres stay different", () => {
  for (const [one, other] of [
    ["Sci-Fi", "Science Fiction"],
    ["Business", "Busines"],
    ["C++", "C#"],
    ["-", "--"],
    ["Ass", "As"],
    ["Fantasy", "Fantastic"],
    ["がく", "かく"],
  ] as const) {
    expect(genreKey(one), one).not.toBe(genreKey(other));
  }
});
