import { isolated } from "../direction";
import { percent } from "../format";
import type { Blue } from "../ui/Badge";
import css from "./Doughnut.module.css";
import { useTip } from "./useTip";

export interface Slice {
  name: string;
  value: number;
  blue: Blue;
}

const SIZE = 216;
const RADIUS = SIZE / 2;
/** The radius of the hole, as a share of the ring's radius. */
const HOLE = 0.64;
const MIDDLE = (RADIUS * (1 + HOLE)) / 2;
const BAND = RADIUS * (1 - HOLE);
const ROUND = 2 * Math.PI * MIDDLE;
/** The gap between two slices, in px along the middle of the band. */
const GAP = 2;

interface DoughnutProps {
  /** In drawing order, from 12 o'clock. */
  slices: readonly Slice[];
  /** The text in the middle: the total, and its unit on one or two lines below. */
  total: string;
  unit: readonly string[];
}

/** A ring of slices. Each slice is one circle, cut out of the ring by its dash array. */
export function Doughnut({ slices, total, unit }: DoughnutProps) {
  const { tip, show, hide } = useTip();
  const all = slices.reduce((sum, { value }) => sum + value, 0);
  let before = 0;
  const arcs = slices.map((slice) => {
    const share = all === 0 ? 0 : slice.value / all;
    const from = before;
    before += share;
    const length = share === 1 ? ROUND : Math.max(0.5, share * ROUND - GAP);
    return { ...slice, length, offset: -from * ROUND - GAP / 2, angle: (from + share / 2) * 2 * Math.PI - Math.PI / 2 };
  });
  const centre = RADIUS + 2;
  return (
    <div className={css.stage}>
      <svg
        className={css.ring}
        aria-hidden="true"
        width={SIZE}
        height={SIZE}
        viewBox={`-2 -2 ${SIZE + 4} ${SIZE + 4}`}
        onPointerLeave={hide}
      >
        {arcs.map(({ name, value, blue, length, offset, angle }) => (
          <circle
            key={name}
            className={css.arc}
            data-blue={blue}
            cx={RADIUS}
            cy={RADIUS}
            r={MIDDLE}
            strokeWidth={BAND}
            strokeDasharray={`${length.toFixed(2)} ${(ROUND - length).toFixed(2)}`}
            strokeDashoffset={offset.toFixed(2)}
            transform={`rotate(-90 ${RADIUS} ${RADIUS})`}
            onPointerEnter={() => {
              const place = { x: centre + MIDDLE * Math.cos(angle), y: centre + MIDDLE * Math.sin(angle) };
              show(place, `${isolated(name)}: ${percent(value, all)}`);
            }}
          />
        ))}
        <text className={css.total} x={RADIUS} y={RADIUS - 2} textAnchor="middle">
          {total}
        </text>
        {unit.map((line, i) => (
          <text key={line} className={css.unit} x={RADIUS} y={RADIUS + 18 + i * 17} textAnchor="middle">
            {line}
          </text>
        ))}
      </svg>
      {tip}
    </div>
  );
}
