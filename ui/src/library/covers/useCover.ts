import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Book } from "../../kit/api/types";
import { withBase } from "../../kit/base";
import { type CoverSource, deleteCover, putCover } from "./api";
import { CoverError, scaled } from "./scale";

/** A picture that was chosen and is not saved yet. */
interface Chosen {
  file: Blob;
  /** An address of the picture in this page. */
  url: string;
  source: CoverSource;
}

/** The cover of a book form. It is saved with the book. */
export interface CoverState {
  /** The address of the picture to show; null without a cover. */
  url: string | null;
  /** Why the last file was not accepted; undefined when it was. */
  problem: string | undefined;
  /** Where the picture that was chosen comes from; null for the stored one. */
  source: CoverSource | null;
  /** Whether a file is being made smaller. */
  isBusy: boolean;
  /** Whether the cover differs from what is stored. */
  isChanged: boolean;
  /** Makes a file the cover, also one that is still being fetched. A {@link CoverError} of its own is shown. */
  choose: (file: Blob | Promise<Blob>, source: CoverSource) => Promise<void>;
  /** Leaves the book without a cover. */
  remove: () => void;
  /** Takes back a picture of this source, and shows the stored cover again. Another picture stays. */
  takeBack: (source: CoverSource) => void;
  /** Shows the stored cover again, because the form starts over. */
  startOver: () => void;
  /** Stores the cover with a book that is stored. */
  save: (bookId: number) => Promise<void>;
}

/** The state of a form's cover, which starts with that of the stored book. */
export function useCover(stored?: Book): CoverState {
  const client = useQueryClient();
  // Null is a cover that was removed, undefined one that was not touched.
  const [chosen, setChosen] = useState<Chosen | null>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  // What is saved, also by a form that is sent while a picture is being made smaller.
  const latest = useRef<{ turn: number; chosen?: Chosen | null; source?: CoverSource; work: Promise<void> }>({
    turn: 0,
    work: Promise.resolve(),
  });
  const url = chosen?.url;
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url]);

  const show = (next: Chosen | null | undefined) => {
    latest.current.chosen = next;
    setChosen(next);
  };
  const stopBeforeShowing = (next: null | undefined) => {
    latest.current.turn += 1;
    latest.current.source = undefined;
    setBusy(false);
    setProblem(undefined);
    show(next);
  };
  const shrink = async (file: Blob | Promise<Blob>, source: CoverSource) => {
    latest.current.turn += 1;
    latest.current.source = source;
    const turn = latest.current.turn;
    const isLatest = () => turn === latest.current.turn;
    setProblem(undefined);
    setBusy(true);
    try {
      const small = await scaled(await file);
      // A file that was chosen meanwhile counts.
      if (isLatest()) show({ file: small, url: URL.createObjectURL(small), source });
    } catch (error) {
      if (isLatest()) setProblem(error instanceof CoverError ? error.message : "This picture can't be read.");
    }
    if (isLatest()) setBusy(false);
  };
  const storedUrl = stored?.cover ? withBase(stored.cover.url) : null;
  return {
    url: chosen === undefined ? storedUrl : (chosen?.url ?? null),
    problem,
    source: chosen?.source ?? null,
    isBusy,
    isChanged: chosen === null ? storedUrl !== null : chosen !== undefined,
    choose: (file, source) => {
      latest.current.work = shrink(file, source);
      return latest.current.work;
    },
    remove: () => stopBeforeShowing(null),
    takeBack: (source) => latest.current.source === source && stopBeforeShowing(undefined),
    startOver: () => stopBeforeShowing(undefined),
    save: async (bookId) => {
      await latest.current.work;
      const cover = latest.current.chosen;
      if (cover) await putCover(client, bookId, cover.file, cover.source);
      if (cover === null && storedUrl !== null) await deleteCover(client, bookId);
    },
  };
}
