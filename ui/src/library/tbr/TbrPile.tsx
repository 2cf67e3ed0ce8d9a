import type { TbrItem } from "../../kit/api/types";
import { useWidth } from "../../kit/charts/useWidth";
import { isolated } from "../../kit/direction";
import { whole } from "../../kit/format";
import { measureSerif, useFontsReady } from "../../kit/spine/measure";
import { wordsOf } from "../books/tbrItem";
import { GAP, HEIGHT, linesOf, thicknesses } from "./pile";
import css from "./Tbr.module.css";

/** Line height of two lines, as a multiple of the font size. */
const LEADING = 1.16;

interface Outline {
  id: number;
  x: number;
  width: number;
  size: number;
  lines: string[];
}

/** The outlines that fit into `room` px, the first item at the left. */
function layOut(items: readonly TbrItem[], room: number): Outline[] {
  const widths = thicknesses(
    items.map((item) => wordsOf(item) ?? 0),
    room,
  );
  let x = 0;
  return widths.flatMap((width, at) => {
    const item = items[at];
    if (!item) return [];
    const size = Math.min(13, Math.max(10, width * 0.4));
    const outline = { id: item.id, x, width, size, lines: linesOf(item.title, width, size, measureSerif) };
    x += width + GAP;
    return [outline];
  });
}

/**
 * The list as a row of dashed spines on a board, with thickness by words. It is decorative, because the list has the
 * same content.
 */
export function TbrPile({ items }: { items: readonly TbrItem[] }) {
  const [frame, width] = useWidth<HTMLDivElement>();
  // Measured widths belong to the current fonts: this redraws when the web fonts have loaded.
  useFontsReady();
  const outlines = width > 0 ? layOut(items, width) : [];
  const others = items.length - outlines.length;
  return (
    <div className={css.pile} ref={frame}>
      {width > 0 && (
        <svg width={width} height={HEIGHT + 4} aria-hidden="true" focusable="false">
          {outlines.map((one) => (
            <g key={one.id} transform={`translate(${one.x.toFixed(1)} 0)`}>
              <rect className={css.ghost} x=".5" y=".5" width={(one.width - 1).toFixed(1)} height={HEIGHT} rx="1.5" />
              {one.lines.map((line, at) => (
                <text
                  key={line}
                  className={css.lettering}
                  fontSize={one.size.toFixed(1)}
                  dy=".34em"
                  transform={`translate(${(one.width / 2 + ((one.lines.length - 1) / 2 - at) * one.size * LEADING).toFixed(1)} 11) rotate(90)`}
                >
                  {isolated(line)}
                </text>
              ))}
            </g>
          ))}
          <rect className={css.board} y={HEIGHT} width={width} height="4" />
        </svg>
      )}
      {outlines.length > 0 && others > 0 && (
        <p className="hint" aria-hidden="true">
          and {whole(others)} more
        </p>
      )}
    </div>
  );
}
