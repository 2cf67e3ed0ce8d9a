import type { FoundBook, LookupAnswer } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { TextButton } from "../../kit/ui/Button";
import { Icon } from "../../kit/ui/Icon";
import type { CoverState } from "../covers/useCover";
import { useThumbnails } from "./covers";
import { about, type FilledForm, fillsCover, missing } from "./fill";
import css from "./LookUp.module.css";
import { sourceLines } from "./sources";

interface ResultsProps {
  question: string;
  answer: LookupAnswer;
  form: FilledForm;
  cover: CoverState | undefined;
  /** Whether the list is asked for its covers, which come from outside this server. */
  withCovers: boolean;
  onChoose: (book: FoundBook) => void;
}

/** The books that were found, each a button, and how each catalogue answered. */
export default function Results({ question, answer, form, cover, withCovers, onChoose }: ResultsProps) {
  const { data, sources } = answer;
  const thumbnails = useThumbnails(data, withCovers);
  const isNone = data.length === 0;
  const fieldsOf = (book: FoundBook) => missing(form.offersOf(book)).length + Number(fillsCover(book, cover));
  return (
    <section className={css.look} aria-label="Found">
      <p className={css.count} role="status">
        {isNone
          ? `Nothing found for ${question}. Type it in.`
          : `${counted(data.length, "book")} found. Choose the one you have.`}
      </p>
      {!isNone && (
        <ul className={css.found}>
          {data.map((book, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: results have no id, and the list changes as a whole.
            <li key={at}>
              <button type="button" className={css.book} onClick={() => onChoose(book)}>
                <Thumbnail url={thumbnails.get(book)} isNone={book.cover === null} />
                <span>
                  <span className={css.title} dir="auto">
                    {book.title}
                  </span>
                  <span className={css.about}>{about(book)}</span>
                </span>
                <span className={css.fills}>fills {counted(fieldsOf(book), "field")}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <ul className={css.sources} aria-label="Where it was looked up">
        {sourceLines(sources, data).map(({ name, icon, state, text }) => (
          <li key={name} data-state={state}>
            <Icon name={icon} small />
            {text}
          </li>
        ))}
      </ul>
      {!withCovers && data.some((book) => book.cover !== null) && (
        <p className="hint">The cover of a book that you choose comes from openlibrary.org.</p>
      )}
      {!isNone && (
        <p className="hint">
          None of these? <TextButton onClick={form.toTitle}>Type it in</TextButton>
        </p>
      )}
    </section>
  );
}

function Thumbnail({ url, isNone }: { url: string | undefined; isNone: boolean }) {
  return (
    <span className={css.thumbnail} data-empty={isNone || undefined}>
      {url && <img src={url} alt="" />}
    </span>
  );
}
