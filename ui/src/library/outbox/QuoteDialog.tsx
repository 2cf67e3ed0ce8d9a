import { useDraft } from "../../access/drafts";
import { useToday } from "../../access/today";
import { InvalidFields } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { FormDialog } from "../../kit/ui/FormDialog";
import { toast } from "../../kit/ui/toast";
import { QuoteFields, refusalsOfQuote } from "../books/QuoteFields";
import { useKeepQuote } from "./bookMutations";
import { WAITS } from "./useOutbox";

/** Keeps a quote of a book. Closed without Cancel, it keeps what was typed for the next time. */
export function QuoteDialog({ book, onClose }: { book: Book; onClose: () => void }) {
  const draft = useDraft(`quote.${book.id}`, { text: "", place: "", note: "" });
  const { text, place, note } = draft.values;
  const day = useToday();
  const { mutateAsync } = useKeepQuote(book);
  const keep = async () => {
    const fields = text.trim() === "" ? { text: "The quote is required." } : refusalsOfQuote(draft.values);
    if (Object.keys(fields).length > 0) throw new InvalidFields(fields);
    const known = { ...(place.trim() && { place: place.trim() }), ...(note.trim() && { note: note.trim() }) };
    const { isPending } = await mutateAsync({ text, day, ...known });
    toast({ title: "Quote kept", description: isPending ? WAITS : book.title });
  };
  return (
    <FormDialog
      title={`A quote of “${book.title}”`}
      label="Save"
      action={keep}
      draft={draft}
      wide
      noValidate
      onClose={onClose}
    >
      <QuoteFields quote={draft.values} onChange={draft.change} placeholder="A sentence worth keeping" />
    </FormDialog>
  );
}
