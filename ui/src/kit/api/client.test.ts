import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { ApiError, api, errorMessage, keyOf, serverMessage, withQuery } from "./client";

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** The error of a refused call. */
async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`no ApiError but ${error}`);
  return error;
}

it("an error's message is the status, a colon and the body; the server's sentence is for people", async () => {
  const body = '{"error":"The title is missing.","code":"invalid","fields":{"title":"Give it a title."}}';
  server.use(http.post("*/api/books", () => new HttpResponse(body, { status: 422 })));
  const error = await refusal(api.post("/api/books", {}));
  expect(error.message).toBe(`422: ${body}`);
  expect(error.bodyText("error")).toBe("The title is missing.");
  expect(errorMessage(error, "otherwise")).toBe("The title is missing.");
  expect(error.code).toBe("invalid");
  expect(error.fields).toEqual({ title: "Give it a title." });
});

it.each([
  [502, "<h1>Bad gateway</h1>", "The server can’t be reached."],
  [503, '{"error":"No backend."}', "The server can’t be reached."],
  [200, "<h1>Welcome to our hotel</h1>", "The server can’t be reached."],
  [401, "Log in", "The proxy in front of this server refused this (401)."],
  [413, "<h1>Too large</h1>", expect.stringContaining("refused the file as too large (413)")],
])("an answer %i that is not the server's is none", async (status, body, sentence) => {
  vi.stubGlobal("fetch", async () => new Response(body, { status }));
  const error = await refusal(api.get("/api/books"));
  expect(error).toMatchObject({ status: 0, code: "unreachable" });
  expect(serverMessage(error, "otherwise")).toEqual(sentence);
});

it("an answer of the server that is cut short is none", async () => {
  server.use(http.get("*/api/books", () => new HttpResponse("")));
  expect(await refusal(api.get("/api/books"))).toMatchObject({ code: "unreachable" });
});

it("a server that cannot be reached is an error with a sentence too", async () => {
  server.use(http.get("*/api/books", () => HttpResponse.error()));
  const error = await refusal(api.get("/api/books"));
  expect(error.status).toBe(0);
  expect(errorMessage(error, "otherwise")).toBe("The server can’t be reached.");
});

it("a deletion whose answer was lost has succeeded when the next attempt finds nothing, and otherwise 404 is a failure", async () => {
  const book = { path: { id: 7 } };
  const missing = () => HttpResponse.json({ error: "There is no such book.", code: "not_found" }, { status: 404 });
  server.use(http.delete("*/api/books/7", missing));
  expect((await refusal(api.delete("/api/books/{id}", book))).status).toBe(404);
  server.use(http.delete("*/api/books/7", () => HttpResponse.error(), { once: true }));
  expect((await refusal(api.delete("/api/books/{id}", book))).code).toBe("unreachable");
  expect(await api.delete("/api/books/{id}", book)).toBeUndefined();
  expect((await refusal(api.delete("/api/books/{id}", book))).status).toBe(404);
});

it("says how long to wait", async () => {
  const headers = { "Retry-After": "17" };
  server.use(http.post("*/api/auth/login", () => new HttpResponse("{}", { status: 429, headers })));
  expect((await refusal(api.post("/api/auth/login", {}))).retryAfter).toBe(17);
});

it.each([
  [{ code: "busy" }, 3, "The server is busy. Try again in 3 seconds."],
  [{ code: "too_many_at_once" }, 1, "Too many requests from you are running at once. Try again in 1 second."],
  [{ code: "too_many_at_once" }, null, "Too many requests from you are running at once. Try again in a moment."],
  [{ code: "quota_reached", what: "books", limit: 5 }, null, "The server's own words."],
])("a limit is said in a plain sentence: %o", (body, retryAfter, sentence) => {
  const error = new ApiError(503, JSON.stringify({ error: "The server's own words.", ...body }), "", retryAfter);
  expect(errorMessage(error, "otherwise")).toBe(sentence);
  expect(serverMessage(error, "otherwise")).toBe(sentence);
});

it("has a JSON content type only where there is a payload", async () => {
  const types: (string | null)[] = [];
  server.use(
    http.post("*/api/auth/*", ({ request }) => {
      types.push(request.headers.get("Content-Type"));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await api.post("/api/auth/logout", undefined);
  await api.post("/api/auth/login", { email: "a@b", password: "c" });
  expect(types).toEqual([null, "application/json"]);
});

it("a retry of the same variables has the same idempotency key, other variables another", () => {
  const book = { title: "Emma" };
  expect(keyOf(book)).toBe(keyOf(book));
  expect(keyOf(book)).not.toBe(keyOf({ title: "Emma" }));
  expect(keyOf(book)).toMatch(/^[0-9a-f]{32}$/);
});

it("a missing session is an answer for getIfSignedIn, and an error for other calls", async () => {
  server.use(http.get("*/api/auth/me", () => new HttpResponse("{}", { status: 401 })));
  expect(await api.getIfSignedIn("/api/auth/me")).toBeNull();
  expect((await refusal(api.get("/api/auth/me"))).status).toBe(401);
});

it("query parameters repeat for lists, and nothing is sent for nothing", () => {
  expect(withQuery("/api/stats", { genres: ["a b", "c"], minRating: 0, titleSearch: "", endDate: null })).toBe(
    "/api/stats?genres=a+b&genres=c&minRating=0",
  );
});
