import { memo } from "react";
import type { Kpis as Figures } from "../kit/api/types";
import { counted, dateBefore, fullDay, type Shortened, short, shortened, whole } from "../kit/format";
import { type Kpi, KpiStrip } from "../kit/ui/KpiStrip";
import css from "./Kpis.module.css";

const LABELS = ["Total Words", "Words YTD", "Words (30 days)", "Books Read", "Avg Rating", "Authors"] as const;

const plain = (value: string): Shortened => ({ value, unit: "" });

function kpisOf({ figures, today, lastYear }: KpisProps): Kpi[] {
  if (figures === null) return LABELS.map((label) => ({ label, value: null }));
  const { totalWords, wordsYtd, wordsLast30Days, booksRead, averageRating, authors } = figures;
  const notes = [
    whole(totalWords),
    `${counted(figures.booksYtd, "book")} since January\u00a01`,
    `${counted(figures.booksLast30Days, "book")} since ${fullDay(dateBefore(today, { days: 30 }))}`,
    figures.rereads === 0 ? "no rereads" : `${whole(figures.rereads)} of them rereads`,
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
  const second = lastYear === undefined ? undefined : beside(lastYear);
  return LABELS.map((label, i) => ({
    label,
    value: values[i] ?? null,
    note: notes[i],
    ...(label === "Words YTD" && { second }),
  }));
}

/** The words of last year in words, blank while they are unknown. */
function beside(lastYear: number | null): string {
  if (lastYear === null) return "";
  return `${lastYear === 0 ? "none" : short(lastYear)} by this day last year`;
}

interface KpisProps {
  /** Null while the figures are loading. */
  figures: Figures | null;
  /** Today in the reader's time zone, yyyy-MM-dd. */
  today: string;
  /** The words from January 1 of last year to this day of it; null while they are fetched. Without it there is no comparison. */
  lastYear?: number | null;
}

/** The strip of six figures. Without a finished book it shows zeros without notes. */
export const Kpis = memo(function Kpis(props: KpisProps) {
  const { figures } = props;
  return <KpiStrip kpis={kpisOf(props)} columns={6} muted={figures?.booksRead === 0} className={css.strip} />;
});
