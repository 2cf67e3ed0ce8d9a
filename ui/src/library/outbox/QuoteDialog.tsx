import { type FormEvent, useId, useState } from "react";
import { useDraft } from "../../access/drafts";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import { QUOTE_CREATE } from "../../kit/api/limits";
import type { Book } from "../../kit/api/types";
import { whole } from "../../kit/format";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
import { Field, Textarea } from "../../kit/ui/Field";
import { RestoredNote } from "../../kit/ui/RestoredNote";
import { toast } from "../../kit/ui/toast";
import css from "../book/Book.module.css";
import { useKeepQuote } from "./api";
import { WAITS } from "./useOutbox";

/** Keeps a quote of a book. Closed without Cancel, it keeps what was typed for the next time. */
export function QuoteDialog({ book, onClose }: { book: Book; onClose: () => void }) {
  const id = useId();
  const draft = useDraft(`quote.${book.id}`, { text: "" });
  const { text } = draft.values;
  const [refused, setRefused] = useState<string>();
  const keep = useKeepQuote(book);
  const { text: textRefused, quotes } = fieldsOf(keep.error);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refusal = refusalOf(text);
    setRefused(refusal);
    if (refusal) return;
    let waits: boolean;
    try {
      ({ waits } = await keep.mutateAsync(text));
    } catch {
      return;
    }
    draft.forget();
    toast({ title: "Quote kept", description: waits ? WAITS : book.title });
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`A quote of “${book.title}”`}
      foot={
        <>
          <DialogClose>
            <Button onClick={draft.startOver}>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" busy={keep.isPending && "Saving..."}>
            Save
          </Button>
        </>
      }
    >
      <form className={css.dialog} id={id} noValidate onSubmit={submit}>
        {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
        {keep.error && !(textRefused ?? quotes) && <Alert>{errorMessage(keep.error, "Please try again.")}</Alert>}
        <Field label="Quote" error={refused ?? textRefused ?? quotes}>
          <Textarea
            rows={4}
            dir="auto"
            placeholder="A sentence worth keeping"
            value={text}
            onChange={(event) => draft.change({ text: event.target.value })}
          />
        </Field>
      </form>
    </Dialog>
  );
}

function refusalOf(text: string): string | undefined {
  if (text.trim() === "") return "The quote is required.";
  const most = QUOTE_CREATE.text.maxLength;
  return [...text].length > most ? `A quote can have at most ${whole(most)} characters.` : undefined;
}
