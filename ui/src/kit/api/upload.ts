import { withBase } from "../base";
import {
  type Answer,
  checkOrigin,
  ownHeaders,
  type PathOf,
  type Payload,
  readAnswer,
  refused,
  unreachable,
  withPath,
  withQuery,
} from "./client";
import type { paths } from "./schema";

interface Progress {
  /** Bytes sent so far. */
  sent: number;
  /** Bytes to send, 0 while unknown. */
  total: number;
}

/**
 * Sends a form with a file and reports its progress, which `fetch` can't do. It has no time-out: a large file on a slow
 * connection may take minutes. Throws {@link ApiError}.
 */
export function upload<P extends PathOf<"post">>(
  path: P,
  form: FormData,
  options: {
    query?: Record<string, string | boolean>;
    onProgress?: (progress: Progress) => void;
    signal?: AbortSignal;
    key?: string;
  } = {},
): Promise<Answer<paths[P]["post"]>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", withBase(withQuery(path, options.query)));
    request.withCredentials = true;
    for (const [name, value] of Object.entries(ownHeaders())) request.setRequestHeader(name, value);
    if (options.key) request.setRequestHeader("Idempotency-Key", options.key);
    request.upload.onprogress = (event) => options.onProgress?.({ sent: event.loaded, total: event.total });
    request.onload = () => {
      const { status, responseText, statusText } = request;
      const header = (name: string) => request.getResponseHeader(name);
      try {
        checkOrigin(status, header);
        if (status < 200 || status >= 300) throw refused(status, responseText, statusText, header);
        resolve(readAnswer(status, responseText));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(unreachable());
    options.signal?.addEventListener("abort", () => {
      reject(options.signal?.reason);
      request.abort();
    });
    request.send(form);
  });
}

/** Milliseconds after which a file that is still being sent or fetched is given up. */
const FILE_TIME_OUT = 120_000;

/** Makes a call and reads its answer. Throws {@link ApiError}. */
async function call(url: string, init: RequestInit): Promise<Blob> {
  let response: Response;
  let answer: Blob;
  try {
    response = await fetch(withBase(url), {
      ...init,
      signal: AbortSignal.timeout(FILE_TIME_OUT),
      credentials: "include",
    });
    answer = await response.blob();
  } catch {
    throw unreachable();
  }
  const header = (name: string) => response.headers.get(name);
  checkOrigin(response.status, header);
  if (!response.ok) throw refused(response.status, await answer.text(), response.statusText, header);
  return answer;
}

/** Sends a file as the body of a call. Throws {@link ApiError}. */
export async function putFile<P extends PathOf<"put">>(
  path: P,
  file: Blob,
  options: { path: Record<string, string | number>; query?: Record<string, string> },
): Promise<Answer<paths[P]["put"]>> {
  const url = withQuery(withPath(path, options.path), options.query);
  const answer = await call(url, { method: "PUT", headers: ownHeaders(), body: file });
  return readAnswer(200, await answer.text());
}

/** Makes a call whose answer is a file. Throws {@link ApiError}. */
export function fetchFile<P extends PathOf<"post">>(path: P, payload: Payload<paths[P]["post"]>): Promise<Blob> {
  const headers = { ...ownHeaders(), Accept: "*/*", "Content-Type": "application/json" };
  return call(path, { method: "POST", headers, body: JSON.stringify(payload) });
}
