import type { ReactNode } from "react";
import css from "./Empty.module.css";

/** Left edge, width and height of each dashed spine. */
type Spine = readonly [x: number, width: number, height: number];

const SPINES: readonly Spine[] = [
  [10, 16, 52],
  [30, 26, 44],
  [60, 12, 58],
  [76, 32, 48],
  [112, 20, 54],
  [136, 14, 40],
];

/** Dashed spines on a board, for an empty place. */
export function GhostSpines({ spines = SPINES, width = 200, height = 68 }: GhostSpinesProps) {
  return (
    <svg width={width} height={height + 4} viewBox={`0 0 ${width} ${height + 4}`} aria-hidden="true" focusable="false">
      {spines.map(([x, w, h]) => (
        <rect key={x} className={css.ghost} x={x + 0.5} y={height - h} width={w} height={h} rx="1" />
      ))}
      <rect className={css.board} y={height} width={width} height="3" />
    </svg>
  );
}

interface GhostSpinesProps {
  spines?: readonly Spine[];
  width?: number;
  height?: number;
}

interface EmptyProps {
  /** What is missing: "Your TBR list is empty". */
  title: ReactNode;
  /** What the reader can do about it. */
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** An empty state: dashed spines, a sentence, and an action. */
export function Empty({ title, children, action, className }: EmptyProps) {
  return (
    <div className={className ? `${css.empty} ${className}` : css.empty}>
      <GhostSpines />
      <h2 className="h3">{title}</h2>
      {children && <p>{children}</p>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  );
}
