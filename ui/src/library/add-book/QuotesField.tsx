import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useWatch } from "react-hook-form";
import { Button, IconButton } from "../../kit/ui/Button";
import { Field, Textarea } from "../../kit/ui/Field";
import { quoteRefusal } from "../books/model";
import type { BookFormState } from "../books/useBookForm";
import css from "./AddBook.module.css";

/**
 * The list of quotes, each of which can be edited in its place, and a box for the next one. A quote that is still in the box is
 * saved, too.
 */
export function QuotesField({ form }: { form: BookFormState }) {
  const [quotes, next] = useWatch({ control: form.control, name: ["quotes", "nextQuote"] });
  const [edited, setEdited] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const put = (changed: string[]) => form.setValue("quotes", changed, { shouldDirty: true });
  const add = () => {
    const refusal = quoteRefusal(next.trim());
    if (refusal) {
      form.setError("nextQuote", { type: "refused", message: refusal }, { shouldFocus: true });
      return;
    }
    put([...quotes, next.trim()]);
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
                    onDone={() => (quote.trim() === "" ? remove(at) : close(at))}
                  />
                ) : (
                  <>
                    <span dir="auto">“{quote}”</span>
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

interface EditedQuoteProps {
  quote: string;
  onChange: (changed: string) => void;
  onDone: () => void;
}

/** A quote that is being edited. Each key is part of the form at once, so that a save or a reload loses nothing. */
function EditedQuote({ quote, onChange, onDone }: EditedQuoteProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className={css.quotesField}>
      <Field label="Quote" error={quoteRefusal(quote.trim())}>
        <Textarea ref={box} rows={3} value={quote} onChange={(event) => onChange(event.target.value)} />
      </Field>
      <div>
        <Button size="compact" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
