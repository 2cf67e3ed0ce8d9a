import { expect, it } from "vitest";
import { digestOf } from "./digest";

/** Bytes that repeat late enough to tell samples apart. */
const pattern = (length: number) => Uint8Array.from({ length }, (_, i) => (31 * i + (i >> 8)) & 0xff);

// Of KOReader's own `partialMD5`.
it.each([
  [500, "21f0df72cce9bc7da8dae2512ee5feed"],
  [1_025, "170a888db01c00d8fc3e5d8d84de5838"],
  [2_048, "d0e59a0c7b893c3b8d6a9bddbd64e631"],
  [3_000, "d0e59a0c7b893c3b8d6a9bddbd64e631"],
  [200_000, "1784b150454ef4cf6780ceb94af0386f"],
  [1_050_000, "0fca5c751677ecbc2dcfe80ea75ace32"],
])("a file of %i bytes has KOReader's digest", (length, digest) => {
  expect(digestOf(pattern(length))).toBe(digest);
});
