import { useDraft } from "../../access/drafts";
import { useToday } from "../../access/today";
import { InvalidFields } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { Field, Input, Textarea } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { toast } from "../../kit/ui/toast";
import { noteRefusal, only, placeOfQuoteRefusal, quoteRefusal } from "../books/model";
import { useKeepQuote } from "./bookMutations";
import { WAITS } from "./useOutbox";

/** Keeps a quote of a book. Closed without Cancel, it keeps what was typed for the next time. */
export function QuoteDialog({ book, onClose }: { book: Book; onClose: () => void }) {
  const draft = useDraft(`quote.${book.id}`, { text: "", place: "", note: "" });
  const { text, place, note } = draft.values;
  const day = useToday();
  const { mutateAsync } = useKeepQuote(book);
  const keep = async () => {
    const fields = only({
      text: text.trim() === "" ? "The quote is required." : quoteRefusal(text),
      place: placeOfQuoteRefusal(place.trim()),
      note: noteRefusal(note.trim()),
    });
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
      <Field label="Quote" name="text quotes">
        <Textarea
          rows={4}
          dir="auto"
          placeholder="A sentence worth keeping"
          value={text}
          onChange={(event) => draft.change({ text: event.target.value })}
        />
      </Field>
      <div className="form-grid">
        <Field label="Place" name="place">
          <Input placeholder="p. 212" value={place} onChange={(event) => draft.change({ place: event.target.value })} />
        </Field>
        <Field label="Note" name="note">
          <Input value={note} onChange={(event) => draft.change({ note: event.target.value })} />
        </Field>
      </div>
    </FormDialog>
  );
}
