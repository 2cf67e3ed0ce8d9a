import { useEffect, useRef } from "react";
import type { FoundBook } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { Button } from "../../kit/ui/Button";
import { about, type Filling, filledFields } from "./fill";
import css from "./LookUp.module.css";

interface FilledProps {
  book: FoundBook;
  filling: Filling;
  onChange: () => void;
}

/** Says what a chosen book filled in, and takes it back. */
export default function Filled({ book, filling, onChange }: FilledProps) {
  const box = useRef<HTMLElement>(null);
  // The button that was pressed is gone; the next step of the form follows this box.
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  return (
    <section ref={box} tabIndex={-1} className={css.chosen} aria-label="Filled in">
      <div>
        <p className={css.title} dir="auto">
          {book.title}
        </p>
        <p className={css.about}>{about(book)}</p>
        <p className="hint" role="status">
          {said(filling)}
        </p>
      </div>
      <Button variant="quiet" size="compact" onClick={onChange}>
        Change
      </Button>
    </section>
  );
}

/** "Filled in: title, author, words from 264 pages." */
function said(filling: Filling): string {
  const names = filledFields(filling);
  if (names.length === 0) return "Nothing was empty, so nothing was filled in.";
  const fromPages = filling.wordCountSource === "pages";
  const words = fromPages ? ` ${counted(Number(filling.wordCount), "word")}, worked out from the pages.` : "";
  return `Filled in: ${names.join(", ")}.${words} What you typed stays.`;
}
