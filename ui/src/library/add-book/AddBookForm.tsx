import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useUser } from "../../access/viewer";
import { paths } from "../../kit/paths";
import { Alert } from "../../kit/ui/Alert";
import { Button, TextButton } from "../../kit/ui/Button";
import { toast } from "../../kit/ui/toast";
import { useAttempt } from "../attempt";
import { useAddBook } from "../books/api";
import { type BookForm, toNew } from "../books/model";
import css from "./AddBook.module.css";
import { BookFields } from "./BookFields";
import { draftKey, forgetDraft, readDraft, writeDraft } from "./draft";
import { EpubField } from "./EpubField";
import { Preview } from "./Preview";
import { showRefusal, useBookForm } from "./useBookForm";

interface AddBookFormProps {
  /** The initial values of the form. Later changes of this property are ignored. */
  initial: BookForm;
  /** The to-be-read item that the form was filled from. */
  tbrId?: number;
}

/** The form for a new book. Typed values survive a reload; saving leads to the dashboard. */
export function AddBookForm({ initial, tbrId }: AddBookFormProps) {
  const [, navigate] = useLocation();
  const addBook = useAddBook();
  const { attempt } = useAttempt<ReturnType<typeof toNew>>();
  const draft = useDraft(initial, tbrId);
  const { form } = draft;

  const submit = form.handleSubmit(async (values) => {
    try {
      // Awaited instead of using the mutation's callbacks, which are not called when the page is left before the
      // answer.
      await addBook.mutateAsync(attempt(toNew(values, tbrId)));
    } catch (error) {
      showRefusal(form, error, "Failed to add book");
      return;
    }
    draft.forget();
    toast({ title: "Book added successfully!" });
    if (window.location.pathname === paths.addBook()) navigate(paths.dashboard());
  });

  return (
    <div className={css.split}>
      <form className="form" noValidate onSubmit={submit}>
        {draft.isRestored && (
          <Alert kind="note" icon="undo">
            Restored what you had typed before. <TextButton onClick={draft.startOver}>Start over</TextButton>
          </Alert>
        )}
        <EpubField form={form} />
        <BookFields form={form} />
        <div className="form-foot">
          <Button type="submit" variant="primary" size="large" busy={addBook.isPending && "Adding..."}>
            Add Book
          </Button>
          <span className="hint">Goes to the dashboard when saved.</span>
        </div>
      </form>
      <Preview title="Next on the shelf" form={form} />
    </div>
  );
}

/**
 * The form's state with its draft, which is read when the form appears, written with each change, and removed when the
 * book is saved.
 */
function useDraft(given: BookForm, tbrId: number | undefined) {
  const key = draftKey(useUser().id, tbrId);
  const [initial] = useState(given);
  const [restored] = useState(() => readDraft(key, initial));
  const [isRestored, setRestored] = useState(restored !== null);
  const form = useBookForm(restored ?? initial);

  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => writeDraft(key, values, initial) }),
    [form, key, initial],
  );

  return {
    form,
    isRestored,
    forget: () => forgetDraft(key),
    startOver: () => {
      form.reset(initial);
      forgetDraft(key);
      setRestored(false);
      form.setFocus("title");
    },
  };
}
