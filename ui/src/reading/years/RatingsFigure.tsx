import type { Review } from "../../kit/api/types";
import { Bars } from "../../kit/charts/Bars";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { whole } from "../../kit/format";
import { byWholePoint } from "./model";

interface RatingsFigureProps {
  review: Review;
  /** Its width in the grid. */
  className: string | undefined;
}

/** How often each rating was given. */
export function RatingsFigure({ review: { ratings, averageRating }, className }: RatingsFigureProps) {
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
      <Bars
        bars={counts.map((books, point) => ({
          name: String(point),
          value: books,
          text: books > 0 ? whole(books) : "",
        }))}
      />
    </ChartFrame>
  );
}
