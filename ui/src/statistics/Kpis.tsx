import { memo } from "react";
import type { Kpis as Figures } from "../kit/api/types";
import { counted, dateBefore, type Shortened, shortened, whole } from "../kit/format";
import { type Kpi, KpiStrip } from "../kit/ui/KpiStrip";
import css from "./Kpis.module.css";

const LABELS = ["Total Words", "Words YTD", "Words (30 days)", "Books Read", "Avg Rating", "Authors"] as const;

const plain = (value: string): Shortened => ({ value, unit: "" });

const DAY = new Intl.DateTimeFormat("en-US", { month: "long", day: "numeric", timeZone: "UTC" });

/** The first of the last 30 days: "October 19". */
function thirtyDaysBefore(today: string): string {
  return DAY.format(new Date(dateBefore(today, { days: 30 })));
}

function kpisOf(figures: Figures | null, today: string): Kpi[] {
  if (figures === null) return LABELS.map((label) => ({ label, value: null }));
  const { totalWords, wordsYtd, wordsLast30Days, booksRead, averageRating, authors } = figures;
  const notes = [
    whole(totalWords),
    `${counted(figures.booksYtd, "book")} since January 1`,
    `${counted(figures.booksLast30Days, "book")} since ${thirtyDaysBefore(today)}`,
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
  return LABELS.map((label, i) => ({ label, value: values[i] ?? null, note: notes[i] }));
}

interface KpisProps {
  /** Null while the figures are loading. */
  figures: Figures | null;
  /** Today in the reader's time zone, yyyy-MM-dd. */
  today: string;
}

/** The strip of six figures. Without a finished book it shows zeros without notes. */
export const Kpis = memo(function Kpis({ figures, today }: KpisProps) {
  return <KpiStrip kpis={kpisOf(figures, today)} columns={6} muted={figures?.booksRead === 0} className={css.strip} />;
});
