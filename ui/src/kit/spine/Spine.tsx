import { memo } from "react";
import type { Blue } from "./blue";
import { FOOT, headRoom, letter, type SpineBook } from "./lettering";
import { measureSerif } from "./measure";
import css from "./Spine.module.css";

/** Tenths of a pixel are enough, and keep the markup small. */
const tenth = (x: number) => Math.round(x * 10) / 10;

interface SpineProps {
  book: SpineBook;
  /** Thickness in px. */
  width: number;
  /** Height in px. */
  height: number;
  blue: Blue;
  /** Where the upper left corner stands, as an SVG transform. */
  transform?: string;
  /** Makes the spine one that can be pointed at and opened. */
  id?: number;
  /** Lifted, with a focus line round it. */
  isOn?: boolean;
  /** Draws anew when the fonts have arrived; see `useFontsReady`. */
  fontsReady?: boolean;
}

type Drawn = Pick<SpineProps, "book" | "width" | "height" | "blue">;

/** Two pairs of lines for print, one line at the foot for an eBook, three dots for audio. */
function Binding({ book, width, height, blue }: Drawn) {
  if (width < 9) return null;
  const from = width < 16 ? 2 : 3;
  const line = (y: number) => `M${from} ${tenth(y)}H${tenth(width - from)}`;
  if (book.format === "Print") {
    return <path className={`${css.line} o${blue}`} d={[7, 9.5, height - 9.5, height - 7].map(line).join("")} />;
  }
  if (book.format === "eBook") return <path className={`${css.line} o${blue}`} d={line(height - 8)} />;
  const step = width < 14 ? 2.8 : 4;
  const dot = (dx: number) => `M${tenth(width / 2 + dx)} ${tenth(height - 8)}h0`;
  return <path className={`${css.dots} o${blue}`} d={[-step, 0, step].map(dot).join("")} />;
}

function Ribbon({ width }: { width: number }) {
  const x = tenth(Math.max(1, width - Math.min(9, width * 0.45)));
  const broad = tenth(Math.min(5, width * 0.4));
  return <path className={css.ribbon} d={`M${x} -5h${broad}v10h-${broad}z`} />;
}

function Letters({ book, width, height, blue }: Drawn) {
  const text = letter(book, width, height, measureSerif);
  if (!text) return null;
  const top = headRoom(book.format);
  return (
    <>
      {text.lines.map((line) => (
        <text
          key={line.x}
          className={`${css.title} f${blue}`}
          fontSize={tenth(text.size)}
          transform={`translate(${tenth(line.x)} ${top}) rotate(90)`}
          dy=".34em"
        >
          {line.text}
        </text>
      ))}
      {text.who && (
        <text
          className={`${css.who} f${blue}`}
          fontSize={tenth(text.who.size)}
          transform={`translate(${tenth(width / 2)} ${tenth(height - FOOT)}) rotate(90)`}
          textAnchor="end"
          dy=".34em"
        >
          {text.who.text}
        </text>
      )}
    </>
  );
}

/** One book's spine: an SVG group, its size given, its look by the rules of the design. Decorative. */
export const Spine = memo(function Spine({ book, width, height, blue, transform, id, isOn }: SpineProps) {
  return (
    <g className={css.spine} transform={transform} data-id={id} data-on={isOn || undefined}>
      {book.reread && width >= 5 && <Ribbon width={width} />}
      <rect className={`${css.body} d${blue}`} width={tenth(width)} height={tenth(height)} rx={width < 5 ? 0.5 : 1.5} />
      <Binding book={book} width={width} height={height} blue={blue} />
      <Letters book={book} width={width} height={height} blue={blue} />
    </g>
  );
});
