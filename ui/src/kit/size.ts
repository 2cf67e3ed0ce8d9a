import { whole } from "./format";

/** A size in bytes for people: `48 KB`, `4.6 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1024 * 1024) return `${whole(Math.ceil(bytes / 1024))} KB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}
