import type { ComponentProps } from "react";
import { Skeleton } from "../../kit/ui/Waiting";
import css from "./BooksListLoading.module.css";

/** Ten skeleton rows, shown while the list is loading. */
export function BooksListLoading() {
  return (
    <ul className={css.list}>
      {Array.from({ length: 10 }, (_, i) => i).map((i) => (
        <SkeletonRow key={i} />
      ))}
    </ul>
  );
}

/** A placeholder for a book that is loading. The code of the real row is fetched with the first books. */
export function SkeletonRow(place: ComponentProps<"li">) {
  return (
    <li {...place} className={css.row}>
      <Skeleton width={62} />
      <Skeleton width={45} />
    </li>
  );
}
