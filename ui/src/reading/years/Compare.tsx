import type { Review } from "../../kit/api/types";
import { beside, besideShort, comparison, isRunning, shortTitle } from "./model";
import css from "./Years.module.css";

interface CompareProps {
  review: Review;
  before: Review;
  today: string;
}

/** The figures beside those of the period before. */
export function Compare({ review, before, today }: CompareProps) {
  const { period } = review;
  const rows = comparison(review, isRunning(period, today) ? null : before.averageRating);
  return (
    <section className={css.six} aria-labelledby="compare">
      <h2 className="h2" id="compare">
        Beside {beside(period, before.period, today)}
      </h2>
      <table className={css.compare}>
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">Figure</span>
            </th>
            <th scope="col">{shortTitle(period)}</th>
            <th scope="col">{besideShort(period, before.period, today)}</th>
            <th scope="col">
              <span className="vh">Difference</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td>{row.now}</td>
              <td>{row.before}</td>
              <td>{row.difference}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
