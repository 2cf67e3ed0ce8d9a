import { Skeleton } from "../../kit/ui/Waiting";
import css from "./BooksTable.module.css";

/** Ten rows of skeletons, while nothing is known. */
export function BooksListLoading() {
  return (
    <ul className={css.list}>
      {Array.from({ length: 10 }, (_, i) => i).map((i) => (
        <li key={i} className={css.row}>
          <span />
          <SkeletonRow />
        </li>
      ))}
    </ul>
  );
}

/** What stands for a book till it is there. */
export function SkeletonRow() {
  return (
    <div className={css.rowSkeleton}>
      <Skeleton width={62} />
      <Skeleton width={45} />
    </div>
  );
}
