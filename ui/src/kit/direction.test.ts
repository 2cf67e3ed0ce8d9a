import { expect, it } from "vitest";
import { isolated } from "./direction";

it("a text with characters from right to left is isolated, any other stays as it is", () => {
  expect(isolated("ما الحياة؟ (الجزء 2)!")).toBe("\u2068ما الحياة؟ (الجزء 2)!\u2069");
  expect(isolated("שָׁלוֹם")).toMatch(/^\u2068.*\u2069$/);
  for (const text of ["Emma", "村上 春樹", "Épopée (2)!", ""]) expect(isolated(text)).toBe(text);
});
