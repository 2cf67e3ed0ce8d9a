import { useState } from "react";
import type { Preferences, Tally } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { Doughnut, type Slice } from "../../kit/charts/Doughnut";
import { percent, short, whole } from "../../kit/format";
import { type Blue, OTHER_BLUE } from "../../kit/spine/blue";
import { Swatch } from "../../kit/spine/Swatch";
import { Button } from "../../kit/ui/Button";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import css from "./Figures.module.css";
import type { FigureProps } from "./figure";

type Measure = Preferences["defaultStatsView"];

interface GenresFigureProps extends FigureProps {
  genres: readonly Tally[];
  blueOf: (genre: string) => Blue;
  /** The measure until the reader chooses one. */
  usual: Measure;
}

/** Genres as a ring, by words or by books. Genres without a blue of their own come last. */
export function GenresFigure({ genres, blueOf, usual, low, className }: GenresFigureProps) {
  const [chosen, setChosen] = useState<Measure | null>(null);
  // Exports of some trackers have no word counts: then a ring by books says more than an empty one.
  const measure = chosen ?? (genres.some(({ words }) => words > 0) ? usual : "books");
  const slices = genres
    .map(({ name, [measure]: value }) => ({ name, value, blue: blueOf(name) }))
    .sort((a, b) => Number(a.blue === OTHER_BLUE) - Number(b.blue === OTHER_BLUE) || b.value - a.value);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? slices : folded(slices);
  return (
    <ChartFrame
      title="Genre Distribution"
      className={className}
      low={low}
      state={total === 0 ? "empty" : "ready"}
      note="A book counts once in each of its genres."
      actions={genres.length > 0 && <MeasureToggle measure={measure} onChoose={setChosen} />}
      table={{
        caption: `Genre distribution by ${measure}`,
        head: ["Genre", measure === "words" ? "Words" : "Books", "Share"],
        rows: slices.map(({ name, value }) => [name, whole(value), percent(value, total)]),
      }}
    >
      <Doughnut
        slices={shown}
        total={measure === "words" ? short(total) : whole(total)}
        unit={[measure, "across genres"]}
      />
      <ul className={css.legend} aria-hidden="true">
        {shown.map(({ name, value, blue }) => (
          <li key={name}>
            <Swatch blue={blue} />
            <span className={css.legendName} dir="auto">
              {name}
            </span>
            <span className={css.share}>{percent(value, total)}</span>
          </li>
        ))}
      </ul>
      {slices.length > MOST && (
        <Button size="compact" className={css.all} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show fewer" : `Show all ${slices.length} genres`}
        </Button>
      )}
    </ChartFrame>
  );
}

/** The slices that a legend shows without pushing the page apart, and those that are shown when there are more. */
const MOST = 10;
const FIRST = 5;

/** The first slices, and one for all others when there are many. */
function folded(slices: readonly Slice[]): readonly Slice[] {
  if (slices.length <= MOST) return slices;
  const others = slices.slice(FIRST);
  const value = others.reduce((sum, slice) => sum + slice.value, 0);
  return [...slices.slice(0, FIRST), { name: `Other genres (${others.length})`, value, blue: OTHER_BLUE }];
}

function MeasureToggle({ measure, onChoose }: { measure: Measure; onChoose: (measure: Measure) => void }) {
  return (
    <SegmentedControl
      label="Measure genres by"
      options={[
        { value: "words", label: "Words" },
        { value: "books", label: "Books" },
      ]}
      value={measure}
      onChoose={onChoose}
    />
  );
}
