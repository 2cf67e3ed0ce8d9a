import { act } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { hydrateRoot, type Root } from "react-dom/client";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { signedOut } from "../access/viewer";
import { createQueryClient } from "../kit/query";
import { App } from "./App";
import { prerender } from "./prerender";

const asked: string[] = [];
const server = setupServer(
  http.get("*/api/*", ({ request }) => {
    asked.push(new URL(request.url).pathname);
    return HttpResponse.json({ data: [] });
  }),
);
let root: Root | undefined;

beforeAll(() => server.listen());
afterEach(() => {
  act(() => root?.unmount());
  document.body.replaceChildren();
});
afterAll(() => server.close());

it("the landing page is drawn with its words and links, and without style attributes, which the policy refuses", async () => {
  const { title, landing, loading } = await prerender();
  expect(title).toBe("Shelfwise, a reading tracker");
  document.body.innerHTML = landing;
  expect(document.querySelector("h1")?.textContent).toBe("A shelf that keeps count.");
  const targets = [...document.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  for (const target of ["/pricing", "/login", "/signup", "/privacy", "/terms"]) expect(targets).toContain(target);
  expect(document.querySelector("[style]")).toBeNull();
  document.body.innerHTML = loading;
  expect(document.body.textContent).toContain("Opening your library");
  expect(document.querySelector("[style]")).toBeNull();
});

it("the interface hydrates the rendered page unchanged, without asking who is signed in", async () => {
  const { landing } = await prerender();
  window.history.replaceState(null, "", "/");
  const complaints = vi.spyOn(console, "error");
  const onRecoverableError = vi.fn();
  const place = document.body.appendChild(document.createElement("div"));
  place.innerHTML = landing;
  const heading = place.querySelector("h1");
  const client = createQueryClient(signedOut);
  signedOut(client);
  await act(async () => {
    root = hydrateRoot(place, <App client={client} />, { onRecoverableError });
  });
  await vi.waitFor(() => expect(asked).toContain("/api/plans"));
  expect(place.querySelector("h1")).toBe(heading);
  expect(onRecoverableError).not.toHaveBeenCalled();
  expect(complaints).not.toHaveBeenCalled();
  expect(asked).not.toContain("/api/auth/me");
});
