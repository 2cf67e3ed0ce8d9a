import { useDraft } from "../access/drafts";
import { InvalidFields } from "../kit/api/client";
import type { Quote } from "../kit/api/types";
import { FormDialog } from "../kit/ui/FormDialog";
import { toast } from "../kit/ui/toast";
import { passagesOf } from "../library/books/model";
import { QuoteFields, refusalsOfQuote } from "../library/books/QuoteFields";
import { useChangeQuote } from "./api";

/** Changes or deletes a quote where it is read. Closed without Cancel, it keeps what was typed for the next time. */
export function EditQuote({ quote, onClose }: { quote: Quote; onClose: () => void }) {
  const { bookId, title, author, day } = quote;
  const stored = { text: quote.text, place: quote.place ?? "", note: quote.note ?? "" };
  // A quote has no id; it is what it says.
  const draft = useDraft(`quote.${bookId}.${Object.values(stored).join("\n")}`, stored);
  const change = useChangeQuote(quote);
  const save = async () => {
    const [changed] = passagesOf({ passages: [{ ...draft.values, day }], nextQuote: "" });
    const fields = changed ? refusalsOfQuote(draft.values) : { text: "The quote is required." };
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
      draft={draft}
      failed="This quote was changed elsewhere. Close this and open it again."
      second={{ label: "Delete", busy: "Deleting...", icon: "trash", action: remove }}
      noValidate
      onClose={onClose}
    >
      <QuoteFields quote={draft.values} onChange={draft.change} />
    </FormDialog>
  );
}
