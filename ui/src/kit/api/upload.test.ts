import { afterEach, expect, test, vi } from "vitest";
import { upload } from "./upload";

afterEach(() => vi.unstubAllGlobals());

/** Stands in for a server that gives every request this answer. */
function answer(status: number, responseText: string): void {
  class Request {
    status = status;
    responseText = responseText;
    statusText = "";
    upload = {};
    onload?: () => void;
    open() {}
    setRequestHeader() {}
    getResponseHeader = () => null;
    send() {
      queueMicrotask(() => this.onload?.());
    }
  }
  vi.stubGlobal("XMLHttpRequest", Request);
}

const sent = () => upload("/api/books/import", new FormData());

test("an answer that is not JSON ends an upload with an error", async () => {
  answer(200, "<!doctype html><title>Please sign in</title>");
  await expect(sent()).rejects.toThrow(SyntaxError);
});

test("a refusal keeps its sentence", async () => {
  answer(422, JSON.stringify({ error: "The file is empty.", code: "invalid" }));
  await expect(sent()).rejects.toThrow("The file is empty.");
});

test("an answer is what the server sent", async () => {
  answer(200, JSON.stringify({ imported: 2 }));
  await expect(sent()).resolves.toEqual({ imported: 2 });
});
