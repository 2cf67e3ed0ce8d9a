import type { FoundBook, LookupAnswer } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { TextButton } from "../../kit/ui/Button";
import { Icon } from "../../kit/ui/Icon";
import type { BookFormState } from "../add-book/useBookForm";
import { about, filledFields, fillingOf } from "./fill";
import css from "./LookUp.module.css";
import { sourceLines } from "./sources";

interface ResultsProps {
  question: string;
  answer: LookupAnswer;
  form: BookFormState;
  onChoose: (book: FoundBook) => void;
}

/** The books that were found, each a button, and how each catalogue answered. */
export default function Results({ question, answer: { data, sources }, form, onChoose }: ResultsProps) {
  const isNone = data.length === 0;
  return (
    <section className={css.look} aria-label="Found">
      <p className={css.count} role="status">
        {isNone
          ? `Nothing found for ${question}. Type it in: nothing needs a catalogue.`
          : `${counted(data.length, "book")} found. Choose the one you have.`}
      </p>
      {!isNone && (
        <ul className={css.found}>
          {data.map((book, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: results have no id, and the list changes as a whole.
            <li key={at}>
              <button type="button" className={css.book} onClick={() => onChoose(book)}>
                <span>
                  <span className={css.title} dir="auto">
                    {book.title}
                  </span>
                  <span className={css.about}>{about(book)}</span>
                </span>
                <span className={css.fills}>
                  fills {counted(filledFields(fillingOf(book, form.getValues())).length, "field")}
                </span>
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
      {!isNone && (
        <p className="hint">
          None of these? <TextButton onClick={() => form.setFocus("title")}>Type it in yourself</TextButton>
        </p>
      )}
    </section>
  );
}
