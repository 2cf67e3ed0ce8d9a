import { expect, it } from "vitest";
import { sizeOf } from "./size";

it("sizes are written as people read them", () => {
  expect(sizeOf(48_300)).toBe("48 KB");
  expect(sizeOf(4.6 * 1024 * 1024)).toBe("4.6 MB");
  expect(sizeOf(2.25 * 1024 ** 3)).toBe("2.3 GB");
  expect(sizeOf(112.7 * 1024 ** 3)).toBe("112 GB");
});
