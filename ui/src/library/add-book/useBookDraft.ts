import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { draftKey, forgetDraft, readDraft, writeDraft } from "../../access/drafts";
import { useUser } from "../../access/viewer";
import type { Book } from "../../kit/api/types";
import { type ChangedField, isSame, rebase } from "../../kit/rebase";
import { type BookForm, formOf } from "../books/model";
import { type BookFormState, useBookForm } from "../books/useBookForm";

/** Said of a form that was saved while more was typed into it. */
export const TYPED_SINCE = "What you typed while it was being saved is not saved yet.";

/** The state of a book form, with its draft. */
export interface BookDraft {
  form: BookFormState;
  /** Whether the form holds a draft from before. */
  isRestored: boolean;
  /** Whether the browser keeps the draft. */
  isKept: boolean;
  /** What was changed elsewhere since the form was filled. */
  elsewhere: readonly ChangedField<BookForm>[];
  /** Whether the form differs from what it started with, or from what is being saved. */
  isChanged: () => boolean;
  /** Whether the form is being saved, or is saved. */
  isSaving: () => boolean;
  /**
   * Calls `save` with what the form started with, and returns its answer. The draft is removed when that succeeds, unless more was typed
   * meanwhile.
   */
  saving: <T>(save: (base: BookForm) => Promise<T>) => Promise<Saved<T>>;
  /** Goes on from what is stored now, with what was typed while it was being saved. */
  goOn: (stored: BookForm) => void;
  /** Leaves what was typed while a book was being saved as a draft to the form that edits it. */
  handOver: (book: Book) => void;
  /** Puts the form on a newer base and keeps what was typed. Returns what was changed elsewhere. */
  moveTo: (newer: BookForm) => readonly ChangedField<BookForm>[];
  /** Takes over one field as it was changed elsewhere. */
  take: (field: keyof BookForm) => void;
  /** Removes the draft and returns to what the form started with. */
  startOver: () => void;
  /** How often the form has started over: the key of what belongs to the typed values, as the look-up does. */
  round: number;
}

/** What became of a form that was saved. */
export interface Saved<T> {
  answer: T;
  /** Whether nothing was typed while it was being saved. */
  isComplete: boolean;
}

/**
 * The form's state with its draft, which is read when the form appears, written with each change, and removed when the
 * book is saved. `name` is the draft's name within the account; later changes of `given` are ignored.
 */
export function useBookDraft(name: string, given: BookForm, book?: Book): BookDraft {
  const { id: account } = useUser();
  const key = draftKey(account, name);
  const [restored] = useState(() => readDraft(key, given));
  const base = useRef(given);
  /** The values that are being saved, or are saved. */
  const submitted = useRef<BookForm>(null);
  const [isRestored, setRestored] = useState(restored !== null);
  const [elsewhere, setElsewhere] = useState(restored?.elsewhere ?? []);
  const [isKept, setKept] = useState(true);
  const [round, setRound] = useState(0);
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
    round,
    isRestored,
    isKept,
    elsewhere,
    isChanged: () => !isSame(form.getValues(), submitted.current ?? base.current),
    isSaving: () => submitted.current !== null,
    saving: async (save) => {
      submitted.current = structuredClone(form.getValues());
      try {
        const answer = await save(base.current);
        const isComplete = isSame(form.getValues(), submitted.current);
        if (isComplete) forgetDraft(key);
        return { answer, isComplete };
      } catch (error) {
        submitted.current = null;
        throw error;
      }
    },
    goOn: (stored) => {
      // The fields stay as they are, because someone types into them.
      base.current = stored;
      submitted.current = null;
      // What was filled in or chosen is stored now.
      form.setValue("proposed", []);
      form.setValue("isOwnDistribution", false);
      setKept(writeDraft(key, { base: stored, values: form.getValues() }));
    },
    handOver: (book) => {
      const values = form.getValues();
      writeDraft(
        draftKey(account, editDraft(book)),
        rebase({ base: submitted.current ?? values, values }, formOf(book)),
      );
      submitted.current = values;
      forgetDraft(key);
    },
    moveTo: (newer) => {
      const rebased = rebase({ base: base.current, values: form.getValues() }, newer);
      base.current = newer;
      if (submitted.current) submitted.current = rebased.values;
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
      // After a reset the form knows its fields only once they are drawn. The title, which gets the focus, may have been hidden, too.
      flushSync(() => {
        form.reset(base.current);
        forgetDraft(key);
        setRestored(false);
        setElsewhere([]);
        setRound((count) => count + 1);
      });
      form.setFocus("title");
    },
  };
}

/** The name of the draft of the form that edits a book. */
export function editDraft({ id }: Pick<Book, "id">): string {
  return `edit.${id}`;
}
