import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it, vi } from "vitest";
import type { Passage } from "../kit/api/types";
import { aRead } from "../library/books/test-read";
import { NORA, renderAs, toastSays } from "../test-reader";
import { pageServer } from "../test-server";
import SearchPage from "./SearchPage";

const ROAR = { text: "That roar on the other side of silence.", place: "p. 194", note: null, day: "2024-03-02" };
const NOTE = { text: "", place: null, note: "Ask Ida.", day: null };
let passages: Passage[] = [];
let sent: unknown[] = [];
let asked: string[] = [];
beforeEach(() => {
  passages = [ROAR, NOTE];
  [sent, asked] = [[], []];
});

const server = pageServer(
  "/search?tab=quotes",
  http.get("*/api/quotes", ({ request }) => {
    const query = new URL(request.url).searchParams;
    asked.push(query.get("random") ?? "in order");
    const data = passages.map((one) => ({ ...one, bookId: 7, title: "Middlemarch", author: "George Eliot" }));
    const isAll = query.get("author") === null || query.get("author") === "George Eliot";
    return HttpResponse.json({ data: isAll ? data : [], nextCursor: null, matching: isAll ? data.length : 0 });
  }),
  http.get("*/api/books/7", () =>
    HttpResponse.json({ book: { ...aRead({ title: "Middlemarch" }), passages } }, { headers: { ETag: '"1"' } }),
  ),
  http.patch("*/api/books/7", async ({ request }) => {
    const body = (await request.json()) as { passages: Passage[] };
    sent.push({ body, meantFor: request.headers.get("If-Match") });
    passages = body.passages;
    return HttpResponse.json({ book: aRead({ title: "Middlemarch" }) });
  }),
  http.get("*/api/tags", () => HttpResponse.json({ data: [] })),
  http.get("*/api/stats/options", () =>
    HttpResponse.json({
      genres: [],
      formats: [],
      authors: ["Jane Austen", "George Eliot"].map((name) => ({ name, words: 1, books: 1 })),
    }),
  ),
);

it("lists quotes and notes with their place and day, and those of one author", async () => {
  renderAs(NORA, <SearchPage />);
  expect(await screen.findByText(ROAR.text)).toBeTruthy();
  expect(screen.getByText("p. 194")).toBeTruthy();
  expect(screen.getByText("Mar 2, 2024")).toBeTruthy();
  expect(screen.getByText("Ask Ida.")).toBeTruthy();
  await userEvent.selectOptions(await screen.findByLabelText("Author"), "Jane Austen");
  expect(await screen.findByText("No quotes match.")).toBeTruthy();
});

it("without a quote says how to get some", async () => {
  passages = [];
  renderAs(NORA, <SearchPage />);
  expect(await screen.findByText("No quotes yet")).toBeTruthy();
});

it("leafs through them at random", async () => {
  renderAs(NORA, <SearchPage />);
  await userEvent.click(await screen.findByRole("button", { name: "At random" }));
  await waitFor(() => expect(asked.at(-1)).toBe("true"));
  expect(await screen.findByRole("button", { name: "Another" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Another" }));
  expect(screen.getByText("Ask Ida.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Another" })).toHaveProperty("disabled", true);
  await userEvent.click(screen.getByRole("button", { name: "Previous" }));
  expect(screen.getByText(ROAR.text)).toBeTruthy();
});

it("keeps what was typed into a quote until it is saved", async () => {
  renderAs(NORA, <SearchPage />);
  const edit = async () => {
    const [button] = await screen.findAllByRole("button", { name: "Edit the quote from Middlemarch" });
    await userEvent.click(button as HTMLElement);
  };
  await edit();
  await userEvent.type(await screen.findByLabelText("Note"), "Aloud.");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await edit();
  expect(await screen.findByLabelText("Note")).toHaveProperty("value", "Aloud.");
  await userEvent.click(screen.getByRole("button", { name: "Start over" }));
  expect(screen.getByLabelText("Note")).toHaveProperty("value", "");
});

it("saves the quotes of the choice as Markdown", async () => {
  let query = "";
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:", revokeObjectURL: () => undefined }));
  server.use(
    http.get("*/api/quotes", ({ request }) => {
      const asked = new URL(request.url).searchParams;
      if (!asked.has("format")) return undefined;
      query = asked.toString();
      return new HttpResponse("> That roar");
    }),
  );
  passages = [ROAR];
  renderAs(NORA, <SearchPage />);
  await screen.findByRole("option", { name: "George Eliot" });
  await userEvent.selectOptions(screen.getByLabelText("Author"), "George Eliot");
  await userEvent.click(await screen.findByRole("button", { name: "Download as Markdown" }));
  await waitFor(() => expect(clicked).toHaveBeenCalled());
  expect(query).toBe("format=md&author=George+Eliot");
});

it("changes and deletes a quote where it is read, for the version that was fetched", async () => {
  renderAs(NORA, <SearchPage />);
  const [edit] = await screen.findAllByRole("button", { name: "Edit the quote from Middlemarch" });
  await userEvent.click(edit as HTMLElement);
  await userEvent.type(await screen.findByLabelText("Note"), "Aloud.");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await toastSays("Saved");
  expect(sent).toEqual([{ body: { passages: [{ ...ROAR, note: "Aloud." }, NOTE] }, meantFor: '"1"' }]);
  expect(await screen.findByText("Aloud.")).toBeTruthy();
  const [again] = await screen.findAllByRole("button", { name: "Edit the quote from Middlemarch" });
  await userEvent.click(again as HTMLElement);
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  await toastSays("Quote deleted");
  expect(passages).toEqual([NOTE]);
});
