import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** Bytes of each sample. */
const SAMPLE = 1_024;

/** Where the samples begin: at 0, and at 1 KiB times every power of 4 up to 1 GiB. */
const OFFSETS = [0, ...Array.from({ length: 11 }, (_, i) => SAMPLE * 4 ** i)];

/** What KOReader and the apps like it call a file: the MD5 of twelve samples of it, of which the last is cut at its end. */
export function digestOf(file: Uint8Array): string {
  const hash = md5.create();
  for (const offset of OFFSETS) hash.update(file.subarray(offset, offset + SAMPLE));
  return bytesToHex(hash.digest());
}
