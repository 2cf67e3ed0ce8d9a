import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { PreviewBook } from "../../kit/api/types";
import { useWidth } from "../../kit/charts/useWidth";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { type ChosenFile, importProgressQuery } from "./api";
import css from "./Import.module.css";
import { partDone, partRead } from "./model";
import { ProgressShelf } from "./ProgressShelf";
import { progressText } from "./texts";

/** Milliseconds after which the server is asked how far it is: most imports are done before. */
const LONG = 2_000;

/** Whether something has been going on for long, and how far the server is with it then. */
function useProgress(request: object) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({ ...importProgressQuery(request), enabled: isLong });
  return data;
}

interface BarProps {
  label: string;
  /** 0 to 1. */
  part: number;
  /** What is done, in words. */
  done: string;
  /** The first books of the file, to draw on the shelf. */
  books: readonly PreviewBook[];
  children?: string;
}

/** A shelf that fills above a ruler. */
function Bar({ label, part, done, books, children }: BarProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  return (
    <div className={css.importing}>
      <div
        ref={ref}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
        aria-valuetext={done || undefined}
      >
        {width > 0 && <ProgressShelf part={part} width={width} books={books} />}
      </div>
      <p className="aside-text num">
        {done}
        {children}
      </p>
    </div>
  );
}

/** The progress of reading a file, if that takes long. */
export function Reading({ file }: { file: ChosenFile }) {
  const progress = useProgress(file);
  if (!progress) return null;
  return <Bar label="Reading the file" part={partRead(progress)} done={progressText(progress)} books={[]} />;
}

interface ImportingProps {
  request: object;
  /** Bytes sent so far, and bytes to send; both 0 until the upload begins. */
  progress: { sent: number; total: number };
  books: readonly PreviewBook[];
  onCancel: () => void;
}

/** The progress of an import, and a button that cancels it. */
export function Importing({ request, progress: { sent, total }, books, onCancel }: ImportingProps) {
  const progress = useProgress(request);
  return (
    <>
      <Bar
        label="Importing"
        part={partDone(total > 0 ? sent / total : 0, progress)}
        done={progressText(progress)}
        books={books}
      >
        If you cancel, nothing is imported.
      </Bar>
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
