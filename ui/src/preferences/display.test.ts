import { expect, it } from "vitest";
import { DEFAULT_DISPLAY, filterOf, isHardToRead } from "./display";

it("there is no filter at the defaults, and else only what differs from them", () => {
  expect(filterOf(DEFAULT_DISPLAY)).toBe("");
  expect(filterOf({ ...DEFAULT_DISPLAY, brightness: 96, sepia: 12 })).toBe("brightness(96%) sepia(12%)");
});

it("a page that is black, white or grey all over is called hard to read", () => {
  expect(isHardToRead(DEFAULT_DISPLAY)).toBe(false);
  expect(isHardToRead({ ...DEFAULT_DISPLAY, brightness: 0 })).toBe(true);
  expect(isHardToRead({ ...DEFAULT_DISPLAY, brightness: 200 })).toBe(true);
  expect(isHardToRead({ ...DEFAULT_DISPLAY, contrast: 0 })).toBe(true);
  expect(isHardToRead({ ...DEFAULT_DISPLAY, sepia: 100, grayscale: 100 })).toBe(false);
});
