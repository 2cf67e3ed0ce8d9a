import type { Passage } from "../../kit/api/types";
import { longDate } from "../../kit/format";
import css from "./QuoteText.module.css";

/** A quote with its place, its day and its note. One without a text is a note alone. */
export function QuoteText({ quote: { text, place, note, day } }: { quote: Passage }) {
  const known = [place, day && longDate(day)].filter(Boolean).join(", ");
  return (
    <div className={css.quote}>
      {text !== "" && <p dir="auto">“{text}”</p>}
      {note && (
        <p className={css.note} dir="auto">
          {note}
        </p>
      )}
      {known && (
        <p className="hint" dir="auto">
          {known}
        </p>
      )}
    </div>
  );
}
