import { cleanup } from "@testing-library/react";
import type { RequestHandler } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { ANSWERS } from "./test-reader";

/**
 * A server for the tests of one page, which get more time than others: they use whole pages by role. Each test begins at `path` with
 * these answers, and with those of a reader. A request without an answer is an error.
 */
export function pageServer(path: string, ...answers: RequestHandler[]) {
  vi.setConfig({ testTimeout: 30_000 });
  const server = setupServer(...answers, ...ANSWERS);
  beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
  beforeEach(() => window.history.replaceState(null, "", path));
  afterEach(() => {
    cleanup();
    server.resetHandlers();
  });
  afterAll(() => server.close());
  return server;
}
