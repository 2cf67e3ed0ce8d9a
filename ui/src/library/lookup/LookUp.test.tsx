import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { createQueryClient } from "../../kit/query";
import { useBookForm } from "../add-book/useBookForm";
import { emptyForm } from "../books/model";
import { LookUp } from "./LookUp";
import { KINDRED } from "./test-book";

vi.setConfig({ testTimeout: 30_000 });

const server = setupServer(
  http.get("*/api/preferences", () => HttpResponse.json({ preferences: { timezone: "UTC" } })),
  http.get("*/api/site", () => HttpResponse.json({ lookup: ["openlibrary.org"] })),
);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());
afterEach(() => server.resetHandlers());

function Form() {
  const form = useBookForm(emptyForm("Print"));
  return (
    <form onSubmit={() => expect.unreachable("the form was sent")}>
      <LookUp form={form} />
      <input aria-label="Title" {...form.register("title")} />
      <input aria-label="Words" {...form.register("wordCount")} />
    </form>
  );
}

function open() {
  return render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <Form />
    </QueryClientProvider>,
  );
}

/** Answers a look-up; the questions. */
function answers(answer: () => Response): string[] {
  const asked: string[] = [];
  server.use(
    http.get("*/api/lookup", ({ request }) => {
      asked.push(new URL(request.url).searchParams.get("q") ?? "");
      return answer();
    }),
  );
  return asked;
}

const textOf = (input: HTMLElement) => (input as HTMLInputElement).value;
const field = () => screen.findByRole("searchbox", { name: "Look it up" });

it("asks on a press alone, and fills in what is empty", async () => {
  const asked = answers(() =>
    HttpResponse.json({ data: [KINDRED], sources: [{ name: "openlibrary", outcome: "ok" }] }),
  );
  open();
  await userEvent.type(await screen.findByRole("textbox", { name: "Title" }), "Mine");
  await userEvent.type(await field(), "kindred{Enter}");
  await userEvent.click(await screen.findByRole("button", { name: /Kindred.*fills 9 fields/ }));
  expect(asked).toEqual(["kindred"]);
  expect(await screen.findByText(/Filled in: author, words, pages, ISBN, genres, publisher/)).toBeTruthy();
  expect(textOf(screen.getByRole("textbox", { name: "Title" }))).toBe("Mine");
  expect(textOf(screen.getByRole("textbox", { name: "Words" }))).toBe("72600");
  await userEvent.click(screen.getByRole("button", { name: "Change" }));
  expect(textOf(screen.getByRole("textbox", { name: "Words" }))).toBe("");
  expect(await screen.findByText("openlibrary.org: 1 found")).toBeTruthy();
});

it("says that nothing was found, and what did not answer", async () => {
  answers(() => HttpResponse.json({ data: [], sources: [{ name: "openlibrary", outcome: "empty" }] }));
  open();
  await userEvent.type(await field(), "9783522202589{Enter}");
  expect(
    await screen.findByText("Nothing found for 9783522202589. Type it in: nothing needs a catalogue."),
  ).toBeTruthy();
  const sentence = "openlibrary.org did not answer within 10 seconds. Try again, or type it in.";
  const asked = answers(() => HttpResponse.json({ error: sentence, code: "lookup_unavailable" }, { status: 503 }));
  await userEvent.clear(await field());
  await userEvent.type(await field(), "momo");
  await userEvent.click(screen.getByRole("button", { name: "Look up" }));
  expect(await screen.findByText(sentence)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Look up" }));
  await vi.waitFor(() => expect(asked).toEqual(["momo", "momo"]));
});

it("is absent where the server asks no catalogue", async () => {
  server.use(http.get("*/api/site", () => HttpResponse.json({ lookup: [] })));
  open();
  expect(await screen.findByRole("textbox", { name: "Title" })).toBeTruthy();
  expect(screen.queryByRole("searchbox")).toBeNull();
});

it("answers while one types from the catalogue on the server, and asks nobody else before a press", async () => {
  server.use(http.get("*/api/site", () => HttpResponse.json({ lookup: ["openlibrary.org"], offlineCatalogue: true })));
  const asked: string[] = [];
  server.use(
    http.get("*/api/lookup", ({ request }) => {
      const { searchParams } = new URL(request.url);
      const offline = searchParams.get("offline") === "true";
      asked.push(`${searchParams.get("q")} ${offline ? "offline" : "everywhere"}`);
      const own = { ...KINDRED, source: "catalogue" };
      const answer = { data: [own], sources: [{ name: "catalogue", outcome: "ok" }] };
      const outside = { data: [own, KINDRED], sources: [...answer.sources, { name: "openlibrary", outcome: "ok" }] };
      return HttpResponse.json(offline ? answer : outside);
    }),
  );
  open();
  await userEvent.type(await field(), "kindr");
  await screen.findByRole("button", { name: /Kindred.*fills 10 fields/ });
  expect(asked.every((question) => question.endsWith(" offline"))).toBe(true);
  expect(await screen.findByText("Catalogue on this server: 1 found")).toBeTruthy();
  expect(
    screen.getByText(/^The catalogue on this server answers while you type, and nothing leaves the server\./),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Look up" }));
  expect(await screen.findByText("2 books found. Choose the one you have.")).toBeTruthy();
  expect(asked.at(-1)).toBe("kindr everywhere");
});
