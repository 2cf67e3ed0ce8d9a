import { useWatch } from "react-hook-form";
import { Button, IconButton } from "../../kit/ui/Button";
import { Field, Textarea } from "../../kit/ui/Field";
import css from "./AddBook.module.css";
import type { BookFormState } from "./useBookForm";

/** The list of quotes, and a box for the next one. A quote that is still in the box is saved, too. */
export function QuotesField({ form }: { form: BookFormState }) {
  const [quotes, next] = useWatch({ control: form.control, name: ["quotes", "nextQuote"] });
  const add = () => {
    form.setValue("quotes", [...quotes, next.trim()], { shouldDirty: true });
    form.setValue("nextQuote", "", { shouldDirty: true });
    form.setFocus("nextQuote");
  };
  const remove = (at: number) => {
    form.setValue(
      "quotes",
      quotes.filter((_, index) => index !== at),
      { shouldDirty: true },
    );
    form.setFocus("nextQuote");
  };
  return (
    <div className={css.quotesField}>
      <Field label="Quotes" error={form.formState.errors.nextQuote?.message}>
        {quotes.length > 0 && (
          <ul>
            {quotes.map((quote, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two quotes may be equal, and rows hold no state
              <li key={at} className={css.quote}>
                <span dir="auto">“{quote}”</span>
                <IconButton icon="x" label="Remove quote" onClick={() => remove(at)} />
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
