import type { Ref } from "react";
import { Field, Input, Textarea } from "../../kit/ui/Field";
import { noteRefusal, only, placeOfQuoteRefusal, quoteRefusal } from "./model";

/** A quote as it is typed. */
export interface QuoteForm {
  text: string;
  place: string;
  note: string;
}

/** The errors of a quote's fields. */
export const refusalsOfQuote = ({ text, place, note }: QuoteForm) =>
  only({
    text: quoteRefusal(text.trim()),
    place: placeOfQuoteRefusal(place.trim()),
    note: noteRefusal(note.trim()),
  });

interface QuoteFieldsProps {
  quote: QuoteForm;
  onChange: (part: Partial<QuoteForm>) => void;
  /** The errors to show, where no dialog does. */
  errors?: ReturnType<typeof refusalsOfQuote>;
  placeholder?: string;
  box?: Ref<HTMLTextAreaElement>;
}

/** The fields of a quote. */
export function QuoteFields({
  quote: { text, place, note },
  onChange,
  errors = {},
  placeholder,
  box,
}: QuoteFieldsProps) {
  return (
    <>
      <Field label="Quote" name="text quotes passages" error={errors.text}>
        <Textarea
          ref={box}
          rows={4}
          dir="auto"
          placeholder={placeholder}
          value={text}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      </Field>
      <div className="form-grid">
        <Field label="Place" name="place" error={errors.place}>
          <Input placeholder="p. 212" value={place} onChange={(event) => onChange({ place: event.target.value })} />
        </Field>
        <Field label="Note" name="note" error={errors.note}>
          <Input value={note} onChange={(event) => onChange({ note: event.target.value })} />
        </Field>
      </div>
    </>
  );
}
