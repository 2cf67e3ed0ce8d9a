import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useRef } from "react";
import type { Tally } from "../../kit/api/types";
import { counted, whole } from "../../kit/format";
import { paths } from "../../kit/paths";
import { TextButton } from "../../kit/ui/Button";
import { Link } from "../../kit/ui/Link";
import { titlesQuery } from "../../library/books/api";
import { tbrQuery } from "../../library/tbr/api";
import css from "./Answers.module.css";
import { type Answer, answersTo, authorsOf, factOf, searchable } from "./answers";

interface AnswersProps {
  /** What is typed, two characters or more. */
  search: string;
  /** The authors of the library. */
  authors: readonly Tally[];
  /** The number of books in the table below; null while it is unknown. */
  matching: number | null;
  /** Filters by an author instead of the search. */
  onAuthor: (name: string) => void;
}

/** Answers "Have I read this?" under the search field, by title or author, from the whole library and the to-be-read list. */
export function Answers({ search, authors, matching, onAuthor }: AnswersProps) {
  const sought = useDeferredValue(search);
  const { data: titles } = useQuery(titlesQuery);
  const { data: list } = useQuery(tbrQuery);
  const books = useMemo(() => titles && searchable(titles), [titles]);
  const items = useMemo(() => list && searchable(list), [list]);
  const answers = useMemo(() => books && items && answersTo(sought, books, items), [sought, books, items]);
  const named = useMemo(() => authorsOf(sought, authors), [sought, authors]);
  const region = useRef<HTMLElement>(null);
  const rows = (answers?.length ?? 0) + named.length;
  // On a phone the field may be low in the window: what answers it is brought into view while someone types.
  useEffect(() => {
    if (rows > 0 && document.activeElement instanceof HTMLInputElement)
      region.current?.scrollIntoView?.({ block: "nearest" });
  }, [rows]);
  if (!answers) return null;
  return (
    <section className={css.answers} ref={region} aria-label="In your library and on your TBR" aria-live="polite">
      {answers.length === 0 && named.length === 0 && (
        <p className="hint">Nothing called “{sought.trim()}” in your library or on your TBR.</p>
      )}
      {answers.length > 0 && (
        <ul>
          {answers.map((answer) => (
            <Row key={"book" in answer ? `book ${answer.book.id}` : `item ${answer.item.id}`} answer={answer} />
          ))}
        </ul>
      )}
      <p className={css.foot}>
        {named.map(({ name, books }) => (
          <span key={name}>
            Author: <TextButton onClick={() => onAuthor(name)}>{name}</TextButton> ({whole(books)})
          </span>
        ))}
        <Link href={paths.search({ q: sought.trim() })}>Search quotes and notes, too</Link>
        {matching !== null && matching > 0 && <a href="#books">{counted(matching, "book")} in the table</a>}
      </p>
    </section>
  );
}

function Row({ answer }: { answer: Answer }) {
  const isBook = "book" in answer;
  const { title, author } = isBook ? answer.book : answer.item;
  return (
    <li className={css.answer}>
      <Link href={isBook ? paths.book(answer.book.id) : paths.tbr()}>
        <span className={css.title} dir="auto">
          {title}
        </span>
        {author && (
          <span className={css.author} dir="auto">
            {author}
          </span>
        )}
      </Link>
      <span className={css.fact}>{isBook ? factOf(answer.book) : `No. ${whole(answer.place)} on your TBR`}</span>
    </li>
  );
}
