import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createQueryClient } from "../../kit/query";
import { type BookForm, emptyForm } from "../books/model";
import { useBookForm } from "../books/useBookForm";
import type { CoverState } from "../covers/useCover";
import { bookForm } from "./fill";
import { LookUp } from "./LookUp";
import { KINDRED } from "./test-book";

vi.setConfig({ testTimeout: 30_000 });

const server = setupServer(
  http.get("*/api/preferences", () => HttpResponse.json({ preferences: { timezone: "UTC" } })),
  http.get("*/api/site", () => HttpResponse.json({ lookup: ["openlibrary.org"] })),
);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());
/** The cover of the form, which has none. */
let cover: CoverState;
/** The pictures that were chosen. */
let pictures: string[];
/** The covers that were asked for. */
let covers: unknown[];
beforeEach(() => {
  [pictures, covers] = [[], []];
  cover = {
    url: null,
    problem: undefined,
    source: null,
    isBusy: false,
    isChanged: false,
    // Like the form's, it never fails: a test may end before its cover has come.
    choose: async (file) => {
      const picture = await Promise.resolve(file).catch(() => null);
      if (picture) pictures.push(await picture.text());
    },
    remove: vi.fn(),
    takeBack: vi.fn(),
    startOver: vi.fn(),
    save: vi.fn(),
  };
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:cover", revokeObjectURL: vi.fn() }));
  server.use(
    http.post("*/api/lookup/cover", async ({ request }) => {
      covers.push(await request.json());
      return new HttpResponse("picture", { headers: { "Content-Type": "image/jpeg" } });
    }),
  );
});
afterEach(() => server.resetHandlers());

interface FormProps {
  typed?: Partial<BookForm>;
  asksFirst?: boolean;
}

function Form({ typed, asksFirst }: FormProps) {
  const form = useBookForm({ ...emptyForm("Print"), ...typed });
  return (
    <form onSubmit={() => expect.unreachable("the form was sent")}>
      <LookUp form={bookForm(form)} cover={cover} asksFirst={asksFirst} />
      <input aria-label="Title" {...form.register("title")} />
      <input aria-label="Words" {...form.register("wordCount")} />
    </form>
  );
}

function open(props: FormProps = {}) {
  return render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <Form {...props} />
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
  await userEvent.click(await screen.findByRole("button", { name: /Kindred.*fills 10 fields/ }));
  expect(asked).toEqual(["kindred"]);
  expect(await screen.findByText(/Filled in: author, words, pages, ISBN, genres, publisher/)).toBeTruthy();
  expect(textOf(screen.getByRole("textbox", { name: "Title" }))).toBe("Mine");
  expect(textOf(screen.getByRole("textbox", { name: "Words" }))).toBe("72600");
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(textOf(screen.getByRole("textbox", { name: "Words" }))).toBe("");
  expect(await screen.findByText("openlibrary.org: 1 found")).toBeTruthy();
});

it("the single book of an ISBN is taken without a question, and one of a title is not", async () => {
  const book = { ...KINDRED, cover: null };
  answers(() => HttpResponse.json({ data: [book], sources: [{ name: "openlibrary", outcome: "ok" }] }));
  open();
  await userEvent.type(await field(), "978-0-8070-8369-7{Enter}");
  expect(await screen.findByText(/^Filled in: title, author, words/)).toBeTruthy();
  expect(textOf(screen.getByRole("textbox", { name: "Words" }))).toBe("72600");
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(await screen.findByRole("button", { name: /^Kindred/ })).toBeTruthy();
  expect(textOf(screen.getByRole("textbox", { name: "Words" }))).toBe("");
});

it("says that a single character is too little, until more is typed", async () => {
  const asked = answers(() => HttpResponse.json({ data: [], sources: [] }));
  open();
  await userEvent.type(await field(), "k{Enter}");
  expect(await screen.findByText("Type at least two characters.")).toBeTruthy();
  await userEvent.type(await field(), "i");
  expect(screen.queryByText("Type at least two characters.")).toBeNull();
  expect(asked).toEqual([]);
});

it("the cover of a chosen book goes into the form, once, and goes with the choice", async () => {
  answers(() => HttpResponse.json({ data: [KINDRED], sources: [{ name: "openlibrary", outcome: "ok" }] }));
  const { container } = open();
  await userEvent.type(await field(), "kindred{Enter}");
  // Covers are asked for a second apart, the one of the test before included.
  const shown = () => expect(container.querySelector("img")?.getAttribute("src")).toBe("blob:cover");
  await vi.waitFor(shown, { timeout: 5_000 });
  await userEvent.click(screen.getByRole("button", { name: /^Kindred/ }));
  await vi.waitFor(() => expect(pictures).toEqual(["picture"]));
  expect(covers).toEqual([{ source: "openlibrary", cover: "240727" }]);
  await userEvent.click(await screen.findByRole("button", { name: "Take back" }));
  expect(cover.takeBack).toHaveBeenCalledWith("lookup");
});

it("a picture that is there stays", async () => {
  cover.url = "/api/covers/1";
  answers(() =>
    HttpResponse.json({ data: [{ ...KINDRED, cover: "7" }], sources: [{ name: "openlibrary", outcome: "ok" }] }),
  );
  open();
  await userEvent.type(await field(), "kindred{Enter}");
  await userEvent.click(await screen.findByRole("button", { name: /Kindred.*fills 10 fields/ }));
  expect(await screen.findByText(/^Filled in: title/)).toBeTruthy();
  expect(pictures).toEqual([]);
});

it("a stored book gets what is ticked, which is at first what is empty", async () => {
  answers(() =>
    HttpResponse.json({ data: [{ ...KINDRED, cover: null }], sources: [{ name: "openlibrary", outcome: "ok" }] }),
  );
  const typed = { title: "Kindred", author: "O. Butler", wordCount: "70000", pages: "100", isbn: "9780807083697" };
  open({ typed, asksFirst: true });
  await userEvent.type(await field(), "kindred{Enter}");
  await userEvent.click(await screen.findByRole("button", { name: /^Kindred/ }));
  const box = (name: string) => screen.findByRole<HTMLInputElement>("checkbox", { name });
  expect((await box("Publisher")).checked).toBe(true);
  expect((await box("Pages")).checked).toBe(false);
  expect(screen.queryByRole("checkbox", { name: "Title" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await userEvent.click(await screen.findByRole("button", { name: /^Kindred/ }));
  await userEvent.click(await box("Language"));
  await userEvent.click(await box("Words"));
  await userEvent.click(screen.getByRole("button", { name: "Fill in 5 fields" }));
  expect(await screen.findByText("Filled in: words, genres, publisher, published, first published.")).toBeTruthy();
  const words = screen.getByRole("textbox", { name: "Words" });
  expect(textOf(words)).toBe("27500");
  await userEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(textOf(words)).toBe("70000");
});

it("says that nothing was found, and what did not answer", async () => {
  answers(() => HttpResponse.json({ data: [], sources: [{ name: "openlibrary", outcome: "empty" }] }));
  open();
  await userEvent.type(await field(), "9783522202589{Enter}");
  expect(await screen.findByText("Nothing found for 9783522202589. Type it in.")).toBeTruthy();
  const sentence = "openlibrary.org did not answer within 10 seconds. Try again, or type it in.";
  const asked = answers(() => HttpResponse.json({ error: sentence, code: "lookup_unavailable" }, { status: 503 }));
  await userEvent.clear(await field());
  await userEvent.type(await field(), "momo");
  await userEvent.click(screen.getByRole("button", { name: "Look up" }));
  expect(await screen.findByText(sentence)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await vi.waitFor(() => expect(asked).toEqual(["momo", "momo"]));
  await userEvent.click(await screen.findByRole("button", { name: "Look up" }));
  await vi.waitFor(() => expect(asked).toEqual(["momo", "momo", "momo"]));
});

it("is absent where the server asks no catalogue", async () => {
  server.use(http.get("*/api/site", () => HttpResponse.json({ lookup: [] })));
  open();
  expect(await screen.findByRole("textbox", { name: "Title" })).toBeTruthy();
  expect(screen.queryByRole("searchbox")).toBeNull();
});

it("answers while one types from the catalogue on the server, and asks no one else before a press", async () => {
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
  await screen.findByRole("button", { name: /Kindred.*fills 11 fields/ });
  expect(covers).toEqual([]);
  expect(asked.every((question) => question.endsWith(" offline"))).toBe(true);
  expect(await screen.findByText("Catalog on this server: 1 found")).toBeTruthy();
  expect(screen.getByText("The cover of a book that you choose comes from openlibrary.org.")).toBeTruthy();
  expect(
    screen.getByText(/^The catalog on this server answers while you type, and nothing leaves the server\./),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Look up" }));
  expect(await screen.findByText("2 books found. Choose the one you have.")).toBeTruthy();
  expect(asked.at(-1)).toBe("kindr everywhere");
});

it("the focus goes back to what was found when a choice is taken back", async () => {
  answers(() => HttpResponse.json({ data: [KINDRED], sources: [{ name: "openlibrary", outcome: "ok" }] }));
  open({ asksFirst: true });
  await userEvent.type(await field(), "kindred{Enter}");
  const found = async () => {
    const list = (await screen.findByRole("region", { name: "Found" })).parentElement;
    await vi.waitFor(() => expect(document.activeElement).toBe(list));
  };
  const choose = async () => userEvent.click(await screen.findByRole("button", { name: /Kindred/ }));
  await choose();
  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
  await found();
  await choose();
  await userEvent.click(await screen.findByRole("button", { name: /^Fill in/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Take back" }));
  await found();
});
