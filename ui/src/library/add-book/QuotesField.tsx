import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useWatch } from "react-hook-form";
import type { Passage } from "../../kit/api/types";
import { Button, IconButton } from "../../kit/ui/Button";
import { Field, Textarea } from "../../kit/ui/Field";
import { passagesOf, plainQuote, quoteRefusal } from "../books/model";
import { QuoteFields, type QuoteForm, refusalsOfQuote } from "../books/QuoteFields";
import { QuoteText } from "../books/QuoteText";
import type { BookFormState } from "../books/useBookForm";
import css from "./AddBook.module.css";

/**
 * The list of quotes, each of which can be edited in its place, and a box for the next one. A quote that is still in the box is
 * saved, too.
 */
export function QuotesField({ form }: { form: BookFormState }) {
  const [quotes, next] = useWatch({ control: form.control, name: ["passages", "nextQuote"] });
  const [edited, setEdited] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const put = (changed: Passage[]) => form.setValue("passages", changed, { shouldDirty: true });
  const add = () => {
    const refusal = quoteRefusal(next.trim());
    if (refusal) {
      form.setError("nextQuote", { type: "refused", message: refusal }, { shouldFocus: true });
      return;
    }
    put([...quotes, plainQuote(next.trim())]);
    form.setValue("nextQuote", "", { shouldDirty: true });
    form.clearErrors("nextQuote");
    form.setFocus("nextQuote");
  };
  const remove = (at: number) => {
    put(quotes.filter((_, index) => index !== at));
    setEdited(null);
    form.setFocus("nextQuote");
  };
  // The button that was pressed goes; the one that led to it takes the focus.
  const close = (at: number) => {
    flushSync(() => setEdited(null));
    list.current?.children[at]?.querySelector("button")?.focus();
  };
  return (
    <div className={css.quotesField}>
      <Field label="Quotes" error={form.formState.errors.nextQuote?.message}>
        {quotes.length > 0 && (
          <ul ref={list}>
            {quotes.map((quote, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two quotes may be equal, and rows hold no state
              <li key={at} className={css.quote}>
                {edited === at ? (
                  <EditedQuote
                    quote={quote}
                    onChange={(changed) => put(quotes.map((one, index) => (index === at ? changed : one)))}
                    onDone={() => (isEmpty(quote) ? remove(at) : close(at))}
                  />
                ) : (
                  <>
                    <QuoteText quote={quote} />
                    <span className={css.quoteActions}>
                      <IconButton icon="edit" label={`Edit quote ${at + 1}`} onClick={() => setEdited(at)} />
                      <IconButton icon="x" label={`Remove quote ${at + 1}`} onClick={() => remove(at)} />
                    </span>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
        <Textarea rows={2} placeholder="A sentence worth keeping" {...form.register("nextQuote")} />
      </Field>
      <div>
        <Button size="compact" icon="plus" disabled={next.trim() === ""} onClick={add}>
          Add quote
        </Button>
      </div>
    </div>
  );
}

/** Whether nothing would be saved of a quote. */
const isEmpty = (quote: Passage): boolean => passagesOf({ passages: [quote], nextQuote: "" }).length === 0;

interface EditedQuoteProps {
  quote: Passage;
  onChange: (changed: Passage) => void;
  onDone: () => void;
}

/** A quote that is being edited. Each key is part of the form at once, so that a save or a reload loses nothing. */
function EditedQuote({ quote, onChange, onDone }: EditedQuoteProps) {
  const form = { text: quote.text, place: quote.place ?? "", note: quote.note ?? "" };
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const change = (part: Partial<QuoteForm>) => {
    const { text, place, note } = { ...form, ...part };
    onChange({ ...quote, text, place: place || null, note: note || null });
  };
  return (
    <div className={css.quotesField}>
      <QuoteFields quote={form} onChange={change} errors={refusalsOfQuote(form)} box={box} />
      <div>
        <Button size="compact" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
