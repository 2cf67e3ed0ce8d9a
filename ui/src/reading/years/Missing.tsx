import type { Review } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { LinkButton } from "../../kit/ui/Button";
import { Link } from "../../kit/ui/Link";
import { type Lacking, lackingOf, withoutDate } from "./model";
import css from "./Years.module.css";

/** What is missing, each with the way to mend it. */
export function Missing({ review }: { review: Review }) {
  const lacking = lackingOf(review);
  const { date } = review.missing;
  if (date === 0 && lacking.length === 0) return null;
  return (
    <section className={css.six} aria-labelledby="missing">
      <h2 className="h2" id="missing">
        What is missing
      </h2>
      <ul className={css.lacking}>
        {date > 0 && (
          <li>
            <p>{withoutDate(date)}</p>
            <LinkButton variant="quiet" size="compact" href={paths.undated()}>
              {date === 1 ? "Give it one" : "Give them one"}
            </LinkButton>
          </li>
        )}
        {lacking.map((one) => (
          <li key={one.name}>
            <Lack {...one} />
          </li>
        ))}
      </ul>
      {review.missing.words > 0 && (
        <p className="hint">
          <Link href={paths.history()}>See whether your imported files know the words</Link>
        </p>
      )}
    </section>
  );
}

/** Books that lack the same; a single one is a link to its form. */
function Lack({ name, act, books, count }: Lacking) {
  const text = `${counted(count, "book")} ${count === 1 ? "has" : "have"} ${name}`;
  const [only] = books;
  if (books.length === 1 && count === 1 && only) {
    return (
      <>
        <p>
          {text}: <bdi>{only.title}</bdi>
        </p>
        <LinkButton variant="quiet" size="compact" href={paths.editBook(only.id)}>
          {act.replace("them", "it")}
        </LinkButton>
      </>
    );
  }
  return (
    <details>
      <summary>
        {text}
        <span>{act}</span>
      </summary>
      <ul>
        {books.map((book) => (
          <li key={book.id}>
            <Link href={paths.editBook(book.id)} dir="auto">
              {book.title}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
