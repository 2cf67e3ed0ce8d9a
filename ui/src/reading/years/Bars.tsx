import { useWidth } from "../../kit/charts/useWidth";
import type { Bar } from "./model";
import css from "./Years.module.css";

const HEIGHT = 200;
/** Room above the bars for their figures, and below them for their names, in px. */
const HEAD = 18;
const FOOT = 22;
const WIDEST = 56;

/** Upright bars with a figure above and a name below each. */
export function Bars({ bars }: { bars: readonly Bar[] }) {
  const [place, width] = useWidth<HTMLDivElement>();
  return (
    <div ref={place} className={css.bars} style={{ height: HEIGHT }}>
      {width > 0 && <Drawing bars={bars} width={width} />}
    </div>
  );
}

function Drawing({ bars, width }: { bars: readonly Bar[]; width: number }) {
  const room = HEIGHT - HEAD - FOOT;
  const base = HEAD + room;
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const slot = width / bars.length;
  const bar = Math.min(WIDEST, slot * 0.66);
  return (
    <svg className={css.drawing} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {bars.map(({ name, value, text }, at) => {
        const x = slot * at + (slot - bar) / 2;
        const high = (value / most) * room;
        return (
          <g key={name}>
            {value > 0 && (
              <>
                <rect
                  className="d1"
                  x={x.toFixed(1)}
                  y={(base - high).toFixed(1)}
                  width={bar.toFixed(1)}
                  height={high.toFixed(1)}
                  rx="1"
                />
                <text className={css.figure} x={(x + bar / 2).toFixed(1)} y={(base - high - 5).toFixed(1)}>
                  {text}
                </text>
              </>
            )}
            <text className={css.point} x={(x + bar / 2).toFixed(1)} y={HEIGHT - 5}>
              {name}
            </text>
          </g>
        );
      })}
      <rect className={css.board} y={base} width={width} height="3" />
    </svg>
  );
}
