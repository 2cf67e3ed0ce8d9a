import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createQueryClient } from "../kit/query";
import { ANSWERS } from "../test-reader";

/** The server's answer to a log-out. */
let answer: () => Response;
let logOuts = 0;

const server = setupServer(
  http.post("*/api/auth/logout", () => {
    logOuts += 1;
    return answer();
  }),
  http.get("*/api/auth/me", () =>
    HttpResponse.json({ error: "Sign in first.", code: "unauthorized" }, { status: 401 }),
  ),
  ...ANSWERS,
);
beforeAll(() => server.listen());
beforeEach(() => {
  logOuts = 0;
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.resetModules();
});
afterAll(() => server.close());

const busy = () => HttpResponse.json({ error: "Busy.", code: "busy" }, { status: 503 });
const unreachable = () => HttpResponse.error();
const done = () => new HttpResponse(null, { status: 204 });
const PATIENT = { timeout: 15_000 };

/** Loads the interface again, like a new visit, and opens an address; a reader may be signed in already. */
async function visit(address: string, someone: boolean) {
  vi.resetModules();
  const [{ Routes }, viewer, { NORA }] = await Promise.all([
    import("./Routes"),
    import("../access/viewer"),
    import("../test-reader"),
  ]);
  window.history.replaceState(null, "", address);
  const client = createQueryClient(viewer.signedOut);
  if (someone) viewer.signedIn(client, NORA);
  render(
    <QueryClientProvider client={client}>
      <Routes />
    </QueryClientProvider>,
  );
}

const says = () => screen.findByText(/^This browser may still be logged in/, undefined, PATIENT);
const tryAgain = async () => userEvent.click(await screen.findByRole("button", { name: "Try Again" }, PATIENT));
const logOut = async () => userEvent.click(await screen.findByRole("button", { name: "Log Out" }, PATIENT));

it.each([
  ["is busy", busy],
  ["cannot be reached", unreachable],
])("while the server %s the page says that the browser may still be logged in, until it is not", async (_, refusal) => {
  answer = refusal;
  const erased = vi.fn(() => Promise.resolve(true));
  const cache = { keys: () => Promise.resolve(["/api/books"]), delete: erased };
  vi.stubGlobal("caches", { open: () => Promise.resolve(cache), delete: erased });
  await visit("/account?tab=logout", true);
  sessionStorage.setItem("shelfwise.draft.1", "{}");
  localStorage.setItem("shelfwise.draft.1.edit.7", "{}");
  localStorage.setItem("shelfwise.draft.2.edit.8", "{}");
  await logOut();
  const question = within(await screen.findByRole("alertdialog"));
  expect(question.getByText("1 form has text that is not saved. Log out and lose it?")).toBeTruthy();
  expect(logOuts).toBe(0);
  await userEvent.click(question.getByRole("button", { name: "Log Out" }));
  expect(await says()).toBeTruthy();
  expect(sessionStorage.getItem("shelfwise.draft.1")).toBeNull();
  expect(localStorage.getItem("shelfwise.draft.1.edit.7")).toBeNull();
  // Someone else's session has ended in this browser before.
  expect(localStorage.getItem("shelfwise.draft.2.edit.8")).toBe("{}");
  await waitFor(() => expect(erased).toHaveBeenCalledWith("shelfwise-reader"));
  expect(erased).toHaveBeenCalledWith("/api/books", { ignoreVary: true });
  // It has tried again by itself.
  await waitFor(() => expect(logOuts).toBe(2));
  await tryAgain();
  await waitFor(() => expect(logOuts).toBe(3));
  answer = done;
  await tryAgain();
  expect(await screen.findByText("A shelf that keeps count.", undefined, PATIENT)).toBeTruthy();
  expect(window.location.pathname).toBe("/");
  vi.unstubAllGlobals();
});

it("a log-out that failed is finished by the next visit", async () => {
  answer = unreachable;
  await visit("/account?tab=logout", true);
  await logOut();
  await says();
  cleanup();
  answer = done;
  await visit("/dashboard", false);
  expect(await screen.findByRole("heading", { level: 1, name: "Log in" }, PATIENT)).toBeTruthy();
  expect(logOuts).toBe(3);
  cleanup();
  await visit("/login", false);
  expect(await screen.findByRole("button", { name: "Log In" }, PATIENT)).toBeTruthy();
  expect(logOuts).toBe(3);
});

it("a session that had ended already counts as logged out", async () => {
  answer = () => HttpResponse.json({ error: "Sign in first.", code: "unauthorized" }, { status: 401 });
  await visit("/account?tab=logout", true);
  await logOut();
  expect(await screen.findByText("A shelf that keeps count.", undefined, PATIENT)).toBeTruthy();
});

it("the account menu asks before a log-out removes drafts and notes", async () => {
  answer = done;
  localStorage.setItem("shelfwise.draft.1.edit.7", "{}");
  localStorage.setItem("shelfwise.draft.1.tbr", "{}");
  localStorage.setItem("shelfwise.outbox.1.000000000000001.k", "{}");
  await visit("/account?tab=terms", true);
  const press = async () => {
    await userEvent.click(await screen.findByRole("button", { name: "My Account" }, PATIENT));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Log Out" }, PATIENT));
    return within(await screen.findByRole("alertdialog"));
  };
  const asks = "1 note has not been sent, and 2 forms have text that is not saved. Log out and lose them?";
  const first = await press();
  expect(first.getByText(asks)).toBeTruthy();
  await userEvent.click(first.getByRole("button", { name: "Stay logged in" }));
  expect(localStorage).toHaveLength(3);
  await userEvent.click((await press()).getByRole("button", { name: "Log Out" }));
  expect(await screen.findByText("A shelf that keeps count.", undefined, PATIENT)).toBeTruthy();
  expect([logOuts, localStorage.getItem("shelfwise.draft.1.tbr")]).toEqual([1, null]);
});
