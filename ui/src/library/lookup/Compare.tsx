import { useEffect, useRef, useState } from "react";
import type { FoundBook } from "../../kit/api/types";
import { counted, whole } from "../../kit/format";
import { Button } from "../../kit/ui/Button";
import { Checkbox } from "../../kit/ui/Choice";
import type { CoverState } from "../covers/useCover";
import { fillsCover, type Offer } from "./fill";
import css from "./LookUp.module.css";
import { sourceName } from "./sources";

interface CompareProps {
  book: FoundBook;
  offers: readonly Offer[];
  cover: CoverState;
  onTake: (offers: readonly Offer[], withCover: boolean) => void;
  onCancel: () => void;
}

/** Asks which fields of a stored book get what a catalogue says. Only empty ones are ticked at first. */
export default function Compare({ book, offers, cover, onTake, onCancel }: CompareProps) {
  const box = useRef<HTMLElement>(null);
  // The button that was pressed is gone; the next step follows this box.
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(offers.flatMap(({ name, here }) => (here === "" ? [name] : []))),
  );
  const [withCover, setWithCover] = useState(fillsCover(book, cover));
  const isTaken = ({ name, here, there }: Offer) => here !== there && ticked.has(name);
  const taken = offers.filter(isTaken);
  const many = taken.length + Number(withCover);
  const tick = (name: string) => {
    const others = new Set(ticked);
    if (!others.delete(name)) others.add(name);
    setTicked(others);
  };
  return (
    <section ref={box} tabIndex={-1} className={css.compare} aria-label="What to take over">
      <h2 className={css.count}>What to take over</h2>
      <table className={css.offers}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Here</th>
            <th scope="col">{sourceName(book.source)}</th>
          </tr>
        </thead>
        <tbody>
          {offers.map((offer) => (
            <Row
              key={offer.name}
              {...offer}
              empty="empty"
              isSame={offer.here === offer.there}
              isTicked={isTaken(offer)}
              onTick={() => tick(offer.name)}
            />
          ))}
          {book.cover !== null && (
            <Row
              name="cover"
              here={cover.url === null ? "" : "one picture"}
              there="one picture"
              empty="none"
              isSame={false}
              isTicked={withCover}
              onTick={() => setWithCover(!withCover)}
            />
          )}
        </tbody>
      </table>
      <p className="hint">Only empty fields are ticked. What you wrote stays unless you tick it.</p>
      <div className={css.acts}>
        <Button variant="primary" size="compact" disabled={many === 0} onClick={() => onTake(taken, withCover)}>
          Fill in {counted(many, "field")}
        </Button>
        <Button variant="quiet" size="compact" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  );
}

interface RowProps {
  name: string;
  here: string;
  there: string;
  /** The word for a field without a value. */
  empty: string;
  isSame: boolean;
  isTicked: boolean;
  onTick: () => void;
}

/** Numbers of words and pages have separators here; in the form's fields they have none. */
const shown = (name: string, value: string) =>
  (name === "words" || name === "pages") && /^\d+$/.test(value) ? whole(Number(value)) : value;

function Row({ name, here, there, empty, isSame, isTicked, onTick }: RowProps) {
  const label = name.charAt(0).toUpperCase() + name.slice(1);
  return (
    <tr>
      <td>
        {isSame ? (
          <span className={css.same}>{label}</span>
        ) : (
          <Checkbox checked={isTicked} onChange={onTick}>
            {label}
          </Checkbox>
        )}
      </td>
      <td className={here === "" ? css.same : undefined} dir="auto">
        {here === "" ? empty : shown(name, here)}
      </td>
      <td className={isSame ? css.same : undefined} dir="auto">
        {isSame ? "the same" : shown(name, there)}
      </td>
    </tr>
  );
}
