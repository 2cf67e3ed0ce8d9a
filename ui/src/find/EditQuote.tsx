import { useState } from "react";
import { InvalidFields } from "../kit/api/client";
import type { Quote } from "../kit/api/types";
import { Field, Input, Textarea } from "../kit/ui/Field";
import { FormDialog } from "../kit/ui/FormDialog";
import { toast } from "../kit/ui/toast";
import { noteRefusal, only, passagesOf, placeOfQuoteRefusal, quoteRefusal } from "../library/books/model";
import { useChangeQuote } from "./api";

/** Changes or deletes a quote where it is read. */
export function EditQuote({ quote, onClose }: { quote: Quote; onClose: () => void }) {
  const { title, author, day } = quote;
  const [{ text, place, note }, setTyped] = useState({
    text: quote.text,
    place: quote.place ?? "",
    note: quote.note ?? "",
  });
  const change = useChangeQuote(quote);
  const save = async () => {
    const [changed] = passagesOf({ passages: [{ text, place, note, day }], nextQuote: "" });
    const fields = only({
      text: changed ? quoteRefusal(text.trim()) : "The quote is required.",
      place: placeOfQuoteRefusal(place.trim()),
      note: noteRefusal(note.trim()),
    });
    if (!changed || Object.keys(fields).length > 0) throw new InvalidFields(fields);
    await change.mutateAsync(changed);
    toast({ title: "Saved", description: title });
  };
  const remove = async () => {
    await change.mutateAsync(null);
    toast({ title: "Quote deleted", description: title });
  };
  return (
    <FormDialog
      wide
      title="Quote"
      text={`${title}, by ${author}`}
      label="Save"
      action={save}
      failed="This quote was changed elsewhere. Close this and open it again."
      second={{ label: "Delete", busy: "Deleting...", icon: "trash", action: remove }}
      noValidate
      onClose={onClose}
    >
      <Field label="Quote" name="text passages">
        <Textarea rows={5} value={text} onChange={({ target }) => setTyped({ text: target.value, place, note })} />
      </Field>
      <div className="form-grid">
        <Field label="Place" name="place">
          <Input
            placeholder="p. 212"
            value={place}
            onChange={({ target }) => setTyped({ text, place: target.value, note })}
          />
        </Field>
        <Field label="Note" name="note">
          <Input value={note} onChange={({ target }) => setTyped({ text, place, note: target.value })} />
        </Field>
      </div>
    </FormDialog>
  );
}
