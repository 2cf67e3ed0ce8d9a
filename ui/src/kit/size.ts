import { whole } from "./format";

const MB = 1024 * 1024;
const GB = 1024 * MB;

/** A size in bytes for people: `48 KB`, `4.6 MB`, `112 GB`. */
export function sizeOf(bytes: number): string {
  if (bytes < MB) return `${whole(Math.ceil(bytes / 1024))} KB`;
  if (bytes < GB) return `${(bytes / MB).toFixed(1)} MB`;
  return bytes < 10 * GB ? `${(bytes / GB).toFixed(1)} GB` : `${whole(Math.floor(bytes / GB))} GB`;
}
