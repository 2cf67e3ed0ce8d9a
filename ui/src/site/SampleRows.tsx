import { shortened, whole } from "../kit/format";
import { MiniSpine } from "../kit/spine/MiniSpine";
import { SAMPLE_PILE, SAMPLE_YEAR, sampleBlue } from "../kit/spine/sample";
import { GenreBadge, Rating } from "../kit/ui/Badge";
import { FormatName } from "../kit/ui/FormatIcon";
import { Icon } from "../kit/ui/Icon";
import { BookRow } from "../library/books/BookRow";
import css from "./SampleRows.module.css";

const WORDS = SAMPLE_YEAR.reduce((sum, book) => sum + book.wordCount, 0);
const MEAN_RATING = SAMPLE_YEAR.reduce((sum, book) => sum + (book.rating ?? 0), 0) / SAMPLE_YEAR.length;

/** Three figures of a year, and its last three books. */
export function SampleBooks() {
  const { value, unit } = shortened(WORDS);
  return (
    <>
      <dl className={css.figures}>
        <Figure name="Total Words" value={value} unit={unit} note={whole(WORDS)} />
        <Figure name="Books Read" value={String(SAMPLE_YEAR.length)} note={"since January\u00a01"} />
        <Figure name="Avg Rating" value={MEAN_RATING.toFixed(1)} note="out of 10" />
      </dl>
      <ul>
        {SAMPLE_YEAR.slice(-3)
          .reverse()
          .map((book) => (
            <BookRow
              key={book.id}
              book={book}
              blue={sampleBlue(book.genres[0])}
              facts={
                <>
                  <span>{whole(book.wordCount)} words</span>
                  <span className="num nowrap">{book.date}</span>
                  <FormatName format={book.format} />
                </>
              }
              badges={book.genres.map((genre) => <GenreBadge key={genre} genre={genre} blue={sampleBlue(genre)} />)}
            >
              <Rating value={book.rating} />
            </BookRow>
          ))}
      </ul>
    </>
  );
}

function Figure({ name, value, unit, note }: { name: string; value: string; unit?: string; note: string }) {
  return (
    <div className={css.figure}>
      <dt>{name}</dt>
      <dd className={css.value}>
        {value}
        {unit && <span>{unit}</span>}
      </dd>
      <dd className={css.note}>{note}</dd>
    </div>
  );
}

/** Four to-be-read books, the second lifted as if it were being dragged. */
export function SamplePile() {
  return (
    <ol className={css.pile}>
      {SAMPLE_PILE.map((item, i) => (
        <li key={item.title} className={css.item} data-lifted={i === 1 || undefined}>
          <span className={css.grip}>
            <Icon name="grip" />
          </span>
          <span className={css.number} aria-hidden="true">
            {i + 1}
          </span>
          <span className={css.outline}>
            <MiniSpine wordCount={item.wordCount} rating={10} blue={6} outlined height={40} />
          </span>
          <div className={css.text}>
            <p className={css.title}>{item.title}</p>
            <p className={css.author}>{item.author}</p>
            {item.notes && <p className={css.notes}>{item.notes}</p>}
          </div>
          <span className={css.words}>{whole(item.wordCount)} words</span>
        </li>
      ))}
    </ol>
  );
}
