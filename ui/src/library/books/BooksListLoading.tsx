import type { ComponentProps } from "react";
import { Skeleton } from "../../kit/ui/Waiting";
import css from "./BooksListLoading.module.css";

/** Ten rows of skeletons, while nothing is known. */
export function BooksListLoading() {
  return (
    <ul className={css.list}>
      {Array.from({ length: 10 }, (_, i) => i).map((i) => (
        <SkeletonRow key={i} />
      ))}
    </ul>
  );
}

/** What stands for a book till it is there; the row itself is fetched with the first books. */
export function SkeletonRow(place: ComponentProps<"li">) {
  return (
    <li {...place} className={css.row}>
      <Skeleton width={62} />
      <Skeleton width={45} />
    </li>
  );
}
