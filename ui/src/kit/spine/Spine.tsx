import { memo } from "react";
import { isolated } from "../direction";
import type { Blue } from "./blue";
import { FOOT, headRoom, letteringOf, type SpineBook } from "./lettering";
import { measureSerif, UPRIGHT } from "./measure";
import css from "./Spine.module.css";
import { tenth } from "./size";

interface SpineProps {
  book: SpineBook;
  /** The upper left corner, in px of the drawing. */
  x: number;
  y: number;
  /** Thickness in px. */
  width: number;
  /** Height in px. */
  height: number;
  blue: Blue;
  /** Degrees by which the spine leans to the left, around its lower left corner. */
  lean?: number;
  /** Set for a spine that can be pointed at and opened. */
  id?: number;
  /** Lifted, with a focus line around it. */
  isOn?: boolean;
  /** A changed value redraws the lettering after the fonts have loaded; see `useFontsReady`. */
  fontsReady?: number;
}

type Drawn = Pick<SpineProps, "book" | "x" | "y" | "width" | "height" | "blue">;

/** Two pairs of lines for print, one line at the foot for an eBook, three dots for audio. */
function Binding({ book, x, y, width, height, blue }: Drawn) {
  if (width < 9) return null;
  const from = width < 16 ? 2 : 3;
  const line = (down: number) => `M${tenth(x + from)} ${tenth(y + down)}H${tenth(x + width - from)}`;
  if (book.format === "Print") {
    return <path className={`${css.line} o${blue}`} d={[7, 9.5, height - 9.5, height - 7].map(line).join("")} />;
  }
  if (book.format === "eBook") return <path className={`${css.line} o${blue}`} d={line(height - 8)} />;
  const step = width < 14 ? 2.8 : 4;
  const dot = (dx: number) => `M${tenth(x + width / 2 + dx)} ${tenth(y + height - 8)}h0`;
  return <path className={`${css.dots} o${blue}`} d={[-step, 0, step].map(dot).join("")} />;
}

function Ribbon({ x, y, width }: Pick<Drawn, "x" | "y" | "width">) {
  const left = tenth(x + Math.max(1, width - Math.min(9, width * 0.45)));
  const broad = tenth(Math.min(5, width * 0.4));
  return <path className={css.ribbon} d={`M${left} ${tenth(y - 5)}h${broad}v10h-${broad}z`} />;
}

function LetteredTitle({ book, x, y, width, height, blue }: Drawn) {
  const text = letteringOf(book, width, height, measureSerif);
  if (!text) return null;
  // A line that is written from top to bottom needs no turn.
  const place = (line: string, right: number, down: number) => {
    const isUpright = UPRIGHT.test(line);
    const at = `translate(${tenth(x + right)} ${tenth(y + down)})`;
    return isUpright ? { transform: at, "data-upright": "" } : { transform: `${at} rotate(90)`, dy: ".34em" };
  };
  return (
    <>
      {text.lines.map((line) => (
        <text
          key={line.x}
          className={`${css.title} f${blue}`}
          fontSize={tenth(text.size)}
          {...place(line.text, line.x, headRoom(book.format))}
        >
          {isolated(line.text)}
        </text>
      ))}
      {text.who && (
        <text
          className={`${css.who} f${blue}`}
          fontSize={tenth(text.who.size)}
          {...place(text.who.text, width / 2, height - FOOT)}
          textAnchor="end"
        >
          {isolated(text.who.text)}
        </text>
      )}
    </>
  );
}

/**
 * The spine of one book as an SVG group, in the given size, drawn by the rules of the design. It is decorative. Its
 * parts are positioned in the drawing's own coordinates instead of in a group with a transform: a browser tracks every
 * transformed or translucent group at each paint, and a shelf has hundreds of spines.
 */
export const Spine = memo(function Spine(props: SpineProps) {
  const { book, x, y, width, height, blue, lean, id, isOn } = props;
  const drawn: Drawn = { book, x, y, width, height, blue };
  return (
    <g
      className={css.spine}
      transform={lean ? `rotate(-${lean} ${tenth(x)} ${tenth(y + height)})` : undefined}
      data-id={id}
      data-on={isOn || undefined}
    >
      {book.reread && width >= 5 && <Ribbon {...drawn} />}
      <rect
        className={`${css.body} d${blue}`}
        x={tenth(x)}
        y={tenth(y)}
        width={tenth(width)}
        height={tenth(height)}
        rx={width < 5 ? 0.5 : 1.5}
      />
      <Binding {...drawn} />
      <LetteredTitle {...drawn} />
    </g>
  );
});
