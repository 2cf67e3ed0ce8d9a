import { afterEach, expect, test, vi } from "vitest";
import { upload } from "./upload";

afterEach(() => vi.unstubAllGlobals());

/** Stands in for a server that gives every request this answer. */
function answer(status: number, responseText: string, version: string | null = "1.0.0"): void {
  class Request {
    status = status;
    responseText = responseText;
    statusText = "";
    upload = {};
    onload?: () => void;
    open() {}
    setRequestHeader() {}
    getResponseHeader = (name: string) => (name === "Shelfwise-Version" ? version : null);
    send() {
      queueMicrotask(() => this.onload?.());
    }
  }
  vi.stubGlobal("XMLHttpRequest", Request);
}

const sent = () => upload("/api/books/import", new FormData());

test("a proxy that refuses a file says that it was the proxy", async () => {
  answer(413, "<h1>Request Entity Too Large</h1>", null);
  await expect(sent()).rejects.toMatchObject({
    code: "unreachable",
    body: { error: expect.stringContaining("The proxy in front of this server refused the file as too large (413).") },
  });
});

test("a refusal keeps its sentence", async () => {
  answer(422, JSON.stringify({ error: "The file is empty.", code: "invalid" }));
  await expect(sent()).rejects.toThrow("The file is empty.");
});

test("an answer is what the server sent", async () => {
  answer(200, JSON.stringify({ imported: 2 }));
  await expect(sent()).resolves.toEqual({ imported: 2 });
});
