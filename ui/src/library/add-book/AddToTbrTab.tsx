import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { useDraft } from "../../access/drafts";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import type { TbrItem } from "../../kit/api/types";
import { counted, short } from "../../kit/format";
import { leaveTo, navigate } from "../../kit/origin";
import { paths } from "../../kit/paths";
import { Button } from "../../kit/ui/Button";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { LeaveQuestion } from "../../kit/ui/LeaveQuestion";
import { RestoredNote } from "../../kit/ui/RestoredNote";
import { toast } from "../../kit/ui/toast";
import { useIsShown } from "../../kit/ui/useIsShown";
import { useAttempt } from "../books/attempt";
import { EMPTY_ITEM, type ItemForm, type NewItem, refusalsOfItem, toNewItem, wordsOf } from "../books/tbrItem";
import { itemForm } from "../lookup/fill";
import { LookUp } from "../lookup/LookUp";
import { WAITS } from "../outbox/useOutbox";
import { titleInSeries } from "../shelves/model";
import { tbrQuery, useAddItem } from "../tbr/api";
import { readShared, type Shared } from "../tbr/shared";
import { TbrFields } from "../tbr/TbrFields";
import css from "./AddBook.module.css";

/**
 * Adds a book to the to-be-read list, and stays open for the next one. The page of a series leads here for a book that is
 * missing in it, and saving leads back there. Other programs lead here with a page that was shared, and saving leads to the list.
 */
export function AddToTbrTab() {
  const [parameters] = useSearchParams();
  const [series, number] = [parameters.get("series"), parameters.get("number")];
  // The list knows a series by the brackets behind a title.
  const place = series && number && !/[()#;]/.test(series) ? { series, number } : null;
  const shared = readShared(parameters);
  return (
    <div className={css.split}>
      <NewItemForm
        key={parameters.toString()}
        place={place}
        shared={shared}
        initial={shared?.item ?? { ...EMPTY_ITEM, author: parameters.get("author") ?? "" }}
      />
      <TopOfTheList />
    </div>
  );
}

interface NewItemFormProps {
  initial: ItemForm;
  /** The place of the book in a series. */
  place: { series: string; number: string } | null;
  shared: Shared | null;
}

function NewItemForm({ initial, place, shared }: NewItemFormProps) {
  const [round, setRound] = useState(0);
  const from = shared ? `.shared.${shared.question}` : "";
  const draft = useDraft(place ? `tbr.${place.series}.${place.number}` : `tbr${from}`, initial);
  const item = draft.values;
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef<ItemForm>(null);
  const addItem = useAddItem();
  const { attempt, done } = useAttempt<NewItem>();
  const isShown = useIsShown();
  const toTitle = () => form.current?.querySelector<HTMLElement>("[name=title]")?.focus();

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const refusals = refusalsOfItem(item);
    setRefused(refusals);
    if (Object.keys(refusals).length > 0) {
      form.current?.querySelector<HTMLElement>(`[name="${Object.keys(refusals)[0]}"]`)?.focus();
      return;
    }
    sent.current = item;
    let isPending: boolean;
    try {
      const payload = toNewItem(item);
      if (place) payload.title = titleInSeries(payload.title, place.series, place.number);
      ({ isPending } = await addItem.mutateAsync(attempt(payload)));
    } catch (error) {
      setRefused(fieldsOf(error));
      const description = errorMessage(error, "Please try again.");
      toast({ title: "Failed to add TBR book", description, destructive: true });
      return;
    }
    done();
    const isComplete = draft.goOn(item);
    toast({ title: "TBR book added successfully!", ...(isPending ? { description: WAITS } : {}) });
    // A reader who types the next book already goes on doing so.
    if (!isComplete || !isShown.current) return;
    if (place) leaveTo(paths.series(place.series));
    // Going back must not offer the same book again.
    else if (shared) navigate(paths.tbr(), { replace: true });
    else {
      setRound(round + 1);
      toTitle();
    }
  };

  return (
    <form className="form" noValidate onSubmit={submit} ref={form}>
      <LeaveQuestion isChanged={() => draft.isChanged && !(addItem.isPending && item === sent.current)} />
      {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
      {place && (
        <p className="hint">
          Number {place.number} of <bdi dir="auto">{place.series}</bdi>. The list shows it behind the title.
        </p>
      )}
      {shared && <From {...shared.from} />}
      <LookUp key={round} form={itemForm(item, draft.change, toTitle)} words={shared?.question} />
      <TbrFields item={item} refused={refused} onChange={draft.change} />
      <div className="form-foot">
        <Button type="submit" variant="primary" size="large" busy={addItem.isPending && "Adding..."}>
          Add to TBR
        </Button>
        {place && <span className="hint">Goes back to the series when saved.</span>}
      </div>
    </form>
  );
}

/** The page that was shared. */
function From({ heading, site }: Shared["from"]) {
  if (!heading && !site) return null;
  return (
    <p className="hint">
      From{" "}
      {heading && (
        <span className="serif" dir="auto">
          {heading}
        </span>
      )}
      {heading && site && ", "}
      {site}
    </p>
  );
}

function Words({ item }: { item: TbrItem }) {
  const words = wordsOf(item);
  return words === null ? "-" : short(words);
}

function TopOfTheList() {
  const { data: items } = useQuery(tbrQuery);
  if (!items) return null;
  return (
    <aside className={css.side}>
      <div className={css.preview}>
        <h2 className="h3">To Be Read</h2>
        <p className="aside-text">{counted(items.length, "book")} in your TBR</p>
        <Leaders>
          {items.slice(0, 4).map((item, at) => (
            <Leader
              key={item.id}
              name={
                <>
                  <span className={css.rank}>{at + 1}</span>
                  <span className="serif" dir="auto">
                    {item.title}
                  </span>
                </>
              }
            >
              <Words item={item} />
            </Leader>
          ))}
        </Leaders>
      </div>
    </aside>
  );
}
