/** The one place that calls the server. */

import { counted, whole } from "../format";
import { noteAnswer } from "../offline";
import { sizeOf } from "../size";

/** The time after which a call that has had no answer is given up, in milliseconds. */
const TIME_OUT = 30_000;

/**
 * Any answer that is not OK, and a call that had none.
 *
 * `message` is the status code, a colon, a space and the body's text, or the status text where the body is empty.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status, 0 when the server could not be reached. */
  readonly status: number;
  /** A word for a program, "" when the answer had none. */
  readonly code: string;
  /** One sentence for each field that was refused. */
  readonly fields: Readonly<Record<string, string>>;
  /** What the answer told under a key of its body, `error` for the server's own text: "" where it did not. */
  readonly told: (key: string) => string;
  /** Whole seconds to wait before another attempt, null when the answer named none. */
  readonly retryAfter: number | null;

  constructor(status: number, body: string, statusText = "", retryAfter: number | null = null) {
    super(`${status}: ${body || statusText}`);
    const told = parseError(body);
    this.status = status;
    this.code = told.code ?? "";
    this.fields = told.fields ?? {};
    this.told = (key) => String((told as Record<string, unknown>)[key] ?? "");
    this.retryAfter = retryAfter;
  }
}

/** What to show for something thrown: the server's text, else the message as received, but a proxy's page of HTML. */
export function sentenceOf(error: unknown, otherwise: string): string {
  return toldOf(error, error instanceof ApiError && !error.message.includes("<") ? error.message : otherwise);
}

/** What to show where nothing but the server's own text will do: that, else `otherwise`. */
export function toldOf(error: unknown, otherwise: string): string {
  if (!(error instanceof ApiError)) return otherwise;
  return limitSentence(error) || error.told("error") || otherwise;
}

/** The sentence for a refusal that any call may meet because of a limit of the server; null for every other error. */
function limitSentence(error: ApiError): string | null {
  switch (error.code) {
    case "too_many_at_once":
      return `Too many requests from you are running at once. Try again ${soon(error.retryAfter)}.`;
    case "busy":
      return `The server is busy. Try again ${soon(error.retryAfter)}.`;
    case "quota_reached": {
      const limit = Number(error.told("limit"));
      const most = limit > 0 ? QUOTAS.get(error.told("what"))?.(limit) : undefined;
      if (!most) return null;
      return `You have reached this server’s limit of ${most}. You can still read, export and delete.`;
    }
    default:
      return null;
  }
}

/** What an account may hold at most, by the word that the server has for it; each limit is a count, that of texts in bytes. */
const QUOTAS: ReadonlyMap<string, (limit: number) => string> = new Map([
  ["books", (limit) => counted(limit, "book")],
  ["list", (limit) => `${counted(limit, "item")} on the to-be-read list`],
  ["texts", (limit) => `${sizeOf(limit)} of texts and imported rows`],
]);

/** When to try again: `in a moment`, `in 1 second`, `in 20 seconds`. */
function soon(seconds: number | null): string {
  return seconds && seconds > 0 ? `in ${whole(seconds)} ${seconds === 1 ? "second" : "seconds"}` : "in a moment";
}

/** Milliseconds after which a call may be made again, by an answer of 429 or 503 that names a time; null where none does. */
export function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return null;
  return error.retryAfter === null ? null : error.retryAfter * 1_000;
}

/** The refused fields of something thrown, none when it is no validation error. */
export function fieldsOf(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {};
}

type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>;

interface Options {
  /** Query parameters. Null, undefined and "" are left out; a list is repeated. */
  query?: Query;
  signal?: AbortSignal;
  /**
   * The variables of a mutation that makes something. They become the `Idempotency-Key`: one object has one key, so a
   * retry, which is given the same object, makes nothing twice.
   */
  once?: object;
  /** Milliseconds, 30 seconds unless given. */
  timeOut?: number;
}

/** Calls that answer JSON, or nothing (204). All send the session's cookie and throw {@link ApiError}. */
export const api = {
  get: <T>(path: string, options?: Options): Promise<T> => call<T>("GET", path, undefined, options),
  post: <T = void>(path: string, payload?: unknown, options?: Options): Promise<T> =>
    call<T>("POST", path, payload, options),
  patch: <T = void>(path: string, payload: unknown, options?: Options): Promise<T> =>
    call<T>("PATCH", path, payload, options),
  delete: <T = void>(path: string, options?: Options): Promise<T> => call<T>("DELETE", path, undefined, options),

  /** A GET for which "not signed in" is an answer: null. */
  getIfSignedIn: async <T>(path: string, options?: Options): Promise<T | null> => {
    try {
      return await call<T>("GET", path, undefined, options);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
};

async function call<T>(method: string, path: string, payload: unknown, options: Options = {}): Promise<T> {
  const headers = new Headers({ Accept: "application/json" });
  let body: BodyInit | undefined;
  if (payload instanceof FormData) {
    body = payload;
  } else if (payload !== undefined) {
    headers.set("Content-Type", "application/json");
    body = JSON.stringify(payload);
  }
  if (options.once) headers.set("Idempotency-Key", keyOf(options.once));

  const timeOut = AbortSignal.timeout(options.timeOut ?? TIME_OUT);
  const signal = options.signal ? AbortSignal.any([options.signal, timeOut]) : timeOut;
  let response: Response;
  let text: string;
  try {
    response = await fetch(withQuery(path, options.query), { method, headers, body, signal, credentials: "include" });
    text = await response.text();
    noteAnswer(response.headers);
  } catch (error) {
    // A call that its own caller took back is no failure to report.
    if (options.signal?.aborted) throw error;
    throw unreachable();
  }
  if (!response.ok) throw refused(response.status, text, response.statusText, response.headers.get("Retry-After"));
  return (text ? JSON.parse(text) : undefined) as T;
}

/** Where a call was answered by nobody: no connection, or no answer in time. */
export function unreachable(): ApiError {
  return new ApiError(0, JSON.stringify({ error: "The server could not be reached.", code: "unreachable" }));
}

/** The error of an answer that is not OK; `retryAfter` is the header as it came. */
export function refused(status: number, body: string, statusText: string, retryAfter: string | null): ApiError {
  const seconds = Number.parseInt(retryAfter ?? "", 10);
  return new ApiError(status, body, statusText, Number.isNaN(seconds) ? null : seconds);
}

/** `path` with its query parameters: null, undefined and "" are left out, a list is repeated. */
export function withQuery(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "") parameters.append(name, String(one));
    }
  }
  const written = parameters.toString();
  return written ? `${path}?${written}` : path;
}

const keys = new WeakMap<object, string>();

/** The idempotency key that belongs to an object, the same for as long as it lives. */
export function keyOf(variables: object): string {
  let key = keys.get(variables);
  if (!key) {
    // randomUUID exists in secure contexts only; a server in a home network is often reached by plain http.
    key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    keys.set(variables, key);
  }
  return key;
}

interface ErrorBody {
  error?: string;
  code?: string;
  fields?: Record<string, string>;
}

function parseError(body: string): ErrorBody {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    // A proxy in front of the server answers in HTML or plain text.
    return {};
  }
}
