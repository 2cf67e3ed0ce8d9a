import { useState } from "react";
import type { Preferences, Tally } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { Doughnut } from "../../kit/charts/Doughnut";
import { percent, short, whole } from "../../kit/format";
import { type Blue, OTHER_BLUE } from "../../kit/spine/blue";
import { Swatch } from "../../kit/spine/Swatch";
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
        slices={slices}
        total={measure === "words" ? short(total) : whole(total)}
        unit={[measure, "across genres"]}
      />
      <ul className={css.legend} aria-hidden="true">
        {slices.map(({ name, value, blue }) => (
          <li key={name}>
            <Swatch blue={blue} />
            <span className={css.legendName}>{name}</span>
            <span className={css.share}>{percent(value, total)}</span>
          </li>
        ))}
      </ul>
    </ChartFrame>
  );
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
