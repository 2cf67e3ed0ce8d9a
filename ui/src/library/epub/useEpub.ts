import { useCallback, useEffect, useRef, useState } from "react";
import { ownScript } from "../../kit/trusted";
import type { EpubBook, EpubProblem } from "./read";
import workerAddress from "./worker.ts?worker&url";

/** The worker's answer. */
export type Read = { book: EpubBook; problem?: undefined } | { book?: undefined; problem: EpubProblem };

/** The current file: being read, or its result. */
export interface Epub {
  name: string;
  read?: Read;
}

/**
 * Reads one EPUB at a time in a worker, on this device only. `onBook` is called when its words are counted; of several renderings
 * meanwhile, that of the last.
 */
export function useEpub(onBook: (book: EpubBook) => void) {
  const [epub, setEpub] = useState<Epub | null>(null);
  const worker = useRef<Worker>(null);
  const stop = useCallback(() => worker.current?.terminate(), []);
  useEffect(() => stop, [stop]);
  const latest = useRef(onBook);
  useEffect(() => {
    latest.current = onBook;
  });

  const choose = (file: File) => {
    stop();
    const reader = new Worker(ownScript(workerAddress), { type: "module" });
    worker.current = reader;
    const done = (read: Read) => {
      reader.terminate();
      setEpub({ name: file.name, read });
      if (read.book) latest.current(read.book);
    };
    reader.onmessage = ({ data }: MessageEvent<Read>) => done(data);
    reader.onerror = () => done({ problem: "unreadable" });
    setEpub({ name: file.name });
    reader.postMessage(file);
  };

  return {
    epub,
    choose,
    forget: () => {
      stop();
      setEpub(null);
    },
  };
}
