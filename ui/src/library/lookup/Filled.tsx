import { useEffect, useRef } from "react";
import { Button } from "../../kit/ui/Button";
import type { CoverState } from "../covers/useCover";
import { about, type Chosen, type Offer } from "./fill";
import css from "./LookUp.module.css";

interface FilledProps extends Chosen {
  cover: CoverState | undefined;
  /** The label of its button: Change, or Take back. */
  act: string;
  onAct: () => void;
}

/** Says what a chosen book filled in, with the way to change it or to take it back. */
export default function Filled({ book, taken, withCover, cover, act, onAct }: FilledProps) {
  const box = useRef<HTMLElement>(null);
  // The button that was pressed is gone; the next step of the form follows this box.
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const isHere = withCover && cover !== undefined && !cover.isBusy && cover.problem === undefined && cover.url !== null;
  return (
    <section ref={box} tabIndex={-1} className={css.chosen} aria-label="Filled in">
      {withCover && (
        <span className={css.cover} data-empty={!isHere || undefined}>
          {isHere && <img src={cover?.url ?? ""} alt="" />}
        </span>
      )}
      <div className={css.chosenText}>
        <p className={css.title} dir="auto">
          {book.title}
        </p>
        <p className={css.about}>{about(book)}</p>
        <p className="vh" role="status">
          {said(taken, isHere)}
        </p>
        <p className="hint" role="status">
          {taken.length === 0 && !withCover && "Nothing was empty."}
          {withCover && cover?.isBusy && "Its cover is being fetched."}
          {withCover && cover?.problem && `Its cover is missing: ${cover.problem}`}
        </p>
      </div>
      <Button variant="quiet" size="compact" onClick={onAct}>
        {act}
      </Button>
    </section>
  );
}

/** `Filled in: title, author, words, cover.` */
function said(taken: readonly Offer[], withCover: boolean): string {
  const names = [...taken.map(({ name }) => name), ...(withCover ? ["cover"] : [])];
  return names.length === 0 ? "" : `Filled in: ${names.join(", ")}.`;
}
