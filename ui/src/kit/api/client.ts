/** The only module that calls the server. */

import { withBase } from "../base";
import { whole } from "../format";
import { LAST_SEEN, noteAnswer } from "../offline";
import type { paths } from "./schema";
import type { ErrorCode } from "./types";

/** Milliseconds after which a call without an answer is aborted. */
const TIME_OUT = 30_000;

/**
 * An answer with an error status, or a call without an answer.
 *
 * `message` is the status code, a colon, a space and the body's text, or the status text when the body is empty.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status, 0 when the server did not answer, or something else answered in its place. */
  readonly status: number;
  /** The error code for programs: the server's, `unreachable` without an answer, "" when the answer had none. */
  readonly code: ErrorCode | "unreachable" | "";
  /** One sentence for each refused field. */
  readonly fields: Readonly<Record<string, string>>;
  /** The answer's body; empty when it is not JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The value under a key of the answer's body as text, "" when it is absent. `error` is the server's own sentence. */
  readonly bodyText: (key: string) => string;
  /** Whole seconds to wait before another attempt, null when the answer named none. */
  readonly retryAfter: number | null;
  /** The entity tag of what the body shows, null when the answer has none. */
  readonly etag: string | null;

  constructor(
    status: number,
    body: string,
    statusText = "",
    retryAfter: number | null = null,
    etag: string | null = null,
  ) {
    super(`${status}: ${body || statusText}`);
    const parsed = parseError(body);
    this.status = status;
    this.code = parsed.code ?? "";
    this.fields = parsed.fields ?? {};
    this.body = { ...parsed };
    this.bodyText = (key) => String(this.body[key] ?? "");
    this.retryAfter = retryAfter;
    this.etag = etag;
  }
}

/** The sentence to show for an error: the server's own, or the message as received. */
export function errorMessage(error: unknown, otherwise: string): string {
  return serverMessage(error, error instanceof ApiError ? error.message : otherwise);
}

/** The server's own sentence for an error, or `otherwise` when there is none. */
export function serverMessage(error: unknown, otherwise: string): string {
  if (!(error instanceof ApiError)) return otherwise;
  return limitSentence(error) || error.bodyText("error") || otherwise;
}

/** The sentence for a refusal that any call may get because the server has much to do; null for every other error. */
function limitSentence(error: ApiError): string | null {
  switch (error.code) {
    case "too_many_at_once":
      return `Too many requests from you are running at once. Try again ${soon(error.retryAfter)}.`;
    case "busy":
      return `The server is busy. Try again ${soon(error.retryAfter)}.`;
    default:
      return null;
  }
}

/** When to try again: `in a moment`, `in 1 second`, `in 20 seconds`. */
function soon(seconds: number | null): string {
  return seconds && seconds > 0 ? `in ${whole(seconds)} ${seconds === 1 ? "second" : "seconds"}` : "in a moment";
}

/** Milliseconds after which a call may be made again, from an answer 429 or 503 with `Retry-After`; null without one. */
export function retryAfterMs(error: unknown): number | null {
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return null;
  return error.retryAfter === null ? null : error.retryAfter * 1_000;
}

/** What a form refuses before the server is asked. */
export class InvalidFields extends Error {
  constructor(readonly fields: Readonly<Record<string, string>>) {
    super("The form has fields that are not valid.");
  }
}

/** The refused fields of an error; empty when it is not a validation error. A wrong password is refused as a whole. */
export function fieldsOf(error: unknown): Readonly<Record<string, string>> {
  if (error instanceof ApiError && error.code === "wrong_password") return { currentPassword: error.bodyText("error") };
  return error instanceof ApiError || error instanceof InvalidFields ? error.fields : {};
}

/** The methods of the API. */
type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths of the API description that support a method. */
export type PathOf<M extends Method> = { [P in keyof paths]: paths[P][M] extends object ? P : never }[keyof paths];

type JsonOf<T> = T extends { content: { "application/json": infer Body } } ? Body : undefined;

/** The body of a call's successful answer, undefined when it has none (204). */
export type Answer<O> = O extends { responses: infer R }
  ? { [S in keyof R & (200 | 201 | 204)]: JsonOf<R[S]> }[keyof R & (200 | 201 | 204)]
  : never;

/** The JSON body of a call; undefined when it has none or when it is optional. */
export type Payload<O> = O extends { requestBody: infer B }
  ? JsonOf<B>
  : O extends { requestBody?: infer B }
    ? JsonOf<NonNullable<B>> | undefined
    : undefined;

type PathValues<O> = O extends { parameters: { path: infer V } } ? { path: V } : { path?: undefined };

/** The query parameters of a call. Null and "" count as absent. */
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? { [K in keyof Q]?: Q[K] | null | "" } : undefined;

/** The options of a call, beside its path and its body. */
type Options<O> = PathValues<O> & {
  /** Query parameters. Null, undefined and "" are left out; a list is repeated. */
  query?: QueryOf<O>;
  signal?: AbortSignal;
  /**
   * The variables of a mutation that creates something. They determine the `Idempotency-Key`: one object has one key,
   * so a retry with the same object creates nothing twice. A text is the key itself.
   */
  once?: object | string;
  /** The entity tag of the version that a change is meant for. Null sends none: the change then applies to any version. */
  ifMatch?: string | null;
  /** Milliseconds; 30 seconds unless given. */
  timeOut?: number;
};

/** An answer with its entity tag, null when it has none. */
export interface Tagged<T> {
  answer: T;
  etag: string | null;
}

/** Options are optional when a call requires none of them. */
type OptionsOf<O> = O extends { parameters: { path: unknown } } ? [options: Options<O>] : [options?: Options<O>];

/**
 * Calls that answer JSON, or nothing (204). All send the session's cookie and throw {@link ApiError}. Paths,
 * parameters, bodies and answers are typed by the API description (`schema.ts`): a call that the server no longer has
 * does not compile.
 */
export const api = {
  get: <P extends PathOf<"get">>(path: P, ...[options]: OptionsOf<paths[P]["get"]>) =>
    call<Answer<paths[P]["get"]>>("GET", path, undefined, options),
  /** A GET with the entity tag of its answer. */
  getTagged: <P extends PathOf<"get">>(path: P, ...[options]: OptionsOf<paths[P]["get"]>) =>
    taggedCall<Answer<paths[P]["get"]>>("GET", path, undefined, options),
  post: <P extends PathOf<"post">>(
    path: P,
    payload: Payload<paths[P]["post"]>,
    ...[options]: OptionsOf<paths[P]["post"]>
  ) => call<Answer<paths[P]["post"]>>("POST", path, payload, options),
  put: <P extends PathOf<"put">>(
    path: P,
    payload: Payload<paths[P]["put"]>,
    ...[options]: OptionsOf<paths[P]["put"]>
  ) => call<Answer<paths[P]["put"]>>("PUT", path, payload, options),
  patch: <P extends PathOf<"patch">>(
    path: P,
    payload: Payload<paths[P]["patch"]>,
    ...[options]: OptionsOf<paths[P]["patch"]>
  ) => call<Answer<paths[P]["patch"]>>("PATCH", path, payload, options),
  delete: <P extends PathOf<"delete">>(path: P, ...[options]: OptionsOf<paths[P]["delete"]>) =>
    remove<Answer<paths[P]["delete"]>>(path, options),

  /** A GET that returns null when no one is signed in. */
  getIfSignedIn: async <P extends PathOf<"get">>(path: P, ...options: OptionsOf<paths[P]["get"]>) => {
    try {
      return await api.get(path, ...options);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
};

type Query = Record<string, unknown>;

/** The options of any call. */
interface AnyOptions {
  path?: Record<string, string | number> | undefined;
  query?: Query | undefined;
  signal?: AbortSignal;
  once?: object | string;
  ifMatch?: string | null;
  timeOut?: number;
}

/** The header that names the account that a call is meant for. */
const ACCOUNT = "Shelfwise-Account";

let account: number | null = null;

/**
 * Names the account whose pages this tab shows. Every call says so, and the server refuses it (409 `other_account`) when
 * someone else has signed in with the same browser since. Null names none.
 */
export function actAs(id: number | null): void {
  account = id;
}

/** The headers that every call has. */
export function ownHeaders(): Record<string, string> {
  return { Accept: "application/json", ...(account === null ? {} : { [ACCOUNT]: String(account) }) };
}

async function call<T>(method: string, path: string, payload: unknown, options?: AnyOptions): Promise<T> {
  return (await taggedCall<T>(method, path, payload, options)).answer;
}

/** The deletions that say nothing but that something is gone. */
type Silent = {
  [P in PathOf<"delete">]: Answer<paths[P]["delete"]> extends undefined ? P : never;
}[PathOf<"delete">];
const TELLING: Record<Exclude<PathOf<"delete">, Silent>, true> = {
  "/api/imports/{id}": true,
  "/api/operations/{id}": true,
  "/api/teams/members/{userId}": true,
};

/** The deletions whose answer was lost. */
const lost = new Set<string>();

/** Deletes something. When the answer of the first attempt was lost, the next one finds it gone, which is no failure. */
async function remove<T>(path: string, options?: AnyOptions): Promise<T> {
  const url = withPath(path, options?.path);
  try {
    return await call<T>("DELETE", path, undefined, options);
  } catch (error) {
    const { status, code } = error instanceof ApiError ? error : { status: null, code: null };
    if (code === "unreachable") lost.add(url);
    else if (lost.delete(url) && status === 404 && !(path in TELLING)) return undefined as T;
    throw error;
  }
}

async function taggedCall<T>(
  method: string,
  path: string,
  payload: unknown,
  options: AnyOptions = {},
): Promise<Tagged<T>> {
  const headers = new Headers(ownHeaders());
  if (options.ifMatch) headers.set("If-Match", options.ifMatch);
  let body: BodyInit | undefined;
  if (payload !== undefined) {
    headers.set("Content-Type", "application/json");
    body = JSON.stringify(payload);
  }
  if (options.once) headers.set("Idempotency-Key", keyOf(options.once));

  const signal = abortedAfter(options.timeOut ?? TIME_OUT, options.signal);
  const url = withQuery(withPath(path, options.path), options.query);
  let response: Response;
  let text: string;
  try {
    response = await fetch(withBase(url), { method, headers, body, signal, credentials: "include" });
    text = await response.text();
  } catch (error) {
    // A call that its own caller has cancelled is not a failure to report.
    if (options.signal?.aborted) throw error;
    throw unreachable();
  }
  const header = (name: string) => response.headers.get(name);
  checkOrigin(response.status, header);
  noteAnswer(response.headers);
  if (!response.ok) throw refused(response.status, text, response.statusText, header);
  return { answer: readAnswer<T>(response.status, text), etag: header("ETag") };
}

/** Reads the body of a successful answer. One that is cut short is no answer. */
export function readAnswer<T>(status: number, text: string): T {
  if (status === 204) return undefined as T;
  try {
    // The only place that trusts the API description instead of checking the answer.
    return JSON.parse(text) as T;
  } catch {
    throw unreachable();
  }
}

/** A signal that aborts after some milliseconds, and with another signal. `AbortSignal.any` is newer than the oldest browsers. */
function abortedAfter(milliseconds: number, other?: AbortSignal): AbortSignal {
  const timeOut = AbortSignal.timeout(milliseconds);
  if (!other) return timeOut;
  const either = new AbortController();
  for (const signal of [other, timeOut]) {
    if (signal.aborted) either.abort(signal.reason);
    signal.addEventListener("abort", () => either.abort(signal.reason), { once: true, signal: either.signal });
  }
  return either.signal;
}

/** A path of the API description with its values filled in, each as one segment. */
export function withPath(path: string, values: Record<string, string | number> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** The error of a call without an answer: no connection, no answer in time, or someone else's answer. */
export function unreachable(error = "The server can’t be reached."): ApiError {
  return new ApiError(0, JSON.stringify({ error, code: "unreachable" }));
}

/** The header of every answer of the server. Also named in `public/sw.js`. */
const VERSION = "Shelfwise-Version";

/** Throws {@link ApiError} when an answer is not the server's: a proxy in front of it answers in its place, or asks to log in first. */
export function checkOrigin(status: number, header: (name: string) => string | null): void {
  // What an older worker has cached names no version.
  if (header(VERSION) !== null || header(LAST_SEEN) !== null) return;
  if (status === 413) {
    throw unreachable(
      "The proxy in front of this server refused the file as too large (413). Whoever runs the server can raise that limit (client_max_body_size in nginx).",
    );
  }
  const refused = status >= 400 && status < 500;
  throw unreachable(refused ? `The proxy in front of this server refused this (${status}).` : undefined);
}

/** The error for an answer with an error status. `header` returns a header of the answer as received. */
export function refused(
  status: number,
  body: string,
  statusText: string,
  header: (name: string) => string | null,
): ApiError {
  const seconds = Number.parseInt(header("Retry-After") ?? "", 10);
  return new ApiError(status, body, statusText, Number.isNaN(seconds) ? null : seconds, header("ETag"));
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

/** A new idempotency key. `randomUUID` exists in secure contexts only; a server in a home network is often reached by plain HTTP. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const keys = new WeakMap<object, string>();

/** The idempotency key of an object, the same for as long as the object exists. */
export function keyOf(variables: object | string): string {
  if (typeof variables === "string") return variables;
  let key = keys.get(variables);
  if (!key) {
    key = newKey();
    keys.set(variables, key);
  }
  return key;
}

interface ErrorBody {
  error?: string;
  code?: ErrorCode | "unreachable";
  fields?: Record<string, string>;
}

function parseError(body: string): ErrorBody {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
