import { useLayoutEffect, useRef } from "react";
import type { Review } from "../../kit/api/types";
import { paths } from "../../kit/paths";
import { Icon } from "../../kit/ui/Icon";
import { Link } from "../../kit/ui/Link";
import { bringToMiddle } from "../../kit/ui/middle";
import { isComing, isMonth, monthsOf, neighbour, periodTitle, sentence, spanOf } from "./model";
import { PictureButton } from "./PictureButton";
import { ShareButton } from "./ShareButton";
import css from "./Years.module.css";

interface PeriodHeadProps {
  period: string;
  today: string;
  /** Absent while it is fetched. */
  review: Review | undefined;
}

/** The name of the period, the ways to its neighbours and months, and what it was in a sentence. */
export function PeriodHead({ period, today, review }: PeriodHeadProps) {
  const before = neighbour(period, -1);
  const after = neighbour(period, 1);
  const months = useRef<HTMLElement>(null);
  // On phones the months scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the period is the current link
  useLayoutEffect(() => bringToMiddle(months.current, "[aria-current]"), [period]);
  const has = review !== undefined && review.totals.books > 0;
  // What comes later has its room kept.
  const mayHave = review === undefined || has;
  return (
    <>
      <header className={css.head}>
        <div>
          <p className={css.leaf}>
            {before && (
              <Link href={paths.review(before)} aria-label={`Back to ${periodTitle(before)}`}>
                <Icon name="right" className={css.back} />
                {periodTitle(before)}
              </Link>
            )}
            {after && !isComing(after, today) && (
              <Link href={paths.review(after)} aria-label={`On to ${periodTitle(after)}`}>
                {periodTitle(after)}
                <Icon name="right" />
              </Link>
            )}
          </p>
          <h1 className={css.name} data-month={isMonth(period) || undefined}>
            {periodTitle(period)}
          </h1>
          <p className="aside-text">{isComing(period, today) ? "Still to come" : spanOf(period, today)}</p>
        </div>
        {mayHave && (
          <>
            <div className={css.acts}>
              {has && <PictureButton review={review} today={today} />}
              {has && <ShareButton period={period} />}
            </div>
            <p className={css.say}>{has && sentence(review, today)}</p>
          </>
        )}
      </header>
      <nav className={css.months} ref={months} aria-label={`Months of ${period.slice(0, 4)}`}>
        <Link href={paths.review(period.slice(0, 4))} aria-current={isMonth(period) ? undefined : "page"}>
          {period.slice(0, 4)}
        </Link>
        {monthsOf(period).map((month) => {
          const name = periodTitle(month);
          if (isComing(month, today)) return <span key={month}>{name.slice(0, 3)}</span>;
          return (
            <Link key={month} href={paths.review(month)} aria-current={month === period ? "page" : undefined}>
              {name.slice(0, 3)}
            </Link>
          );
        })}
      </nav>
    </>
  );
}
