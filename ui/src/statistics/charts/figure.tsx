import { type ReactNode, Suspense } from "react";
import css from "./Figures.module.css";

/** What every figure of the dashboard takes. */
export interface FigureProps {
  /** Where it stands in the grid. */
  className?: string;
  /** Lower while empty, when nothing on the page has any data. */
  low?: boolean;
}

/** Said where nothing stands out, because no book has any words yet. */
export const NO_WORDS = "None of these books has a word count yet.";

/** Keeps a drawing's place while the code that draws it is fetched. */
export function Drawing({ children }: { children: ReactNode }) {
  return <Suspense fallback={<div className={css.waiting} />}>{children}</Suspense>;
}
