import { memo } from "react";
import type { Kpis as Figures } from "../kit/api/types";
import { counted, type Shortened, shortened, whole } from "../kit/format";
import { Skeleton } from "../kit/ui/Waiting";
import { dateBefore } from "./filters/filter";
import css from "./Kpis.module.css";

interface Kpi {
  label: string;
  value: Shortened;
  /** Nothing to tell while there are no books. */
  note: string;
}

const LABELS = ["Total Words", "Words YTD", "Words (30 days)", "Books Read", "Avg Rating", "Authors"] as const;

const plain = (value: string): Shortened => ({ value, unit: "" });

const DAY = new Intl.DateTimeFormat("en-US", { month: "long", day: "numeric", timeZone: "UTC" });

/** The day from which the last 30 days count: "October 19". */
function thirtyDaysBefore(today: string): string {
  return DAY.format(new Date(dateBefore(today, { days: 30 })));
}

function kpisOf(figures: Figures, today: string): Kpi[] {
  const { totalWords, wordsYtd, wordsLast30Days, booksRead, averageRating, authors } = figures;
  const notes = [
    whole(totalWords),
    `${counted(figures.booksYtd, "book")} since January 1`,
    `${counted(figures.booksLast30Days, "book")} since ${thirtyDaysBefore(today)}`,
    `${whole(figures.rereads)} of them rereads`,
    `out of 10, ${whole(figures.ratedBooks)} rated`,
    "in finished books",
  ];
  const values = [
    shortened(totalWords),
    shortened(wordsYtd),
    shortened(wordsLast30Days),
    plain(whole(booksRead)),
    plain(averageRating === null ? "-" : averageRating.toFixed(1)),
    plain(whole(authors)),
  ];
  return LABELS.map((label, i) => ({ label, value: values[i] ?? plain("-"), note: notes[i] ?? "" }));
}

interface KpisProps {
  /** Null while they are being fetched. */
  figures: Figures | null;
  /** The reader's day, yyyy-MM-dd. */
  today: string;
}

/** The strip of six figures. With no finished book it shows noughts and says nothing about them. */
export const Kpis = memo(function Kpis({ figures, today }: KpisProps) {
  if (figures === null) return <KpisLoading />;
  const isEmpty = figures.booksRead === 0;
  return (
    <dl className={css.strip}>
      {kpisOf(figures, today).map(({ label, value, note }) => (
        <div key={label} className={css.kpi}>
          <dt className={css.label}>{label}</dt>
          <dd className={isEmpty ? `${css.value} muted` : css.value}>
            {value.value}
            {value.unit && <span className={css.unit}>{value.unit}</span>}
          </dd>
          {!isEmpty && <dd className={css.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
});

function KpisLoading() {
  return (
    <dl className={css.strip}>
      {LABELS.map((label) => (
        <div key={label} className={css.kpi}>
          <dt className={css.label}>{label}</dt>
          <dd className={css.loading}>
            <Skeleton width={50} height={1.75} />
          </dd>
          <dd>
            <Skeleton width={62} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
