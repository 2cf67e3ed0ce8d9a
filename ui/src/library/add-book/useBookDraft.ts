import { useEffect, useRef, useState } from "react";
import { forgetDraft, readDraft, useDraftKey, writeDraft } from "../../access/drafts";
import type { Book } from "../../kit/api/types";
import { type ChangedField, isSame, rebase } from "../../kit/rebase";
import type { BookForm } from "../books/model";
import { type BookFormState, useBookForm } from "./useBookForm";

/** The state of a book form, with its draft. */
export interface BookDraft {
  form: BookFormState;
  /** Whether the form holds a draft from before. */
  isRestored: boolean;
  /** Whether the browser keeps the draft. */
  isKept: boolean;
  /** What was changed elsewhere since the form was filled. */
  elsewhere: readonly ChangedField<BookForm>[];
  /** Whether the form differs from what it started with. A form that is being saved does not. */
  isChanged: () => boolean;
  /** Whether the form is being saved, or is saved. */
  isSaving: () => boolean;
  /** Calls `save` with what the form started with. The draft is removed when that succeeds. */
  saving: (save: (base: BookForm) => Promise<unknown>) => Promise<void>;
  /** Puts the form on a newer base and keeps what was typed. Returns what was changed elsewhere. */
  moveTo: (newer: BookForm) => readonly ChangedField<BookForm>[];
  /** Takes over one field as it was changed elsewhere. */
  take: (field: keyof BookForm) => void;
  /** Removes the draft and returns to what the form started with. */
  startOver: () => void;
}

/**
 * The form's state with its draft, which is read when the form appears, written with each change, and removed when the
 * book is saved. `name` is the draft's name within the account; later changes of `given` are ignored.
 */
export function useBookDraft(name: string, given: BookForm, book?: Book): BookDraft {
  const key = useDraftKey(name);
  const [restored] = useState(() => readDraft(key, given));
  const base = useRef(given);
  const isSaved = useRef(false);
  const [isRestored, setRestored] = useState(restored !== null);
  const [elsewhere, setElsewhere] = useState(restored?.elsewhere ?? []);
  const [isKept, setKept] = useState(true);
  const form = useBookForm(restored?.values ?? given, book);

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => setKept(writeDraft(key, { base: base.current, values })),
      }),
    [form, key],
  );

  return {
    form,
    isRestored,
    isKept,
    elsewhere,
    isChanged: () => !isSaved.current && !isSame(form.getValues(), base.current),
    isSaving: () => isSaved.current,
    saving: async (save) => {
      isSaved.current = true;
      try {
        await save(base.current);
      } catch (error) {
        isSaved.current = false;
        throw error;
      }
      forgetDraft(key);
    },
    moveTo: (newer) => {
      const rebased = rebase({ base: base.current, values: form.getValues() }, newer);
      base.current = newer;
      form.reset(rebased.values);
      writeDraft(key, rebased);
      setElsewhere(rebased.elsewhere);
      return rebased.elsewhere;
    },
    take: (field) => {
      form.setValue(field, base.current[field], { shouldDirty: true });
      setElsewhere((fields) => fields.map((one) => (one.field === field ? { ...one, isKept: false } : one)));
    },
    startOver: () => {
      form.reset(base.current);
      forgetDraft(key);
      setRestored(false);
      setElsewhere([]);
      form.setFocus("title");
    },
  };
}
