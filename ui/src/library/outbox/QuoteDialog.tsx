import { useDraft } from "../../access/drafts";
import { InvalidFields } from "../../kit/api/client";
import { QUOTE_CREATE } from "../../kit/api/limits";
import type { Book } from "../../kit/api/types";
import { whole } from "../../kit/format";
import { Field, Textarea } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { toast } from "../../kit/ui/toast";
import { useKeepQuote } from "./bookMutations";
import { WAITS } from "./useOutbox";

/** Keeps a quote of a book. Closed without Cancel, it keeps what was typed for the next time. */
export function QuoteDialog({ book, onClose }: { book: Book; onClose: () => void }) {
  const draft = useDraft(`quote.${book.id}`, { text: "" });
  const { text } = draft.values;
  const { mutateAsync } = useKeepQuote(book);
  const keep = async () => {
    const refusal = errorOf(text);
    if (refusal) throw new InvalidFields({ text: refusal });
    const { isPending } = await mutateAsync(text);
    toast({ title: "Quote kept", description: isPending ? WAITS : book.title });
  };
  return (
    <FormDialog
      title={`A quote of “${book.title}”`}
      label="Save"
      action={keep}
      draft={draft}
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
    </FormDialog>
  );
}

function errorOf(text: string): string | undefined {
  if (text.trim() === "") return "The quote is required.";
  const most = QUOTE_CREATE.text.maxLength;
  return [...text].length > most ? `A quote can have at most ${whole(most)} characters.` : undefined;
}
