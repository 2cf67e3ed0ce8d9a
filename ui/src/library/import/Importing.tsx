import type { PreviewBook } from "../../kit/api/types";
import { useWidth } from "../../kit/charts/useWidth";
import css from "./Import.module.css";
import { ProgressShelf } from "./ProgressShelf";

interface ImportingProps {
  /** Bytes sent so far, and bytes to send; both 0 until the upload begins. */
  sent: number;
  total: number;
  /** The file's size in bytes. */
  size: number;
  /** The first books of the file, to draw on the shelf. */
  books: readonly PreviewBook[];
}

/** The progress of an upload: a shelf that fills above a ruler. */
export function Importing({ sent, total, size, books }: ImportingProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const part = total > 0 ? sent / total : 0;
  return (
    <div className={css.importing}>
      <div
        ref={ref}
        role="progressbar"
        aria-label="File sent"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
      >
        {width > 0 && <ProgressShelf part={part} size={size} width={width} books={books} />}
      </div>
      <p className="aside-text" role="status">
        {part < 1
          ? "Sending the file. If you cancel, nothing is imported."
          : "The file is sent. If you cancel, nothing is imported."}
      </p>
    </div>
  );
}
