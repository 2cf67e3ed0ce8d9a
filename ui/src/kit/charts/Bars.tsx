import css from "./Bars.module.css";
import { LOW } from "./height";
import { useWidth } from "./useWidth";

/** A number with what is written above its bar. */
interface Figure {
  value: number;
  text: string;
}

export interface Bar extends Figure {
  name: string;
  /** The number of another period, whose bar stands beside. */
  other?: Figure;
  /** What is missing to a whole: an outline that stands on the bar. Its text is above both. */
  rest?: Figure;
}

/** Room above the bars for their figures, and below them for their names, in px. */
const HEAD = 18;
const FOOT = 22;
const WIDEST = 56;
/** The usual width in px of a letter, with the space that a text keeps from the next one. */
const LETTER = 6.5;
const SPACE = 8;

/** Upright bars with a figure above and a name below each. */
export function Bars({ bars }: { bars: readonly Bar[] }) {
  const [place, width] = useWidth<HTMLDivElement>();
  return (
    <div ref={place} className={css.bars} style={{ height: LOW }}>
      {width > 0 && <Drawing bars={bars} width={width} />}
    </div>
  );
}

function Drawing({ bars, width }: { bars: readonly Bar[]; width: number }) {
  const room = LOW - HEAD - FOOT;
  const base = HEAD + room;
  const most = Math.max(
    1,
    ...bars.map(({ value, other, rest }) => Math.max(value + (rest?.value ?? 0), other?.value ?? 0)),
  );
  const slot = width / bars.length;
  const isPaired = bars.some(({ other }) => other);
  const broad = Math.min(WIDEST, slot * (isPaired ? 0.42 : 0.66));
  const roomOf = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length)) * LETTER + SPACE;
  const nameRoom = roomOf(bars.map(({ name }) => name));
  const figureRoom = roomOf(bars.flatMap(({ text, other, rest }) => [text, other?.text ?? "", rest?.text ?? ""]));
  // Counted back from the last one, which readers look for first.
  const isShown = (at: number, room: number) => (bars.length - 1 - at) % Math.ceil(room / slot) === 0;
  return (
    <svg className={css.drawing} width={width} height={LOW} viewBox={`0 0 ${width} ${LOW}`} aria-hidden="true">
      {bars.map(({ name, rest, other, ...one }, at) => {
        const middle = slot * (at + 0.5);
        const hasFigures = isShown(at, isPaired ? 2 * figureRoom : figureRoom);
        const x = middle - (isPaired ? broad + 1 : broad / 2);
        const top = base - (one.value / most) * room;
        const over = rest && rest.value > 0 ? (rest.value / most) * room : 0;
        return (
          <g key={name}>
            <Upright {...one} text={over > 0 || !hasFigures ? "" : one.text} blue={1} {...{ x, base, broad, top }} />
            {other && (
              <Upright
                {...other}
                text={hasFigures ? other.text : ""}
                blue={2}
                {...{ base, broad }}
                x={middle + 1}
                top={base - (other.value / most) * room}
              />
            )}
            {over > 0 && (
              <>
                <rect
                  className={css.outline}
                  x={(x + 0.5).toFixed(1)}
                  y={(top - over).toFixed(1)}
                  width={(broad - 1).toFixed(1)}
                  height={over.toFixed(1)}
                />
                <text className={css.figure} x={(x + broad / 2).toFixed(1)} y={(top - over - 5).toFixed(1)}>
                  {hasFigures && rest?.text}
                </text>
              </>
            )}
            {isShown(at, nameRoom) && (
              <text className={css.name} x={clamped(middle, (nameRoom - SPACE) / 2, width).toFixed(1)} y={LOW - 5}>
                {name}
              </text>
            )}
          </g>
        );
      })}
      <rect className={css.board} y={base} width={width} height="3" />
    </svg>
  );
}

/** The middle of a name that stays within the drawing. */
const clamped = (middle: number, half: number, width: number) => Math.min(Math.max(middle, half), width - half);

interface UprightProps extends Figure {
  blue: 1 | 2;
  x: number;
  top: number;
  base: number;
  broad: number;
}

function Upright({ value, text, blue, x, top, base, broad }: UprightProps) {
  if (value <= 0) return null;
  return (
    <>
      <rect
        className={`d${blue}`}
        x={x.toFixed(1)}
        y={top.toFixed(1)}
        width={broad.toFixed(1)}
        height={(base - top).toFixed(1)}
        rx="1"
      />
      <text className={css.figure} x={(x + broad / 2).toFixed(1)} y={(top - 5).toFixed(1)}>
        {text}
      </text>
    </>
  );
}
