import { type FieldErrors, type UseFormReturn, useForm } from "react-hook-form";
import { usePlace } from "../../access/place";
import { fieldsOf } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { unfold } from "../../kit/ui/Fold";
import { toast } from "../../kit/ui/toast";
import { refusalText } from "./AlreadyReading";
import { type BookForm, formField, type Refusals, refusalsOf } from "./model";

export type BookFormState = UseFormReturn<BookForm>;

function asErrors(refusals: Refusals): FieldErrors<BookForm> {
  return Object.fromEntries(Object.entries(refusals).map(([field, message]) => [field, { type: "refused", message }]));
}

/** The state of a book form; `book` is the stored book when it is edited. Only a valid form is submitted. */
export function useBookForm(initial: BookForm, book?: Book): BookFormState {
  const place = usePlace();
  return useForm<BookForm>({
    defaultValues: initial,
    resolver: (values) => {
      const errors = asErrors(refusalsOf(values, book, place));
      return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
    },
  });
}

/** Shows why the server refused the form: beside each named field, and in a toast. The typed values stay. */
export function showRefusal(form: BookFormState, error: unknown, title: string): void {
  toast({ title, description: refusalText(error), destructive: true });
  showAtFields(form, error);
}

/** Shows what the server says beside each named field, and whether there is one. */
export function showAtFields(form: BookFormState, error: unknown): boolean {
  const named = Object.entries(fieldsOf(error)).flatMap(([name, message]) => {
    const field = formField(name);
    return field ? [{ field, message }] : [];
  });
  unfold(named.map(({ field }) => field));
  for (const [at, { field, message }] of named.entries()) {
    form.setError(field, { type: "server", message }, { shouldFocus: at === 0 });
  }
  return named.length > 0;
}

/** Opens the folded parts of the form that hold an invalid field. The form moves the focus to the first one afterwards. */
export function showErrors(errors: FieldErrors<BookForm>): void {
  unfold(Object.keys(errors));
}
