import { expect, it } from "vitest";
import { changeOf, EMPTY_FORM, type ManyForm } from "./manyChanges";

const form = (fields: Partial<ManyForm>) => changeOf({ ...EMPTY_FORM, ...fields });

it("a change has what was chosen and nothing else", () => {
  expect(form({ subject: "tags", add: "lent, club", remove: "new", words: "5" })).toEqual({
    change: { addTags: ["lent", "club"], removeTags: ["new"] },
  });
  expect(form({ subject: "series", series: " Earthsea " })).toEqual({ change: { series: { name: "Earthsea" } } });
  expect(form({ subject: "series", series: " " })).toEqual({ change: { series: null } });
  expect(form({ subject: "format", format: "Audio" })).toEqual({ change: { format: "Audio" } });
  expect(form({ subject: "language", language: "de" })).toEqual({ change: { language: "de" } });
  expect(form({ subject: "language" })).toEqual({ change: { language: null } });
  expect(form({ subject: "status", status: "did-not-finish" })).toEqual({ change: { status: "did-not-finish" } });
  expect(form({ subject: "private" })).toEqual({ change: { private: true } });
  expect(form({ subject: "private", private: false })).toEqual({ change: { private: false } });
  expect(form({ subject: "words", fromPages: true })).toEqual({ change: { wordsFromPages: true } });
});

it("a form that says nothing is refused at its field", () => {
  expect(form({})).toHaveProperty("refused.addGenres");
  expect(form({ subject: "tags" })).toHaveProperty("refused.addTags");
  expect(form({ subject: "words" })).toHaveProperty("refused.words");
});
