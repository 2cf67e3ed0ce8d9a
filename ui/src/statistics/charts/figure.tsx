import { type ReactNode, Suspense } from "react";
import css from "./Figures.module.css";

/** Properties of every chart on the dashboard. */
export interface FigureProps {
  /** Its position in the grid. */
  className?: string;
  /** Lower while empty, when no chart on the page has data. */
  low?: boolean;
}

/** Shown when no book has a word count. */
export const NO_WORDS = "None of these books has a word count yet.";

/** Reserves a drawing's place while the code that draws it is loading. */
export function Drawing({ children }: { children: ReactNode }) {
  return <Suspense fallback={<div className={css.waiting} />}>{children}</Suspense>;
}
