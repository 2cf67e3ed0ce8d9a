import { type ReactNode, Suspense } from "react";
import { useWidth } from "../../kit/charts/useWidth";

/** Properties of every chart on the dashboard. */
export interface FigureProps {
  /** Its position in the grid. */
  className?: string;
  /** Lower while empty, when no chart on the page has data. */
  low?: boolean;
}

/** Shown when no book has a word count. */
export const NO_WORDS = "None of these books has a word count yet.";

interface DrawingProps {
  /** The drawing's height in px at a width in px. */
  heightAt: (width: number) => number;
  children: ReactNode;
}

/** Reserves a drawing's place while the code that draws it is loading, so that nothing below it moves. */
export function Drawing({ heightAt, children }: DrawingProps) {
  return <Suspense fallback={<Reserved heightAt={heightAt} />}>{children}</Suspense>;
}

function Reserved({ heightAt }: Pick<DrawingProps, "heightAt">) {
  const [place, width] = useWidth<HTMLDivElement>();
  return <div ref={place} style={{ height: heightAt(width) }} />;
}
