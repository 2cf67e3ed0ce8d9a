import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { PreviewBook } from "../../kit/api/types";
import { useWidth } from "../../kit/charts/useWidth";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { importProgressQuery } from "./api";
import css from "./Import.module.css";
import { partDone } from "./model";
import { ProgressShelf } from "./ProgressShelf";
import { progressText } from "./texts";

/** Milliseconds after which the server is asked how far it is: most imports are done before. */
const LONG = 2_000;

interface ImportingProps {
  request: object;
  /** Bytes sent so far, and bytes to send; both 0 until the upload begins. */
  progress: { sent: number; total: number };
  /** The first books of the file, to draw on the shelf. */
  books: readonly PreviewBook[];
  onCancel: () => void;
}

/** The progress of an import, a shelf that fills above a ruler, and a button that cancels it. */
export function Importing({ request, progress: { sent, total }, books, onCancel }: ImportingProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG);
    return () => clearTimeout(timer);
  }, []);
  const { data: progress } = useQuery({ ...importProgressQuery(request), enabled: isLong });
  const part = partDone(total > 0 ? sent / total : 0, progress);
  const done = progressText(progress);
  return (
    <>
      <div className={css.importing}>
        <div
          ref={ref}
          role="progressbar"
          aria-label="Importing"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(part * 100)}
          aria-valuetext={done || undefined}
        >
          {width > 0 && <ProgressShelf part={part} width={width} books={books} />}
        </div>
        <p className="aside-text num">{done}If you cancel, nothing is imported.</p>
      </div>
      <div className={`form-foot ${css.actions}`}>
        <Button variant="primary" size="large" disabled>
          Importing...
        </Button>
        <Button size="large" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}

/** Said after an import was canceled. */
export function Canceled() {
  return <Alert kind="note">Canceled. Nothing was imported.</Alert>;
}
