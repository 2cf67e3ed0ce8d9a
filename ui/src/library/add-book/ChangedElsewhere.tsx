import { useEffect, useRef } from "react";
import { languageName } from "../../kit/language";
import { shownDate } from "../../kit/roughDate";
import { Alert } from "../../kit/ui/Alert";
import { TextButton } from "../../kit/ui/Button";
import { DefinitionRow, DefinitionRows } from "../../kit/ui/DefinitionRows";
import { NO_LANGUAGE } from "../books/facts";
import { type BookForm, MODES, passageText } from "../books/model";
import css from "./AddBook.module.css";
import type { BookDraft } from "./useBookDraft";

/** The names of the fields that the form shows. */
const NAMES: Partial<Record<keyof BookForm, string>> = {
  title: "Title",
  author: "Author",
  authors: "Authors",
  wordCount: "Word Count",
  pages: "Pages",
  minutes: "Length",
  isbn: "ISBN",
  format: "Format",
  mode: "Reading Status",
  startDate: "Start Date",
  dateCompleted: "Date Completed",
  stoppedDate: "Stopped on",
  pausedSince: "Paused since",
  place: "Place reached",
  rating: "Rating",
  wordDistribution: "Days of the words",
  reread: "Reread",
  genres: "Genres",
  tags: "Tags",
  series: "Series",
  seriesNumber: "Number in the series",
  publisher: "Publisher",
  published: "Published",
  originalYear: "First published",
  language: "Language",
  contributors: "Contributors",
  private: "Only you see it",
  impressions: "Impressions",
  passages: "Quotes",
};

/** When the words of a span count. */
const WAYS: Record<BookForm["wordDistribution"], string> = {
  final: "The last day",
  spread: "All days equally",
  logged: "The days you noted",
};

function textOf(form: BookForm, field: keyof BookForm): string {
  if (field === "startDate" || field === "dateCompleted" || field === "stoppedDate" || field === "pausedSince")
    return shownDate(form[field]);
  if (field === "mode") return MODES.find(({ value }) => value === form.mode)?.label ?? "";
  if (field === "wordDistribution") return WAYS[form.wordDistribution];
  if (field === "language") return form.language === NO_LANGUAGE ? "" : languageName(form.language);
  if (field === "authors" || field === "tags") return form[field].join(", ");
  if (field === "contributors") return form.contributors.map(({ name, role }) => `${name}, ${role}`).join("; ");
  if (field === "passages") return form.passages.map(passageText).join(" ");
  const value = form[field];
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return String(value ?? "");
}

/** Shows field by field what was changed elsewhere while the form was open. The form keeps what was typed. */
export function ChangedElsewhere({ draft, stored }: { draft: BookDraft; stored: BookForm }) {
  const { elsewhere } = draft;
  const frame = useRef<HTMLDivElement>(null);
  const shown = elsewhere.flatMap((one) => (NAMES[one.field] ? [{ ...one, name: NAMES[one.field] }] : []));
  const count = shown.length;
  useEffect(() => {
    if (count > 0) frame.current?.focus();
  }, [count]);
  if (count === 0) return null;
  return (
    <div ref={frame} tabIndex={-1} className={css.elsewhere}>
      <Alert kind="note">
        <p>
          This book was changed elsewhere while you were editing it. What you typed is still in the form: look at the
          changes, then save.
        </p>
        <DefinitionRows plain>
          {shown.map(({ field, name, isKept }) => (
            <DefinitionRow
              key={field}
              name={name}
              action={
                isKept && (
                  <TextButton aria-label={`Use the stored value of ${name}`} onClick={() => draft.take(field)}>
                    Use this
                  </TextButton>
                )
              }
            >
              <bdi className={css.theirs}>{textOf(stored, field) || <span className="muted">empty</span>}</bdi>
              <span className="hint">{isKept ? " The form has your own value." : " The form has this value."}</span>
            </DefinitionRow>
          ))}
        </DefinitionRows>
      </Alert>
    </div>
  );
}
