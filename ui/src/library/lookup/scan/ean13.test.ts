import { expect, it } from "vitest";
import { isIsbn } from "../../books/isbn";
import { readIsbn, readLine } from "./ean13";
import { modulesOf, photo } from "./test-picture";

const CODES = ["9780807083697", "9783522202589", "9791090636071", "9780306406157"];

it("reads sharp barcodes in both directions", () => {
  for (const code of CODES) {
    const line = [...`0000000000${modulesOf(code)}0000000000`].flatMap((bit) => Array(3).fill(bit === "1" ? 20 : 230));
    expect(readLine(line)).toBe(code);
    expect(readLine([...line].reverse())).toBe(code);
  }
});

it.each([0, 5, 13, 30, 45, 77, 90, 135, 180, 270, 333])("reads a barcode turned by %i degrees", (angle) => {
  expect(readIsbn(photo("9780807083697", { angle }))).toBe("9780807083697");
});

it.each([
  { blur: 1, module: 2.5 },
  { blur: 2 },
  { blur: 1, angle: 20, noise: 20 },
  { shadow: 0.6, angle: 10 },
  { blur: 2, module: 5, shadow: 0.5, noise: 15, angle: 95 },
])("reads a blurred, noisy or shaded photo: %o", (manner) => {
  expect(readIsbn(photo("9783522202589", manner))).toBe("9783522202589");
});

it("does not read other codes, or a picture without one", () => {
  // A product that is not a book, a wrong check digit, and no barcode at all.
  expect(readIsbn(photo("4006381333931"))).toBeNull();
  expect(readIsbn(photo("9780807083698"))).toBeNull();
  expect(readIsbn({ width: 400, height: 300, values: new Uint8Array(120_000).fill(128) })).toBeNull();
  expect(readIsbn({ width: 0, height: 0, values: [] })).toBeNull();
});

it("accepts 978 and 979 with a right check digit alone", () => {
  expect(CODES.every(isIsbn)).toBe(true);
  expect(["9780807083698", "4006381333931", "978080708369", "0807083690", ""].some(isIsbn)).toBe(false);
});
