import { checkOrigin, refused, unreachable } from "./api/client";
import { withBase } from "./base";

/** Milliseconds that the browser may take to read a file that it was given. */
const READS = 10_000;

/** Saves a file through the browser's download. */
export function save(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READS);
}

/** The byte order mark, which tells Excel that a CSV file is UTF-8. */
export const UTF8_MARK = "\uFEFF";

/**
 * Downloads a file from the server under the server's name for it, or `otherwise` when it sends none. It has no
 * time-out: a large library on a slow connection may take minutes. A file for spreadsheets begins with {@link UTF8_MARK}. Throws
 * {@link ApiError}.
 */
export async function download(path: string, otherwise: string, { forSpreadsheets = false } = {}): Promise<void> {
  let response: Response;
  let file: Blob;
  try {
    response = await fetch(withBase(path), { credentials: "include" });
    file = await response.blob();
  } catch {
    throw unreachable();
  }
  const header = (name: string) => response.headers.get(name);
  checkOrigin(response.status, header);
  if (!response.ok) throw refused(response.status, await file.text(), response.statusText, header);
  save(
    nameIn(header("Content-Disposition")) ?? otherwise,
    forSpreadsheets ? new Blob([UTF8_MARK, file], { type: file.type }) : file,
  );
}

function nameIn(disposition: string | null): string | undefined {
  return /filename="([^"]+)"/.exec(disposition ?? "")?.[1];
}
