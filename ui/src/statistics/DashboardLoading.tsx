import { Icon } from "../kit/ui/Icon";
import { Skeleton } from "../kit/ui/Waiting";
import { FROM_TABLE, useMedia } from "../kit/useMedia";
import { BooksListLoading } from "../library/books/BooksListLoading";
import { BooksTableLoading } from "../library/books/BooksTableGrid";
import { FiguresWithout } from "./charts/Figures";
import css from "./Dashboard.module.css";
import { Kpis } from "./Kpis";

/** Thickness and height in px of the grey spines, repeated. */
const WIDTHS = [30, 18, 44, 26, 60, 22, 34, 14, 48, 28];
const HEIGHTS = [120, 96, 150, 134, 88, 142, 108, 126, 150, 92, 116, 140, 100, 130, 112, 146, 96, 122, 138, 104];
const BOARD = 160;

function spines() {
  let x = 0;
  return Array.from({ length: 60 }, (_, i) => {
    const spine = { x, width: WIDTHS[i % WIDTHS.length] ?? 0, height: HEIGHTS[i % HEIGHTS.length] ?? 0 };
    x += spine.width + 2;
    return spine;
  });
}

/** The page with its titles and rules, and grey bars in place of the books. */
export function DashboardLoading() {
  const isWide = useMedia(FROM_TABLE);
  return (
    <div aria-busy="true">
      <div className={css.bar} aria-hidden="true">
        <Icon name="search" />
        <Skeleton width={30} />
      </div>
      <Kpis figures={null} today="" />
      <section className={css.shelf}>
        <h2 className="h2">The shelf</h2>
        <svg
          className={css.skeleton}
          viewBox="0 0 1200 164"
          height="172"
          preserveAspectRatio="xMinYMax slice"
          aria-hidden="true"
        >
          {spines().map(({ x, width, height }) => (
            <rect key={x} className={css.grey} x={x} y={BOARD - height} width={width} height={height} rx="1.5" />
          ))}
          <rect className={css.board} x="0" y={BOARD} width="3000" height="4" />
        </svg>
      </section>
      <FiguresWithout state="loading" />
      <section className={`section ${css.books}`}>
        <h2 className="h2">Books</h2>
        {isWide ? <BooksTableLoading /> : <BooksListLoading />}
      </section>
    </div>
  );
}
