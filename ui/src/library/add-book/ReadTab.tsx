import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { usePreferences } from "../../access/preferences";
import { useIsPrivate } from "../../access/site";
import { useSubscription } from "../../access/subscription";
import { useToday } from "../../access/today";
import type { TbrItem } from "../../kit/api/types";
import { Alert } from "../../kit/ui/Alert";
import { Spinner } from "../../kit/ui/Waiting";
import { idOf } from "../books/api";
import { formOfItem, newForm } from "../books/model";
import { tbrQuery } from "../tbr/api";
import css from "./AddBook.module.css";
import { AddBookForm } from "./AddBookForm";
import { LimitPrompt } from "./LimitPrompt";

/** Adds a book, empty or filled from a to-be-read item, when the plan has room for one. */
export function ReadTab() {
  const [parameters] = useSearchParams();
  const tbrId = idOf(parameters.get("tbr"));
  const isPrivate = useIsPrivate();
  const subscription = useSubscription();
  const preferences = usePreferences();
  const list = useQuery({ ...tbrQuery, enabled: tbrId !== undefined });

  if (subscription.isPending || preferences.isPending || (tbrId !== undefined && list.isPending)) {
    return (
      <div className={css.full}>
        <Spinner>{isPrivate ? "Opening the form" : "Checking your plan"}</Spinner>
      </div>
    );
  }
  // When the plan is unknown the form is shown: the server checks the limit when the book is sent.
  const { bookLimit = null, bookCount = 0 } = subscription.data?.limits ?? {};
  const series = parameters.get("series");
  return (
    <NewBook
      key={tbrId ?? series ?? "new"}
      wanted={tbrId}
      listed={list.data?.find(({ id }) => id === tbrId)}
      full={bookLimit !== null && bookCount >= bookLimit ? bookLimit : null}
    />
  );
}

interface NewBookProps {
  /** The to-be-read item of the address. */
  wanted: number | undefined;
  /** That item, if the list has it. */
  listed: TbrItem | undefined;
  /** The plan's limit, if no further book has room; otherwise null. */
  full: number | null;
}

/**
 * The form for a new book. It stays open while it saves the book's place and cover, although the list has lost the item by then, and the
 * plan its last free place.
 */
function NewBook({ wanted, listed, full }: NewBookProps) {
  const [parameters] = useSearchParams();
  const { data: preferences } = usePreferences();
  const today = useToday();
  const [item, setItem] = useState(listed);
  if (listed && !item) setItem(listed);
  const [isOpen, setOpen] = useState(full === null);
  if (full === null && !isOpen) setOpen(true);
  if (full !== null && !isOpen) return <LimitPrompt limit={full} />;

  const format = preferences?.defaultFormat ?? "Print";
  const initial = item ? formOfItem(item, format, today) : newForm(format, today);
  if (parameters.get("status") === "in-progress") {
    const proposed = [{ field: "startDate", value: today, before: "" }];
    Object.assign(initial, { mode: "in-progress", startDate: today, proposed });
  }
  // The page of a series leads here for a book that is missing in it.
  const series = parameters.get("series");
  const seriesNumber = parameters.get("number") ?? "";
  if (series) Object.assign(initial, { series, seriesNumber, author: parameters.get("author") ?? "" });
  const draftName = item ? `add.tbr.${item.id}` : series ? `add.series.${series}.${seriesNumber}` : "add";
  return (
    <>
      {wanted !== undefined && !item && (
        <Alert kind="note" className={css.note}>
          That book is no longer in your TBR. You can still add it here.
        </Alert>
      )}
      {item && (
        <p className={`hint ${css.note}`}>
          From your TBR. It leaves the list when it is saved as a book.
          {item.author === null && " A book needs an author, which this one does not have yet."}
        </p>
      )}
      <AddBookForm key={item?.id} initial={initial} draftName={draftName} tbrId={item?.id} />
    </>
  );
}
