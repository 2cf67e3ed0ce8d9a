import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ChosenFile, previewQuery } from "./api";
import {
  type Choices,
  columnsChosen,
  type FieldName,
  fieldsToSend,
  type Kind,
  likelyKind,
  missingField,
  NO_CHOICES,
  type Place,
  SAYS_WHEN,
  type StatusAnswer,
  withColumn,
} from "./model";

/**
 * A file as the server reads it, and the reader's choices about it. The file is first read without any choices, which
 * gives its format and columns. It is read again whenever a choice changes the result. `only`: what it is read as, where that is no choice.
 */
export function usePreview(file: ChosenFile, only?: Kind) {
  const [choices, setChoices] = useState<Choices>(NO_CHOICES);
  const [chosenKind, setKind] = useState<Kind | null>(null);

  const first = useQuery(previewQuery("books", file, {}));
  const format = first.data?.format ?? "";
  const columns = columnsChosen(first.data?.columns ?? [], choices);
  const asked = columns.some(({ field }) => field !== null && SAYS_WHEN.includes(field))
    ? undefined
    : first.data?.asks?.find(({ field }) => field === "status");
  const status = choices.status ?? (asked?.preset as StatusAnswer | null | undefined) ?? null;
  const answered = asked && status !== null ? (status === "tbr" ? "tbr" : "books") : null;
  const kind = only ?? chosenKind ?? answered ?? (first.data ? likelyKind(columns) : "books");
  const fields = first.data ? fieldsToSend(first.data, choices) : {};
  const lacks = (of: Kind) => missingField(format, columns, of);
  const preview = useQuery({ ...previewQuery(kind, file, fields), enabled: first.isSuccess && lacks(kind) === null });

  return {
    first,
    /** The preview of the import, null while a required column is missing. */
    preview: lacks(kind) === null ? preview : null,
    /** Its columns, each with the field that it is mapped to. */
    columns,
    kind,
    setKind,
    /** The form fields to send with the import. */
    fields,
    choices,
    /** Whether the file leaves open what its books are. */
    asksStatus: asked !== undefined,
    /** Whether the file has days on which its books may have been finished, as a library's app has those of their return. */
    proposesDays: format === "libby",
    /** The answer, of the reader or of a former file like this one; null without either. */
    status,
    chooseStatus: (answer: StatusAnswer) => {
      setKind(null);
      setChoices({ ...choices, status: answer });
    },
    /** The required field that no column is mapped to, for an import of that kind. */
    lacks,
    chooseShelf: (shelf: string, place: Place) =>
      setChoices({ ...choices, shelves: new Map(choices.shelves).set(shelf, place) }),
    chooseColumn: (name: string, to: FieldName | null) => {
      const column = first.data?.columns.find((one) => one.name === name);
      if (column) setChoices(withColumn(choices, column, to));
    },
    choose: (change: Partial<Omit<Choices, "shelves" | "columns">>) => setChoices({ ...choices, ...change }),
  };
}

export type Preview = ReturnType<typeof usePreview>;
