import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useRef, useState } from "react";
import { useDraft } from "../../access/drafts";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import type { TbrItem } from "../../kit/api/types";
import { counted, short } from "../../kit/format";
import { Button } from "../../kit/ui/Button";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { LeaveQuestion } from "../../kit/ui/LeaveQuestion";
import { RestoredNote } from "../../kit/ui/RestoredNote";
import { toast } from "../../kit/ui/toast";
import { useAttempt } from "../attempt";
import { WAITS } from "../outbox/useOutbox";
import { tbrQuery, useAddItem } from "../tbr/api";
import { EMPTY_ITEM, type NewItem, refusalsOfItem, toNewItem, wordsOf } from "../tbr/model";
import { TbrFields } from "../tbr/TbrFields";
import css from "./AddBook.module.css";

/** Adds a book to the to-be-read list, and stays open for the next one. */
export function AddToTbrTab() {
  const draft = useDraft("tbr", EMPTY_ITEM);
  const item = draft.values;
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const addItem = useAddItem();
  const { attempt, done } = useAttempt<NewItem>();
  const toTitle = () => form.current?.querySelector("input")?.focus();

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const refusals = refusalsOfItem(item);
    setRefused(refusals);
    if (Object.keys(refusals).length > 0) {
      form.current?.querySelector<HTMLElement>(`[name="${Object.keys(refusals)[0]}"]`)?.focus();
      return;
    }
    let waits: boolean;
    try {
      ({ waits } = await addItem.mutateAsync(attempt(toNewItem(item))));
    } catch (error) {
      setRefused(fieldsOf(error));
      const description = errorMessage(error, "Please try again.");
      toast({ title: "Failed to add TBR book", description, destructive: true });
      return;
    }
    done();
    draft.startOver();
    toTitle();
    toast({ title: "TBR book added successfully!", ...(waits ? { description: WAITS } : {}) });
  };

  return (
    <div className={css.split}>
      <form className="form" noValidate onSubmit={submit} ref={form}>
        <LeaveQuestion isChanged={() => draft.isChanged && !addItem.isPending} />
        {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
        <TbrFields item={item} refused={refused} onChange={draft.change} />
        <div className="form-foot">
          <Button type="submit" variant="primary" size="large" busy={addItem.isPending && "Adding..."}>
            Add to TBR
          </Button>
        </div>
      </form>
      <TopOfTheList />
    </div>
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
