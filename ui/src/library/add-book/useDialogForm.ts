import { useEffect } from "react";
import { useDraft } from "../../access/drafts";
import { InvalidFields } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import type { BookForm } from "../books/model";
import { showAtFields, useBookForm } from "../books/useBookForm";

/**
 * Some fields of the book form in a dialog, which keep what was typed for the next time. `typedOf` picks these fields; `submit` sends a valid
 * form, and rejects with what no field shows.
 */
export function useDialogForm(
  key: string,
  initial: BookForm,
  book: Book,
  typedOf: (form: BookForm) => Partial<BookForm>,
) {
  const draft = useDraft<Partial<BookForm>>(key, typedOf(initial));
  const form = useBookForm({ ...initial, ...draft.values }, book);
  useEffect(() =>
    form.subscribe({
      formState: { values: true },
      callback: ({ values }) => draft.change(typedOf(values)),
    }),
  );
  const startOver = () => {
    form.reset(initial);
    draft.startOver();
  };
  const submit = async (save: (values: BookForm) => Promise<void>) => {
    // What is thrown in a handler would keep the form from showing its errors.
    let failure: unknown;
    await form.handleSubmit(
      (values) =>
        save(values).catch((error) => {
          failure = showAtFields(form, error) ? new InvalidFields({}) : error;
        }),
      () => {
        failure = new InvalidFields({});
      },
    )();
    if (failure) throw failure;
  };
  return { form, draft: { ...draft, startOver }, submit };
}
