import { useState } from "react";
import type { Review } from "../../kit/api/types";
import { type Bar, Bars } from "../../kit/charts/Bars";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { capitalized, counted, short, whole } from "../../kit/format";
import { Button } from "../../kit/ui/Button";
import { FoldedSection } from "../../kit/ui/FoldedSection";
import { Missing } from "./Missing";
import { lackingOf, lengthsOf, paceOf, periodTitle } from "./model";
import css from "./Years.module.css";

/** What fewer readers ask of a period, folded: pace, length, outcomes, new authors, and what is missing. */
export function MoreAbout({ review }: { review: Review }) {
  const { period, shelf, totals, newAuthors, missing } = review;
  const pace = period.length === 4 ? paceOf(shelf, period) : null;
  const lengths = lengthsOf(shelf);
  const hasOutcomes = totals.notFinished > 0;
  const holds = [
    pace && "pace",
    lengths && "length",
    hasOutcomes && "outcomes",
    newAuthors.length > 0 && counted(newAuthors.length, "new author"),
    (missing.date > 0 || lackingOf(review).length > 0) && "what is missing",
  ].filter(Boolean);
  if (holds.length === 0) return null;
  const outcomes = [totals.books, totals.notFinished].map((value, at) => ({
    name: at === 0 ? "Finished" : "Not finished",
    value,
    text: whole(value),
  }));
  return (
    <FoldedSection title={`More about ${periodTitle(period)}`} holds={capitalized(holds.join(", "))}>
      <div className={css.two}>
        {pace && (
          <Counts
            title="Pace"
            note={`About ${short(pace.average)} words a day.`}
            head={["Month", "Words a day"]}
            bars={pace.bars}
          />
        )}
        {lengths && <Counts title="Length" note={lengths.most} head={["Words", "Books"]} bars={lengths.bars} />}
        {hasOutcomes && (
          <Counts
            title="Outcomes"
            note={`${whole(totals.notFinished)} of ${whole(totals.books + totals.notFinished)} not finished.`}
            head={["Outcome", "Books"]}
            bars={outcomes}
          />
        )}
        {newAuthors.length > 0 && <NewAuthors names={newAuthors} />}
        <Missing review={review} />
      </div>
    </FoldedSection>
  );
}

interface CountsProps {
  title: string;
  note: string;
  head: readonly [string, string];
  bars: readonly Bar[];
}

function Counts({ title, note, head, bars }: CountsProps) {
  const rows = bars.map(({ name, value }) => [name, whole(value)] as const);
  return (
    <ChartFrame title={title} className={css.six} state="ready" note={note} table={{ caption: title, head, rows }}>
      <Bars bars={bars} />
    </ChartFrame>
  );
}

/** The names shown before the rest is asked for. */
const FIRST_NAMES = 10;

function NewAuthors({ names }: { names: readonly string[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? names : names.slice(0, FIRST_NAMES);
  return (
    <section className={css.six} aria-labelledby="new-authors">
      <h2 className="h3" id="new-authors" tabIndex={-1}>
        {counted(names.length, "new author")}
      </h2>
      <ul className={css.newAuthors}>
        {shown.map((name) => (
          <li key={name} dir="auto">
            {name}
          </li>
        ))}
      </ul>
      {shown.length < names.length && (
        <Button
          variant="quiet"
          size="compact"
          onClick={() => {
            setShowsAll(true);
            document.getElementById("new-authors")?.focus({ preventScroll: true });
          }}
        >
          {whole(names.length - shown.length)} more
        </Button>
      )}
    </section>
  );
}
