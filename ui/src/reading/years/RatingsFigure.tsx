import type { Review } from "../../kit/api/types";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { useWidth } from "../../kit/charts/useWidth";
import { whole } from "../../kit/format";
import { byWholePoint } from "./model";
import css from "./Years.module.css";

const HEIGHT = 132;
/** Room above the bars for their figures, and below them for the points, in px. */
const HEAD = 18;
const FOOT = 22;
const WIDEST = 30;

interface RatingsFigureProps {
  review: Review;
  /** Its width in the grid. */
  className: string | undefined;
}

/** How often each rating was given. */
export function RatingsFigure({ review: { ratings, averageRating }, className }: RatingsFigureProps) {
  const [place, width] = useWidth<HTMLDivElement>();
  const counts = byWholePoint(ratings);
  const rated = counts.reduce((sum, books) => sum + books, 0);
  return (
    <ChartFrame
      title="Ratings"
      className={className}
      state="ready"
      note={averageRating !== null && `${averageRating.toFixed(1)} on average, ${whole(rated)} rated.`}
      table={{
        caption: "Books by rating",
        head: ["Rating", "Books"],
        rows: ratings.map(({ rating, books }) => [String(rating), whole(books)]),
      }}
    >
      <div ref={place} className={css.bars} style={{ height: HEIGHT }}>
        {width > 0 && <Bars counts={counts} width={width} />}
      </div>
    </ChartFrame>
  );
}

function Bars({ counts, width }: { counts: readonly number[]; width: number }) {
  const room = HEIGHT - HEAD - FOOT;
  const base = HEAD + room;
  const most = Math.max(1, ...counts);
  const slot = width / counts.length;
  const bar = Math.min(WIDEST, slot * 0.66);
  return (
    <svg className={css.drawing} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {counts.map((books, points) => {
        const x = slot * points + (slot - bar) / 2;
        const high = (books / most) * room;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the number of points.
          <g key={points}>
            {books > 0 && (
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
                  {books}
                </text>
              </>
            )}
            <text className={css.point} x={(x + bar / 2).toFixed(1)} y={HEIGHT - 5}>
              {points}
            </text>
          </g>
        );
      })}
      <rect className={css.board} y={base} width={width} height="3" />
    </svg>
  );
}
