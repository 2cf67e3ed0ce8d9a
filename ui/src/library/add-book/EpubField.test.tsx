import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { keys } from "../../kit/api/keys";
import { createQueryClient } from "../../kit/query";
import { PREFERENCES } from "../../test-reader";
import { emptyForm } from "../books/model";
import { useBookForm } from "../books/useBookForm";
import type { CoverState } from "../covers/useCover";
import type { EpubBook } from "../epub/read";
import { EpubField } from "./EpubField";

const COVER = new Blob(["picture"]);
const BOOK: EpubBook = {
  title: "Gaudy Night",
  author: "Dorothy L. Sayers",
  isbn: "",
  subjects: [],
  language: "en",
  words: 181_300,
  digest: "59d481d168cca6267322f150c5f6a2a3",
  cover: COVER,
};
const NO_COVER: CoverState = {
  url: null,
  problem: undefined,
  source: null,
  isBusy: false,
  isChanged: false,
  choose: vi.fn(),
  remove: vi.fn(),
  takeBack: vi.fn(),
  startOver: vi.fn(),
  save: vi.fn(),
};

/** Reads no file by itself. */
class StillWorker {
  onmessage: (event: { data: { book: EpubBook } }) => void = () => {};
  postMessage = () => {};
  terminate = () => {};
}
let worker: StillWorker;

beforeEach(() => {
  vi.stubGlobal(
    "Worker",
    class extends StillWorker {
      constructor() {
        super();
        worker = this;
      }
    },
  );
});

function Form({ cover }: { cover: CoverState }) {
  const form = useBookForm(emptyForm("Print"));
  return <EpubField form={form} cover={cover} />;
}

/** Chooses an EPUB while the form has no cover; `cover` is what it has when the words are counted. Returns the pictures that came. */
function read(cover: CoverState): unknown[] {
  const chosen: unknown[] = [];
  const noted = (state: CoverState) => ({ ...state, choose: async (picture: unknown) => void chosen.push(picture) });
  const client = createQueryClient(() => undefined);
  client.setQueryData(keys.preferences, { preferences: PREFERENCES });
  const form = (state: CoverState) => (
    <QueryClientProvider client={client}>
      <Form cover={noted(state)} />
    </QueryClientProvider>
  );
  const { rerender } = render(form(NO_COVER));
  const files = [new File(["book"], "gaudy-night.epub")];
  fireEvent.change(screen.getByLabelText("Have the EPUB? Open it"), { target: { files } });
  rerender(form(cover));
  act(() => worker.onmessage({ data: { book: BOOK } }));
  expect(screen.getByText(/^Filled in: title, author, cover, and 181,300 words counted/)).toBeTruthy();
  return chosen;
}

it("an EPUB brings its cover to a form without one", () => {
  expect(read(NO_COVER)).toEqual([COVER]);
});

it("a picture that was chosen while the words of an EPUB were counted stays", () => {
  expect(read({ ...NO_COVER, url: "blob:cover", source: "upload" })).toEqual([]);
});

it("a picture that is still being made smaller stays, too", () => {
  expect(read({ ...NO_COVER, isBusy: true })).toEqual([]);
});
