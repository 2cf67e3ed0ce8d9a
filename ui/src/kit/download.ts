import { refused, unreachable } from "./api/client";

/** How long the browser may take to read a file that it was handed, in milliseconds. */
const READS = 10_000;

/** Hands a file to the browser to keep. */
export function save(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READS);
}

/**
 * Fetches a file of the server's and hands it to the browser, under the server's name for it, else `otherwise`. Has no
 * time-out of its own: a large library over a slow line may take minutes. Throws {@link ApiError}.
 */
export async function download(path: string, otherwise: string): Promise<void> {
  let response: Response;
  let file: Blob;
  try {
    response = await fetch(path, { credentials: "include" });
    file = await response.blob();
  } catch {
    throw unreachable();
  }
  if (!response.ok) {
    throw refused(response.status, await file.text(), response.statusText, response.headers.get("Retry-After"));
  }
  save(nameIn(response.headers.get("Content-Disposition")) ?? otherwise, file);
}

function nameIn(disposition: string | null): string | undefined {
  return /filename="([^"]+)"/.exec(disposition ?? "")?.[1];
}
