import { useState } from "react";
import { forgetDraftsOf } from "../../access/drafts";
import { usePlace } from "../../access/place";
import { useUser } from "../../access/viewer";
import { errorMessage } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { leaveTo, navigate } from "../../kit/origin";
import { paths } from "../../kit/paths";
import { Button } from "../../kit/ui/Button";
import { LeaveQuestion } from "../../kit/ui/LeaveQuestion";
import { RestoredNote } from "../../kit/ui/RestoredNote";
import { toast } from "../../kit/ui/toast";
import { useIsShown } from "../../kit/ui/useIsShown";
import { useAddBook } from "../books/api";
import { useAttempt } from "../books/attempt";
import { type BookForm, toNew } from "../books/model";
import { placeNote } from "../books/place";
import { showErrors, showRefusal } from "../books/useBookForm";
import { useNoteDay } from "../books/workQueries";
import { useCover } from "../covers/useCover";
import { useNameFile } from "../epub/api";
import { bookForm } from "../lookup/fill";
import { LookUp } from "../lookup/LookUp";
import css from "./AddBook.module.css";
import { BookFields } from "./BookFields";
import { EpubField } from "./EpubField";
import { Preview } from "./Preview";
import { type Saved, TYPED_SINCE, useBookDraft } from "./useBookDraft";

interface AddBookFormProps {
  /** The initial values of the form. Later changes of this property are ignored. */
  initial: BookForm;
  /** The name of the form's draft. Forms for different books have different ones. */
  draftName: string;
  /** The to-be-read item that the form was filled from. */
  tbrId?: number;
}

/**
 * The form for a new book. Typed values survive a reload. Saving leads back to the page from which the form was opened, with
 * its filter and its place, and otherwise to the dashboard.
 */
export function AddBookForm({ initial, draftName, tbrId }: AddBookFormProps) {
  const { id: account } = useUser();
  const addBook = useAddBook();
  const noteDay = useNoteDay();
  const nameFile = useNameFile();
  const place = usePlace();
  const { attempt } = useAttempt<ReturnType<typeof toNew>>();
  const draft = useBookDraft(draftName, initial);
  const { form } = draft;
  const cover = useCover();
  const isShown = useIsShown();
  const [isQuick, setQuick] = useState(false);
  const startOver = () => {
    setQuick(false);
    cover.startOver();
    draft.startOver();
  };

  const submit = form.handleSubmit(async (values) => {
    let note = placeNote(initial, values, place.today);
    let lost: string | null = null;
    let unlinked: string | null = null;
    let saved: Saved<Book>;
    try {
      // Awaited instead of using the mutation's callbacks, which are not called when the page is left before the
      // answer.
      saved = await draft.saving(async () => {
        const { book } = await addBook.mutateAsync(attempt(toNew(values, place, tbrId)));
        // The place belongs to the log of the book that is stored now.
        const noted = note && (await noteDay.mutateAsync({ id: book.id, ...note }).catch(() => null));
        if (noted) note = null;
        lost = await whyNot(cover.save(book.id));
        if (values.digest) unlinked = await whyNot(nameFile.mutateAsync({ id: book.id, digest: values.digest }));
        return noted?.book ?? book;
      });
    } catch (error) {
      showRefusal(form, error, "Failed to add book");
      return;
    }
    const said = [
      saved.isComplete ? null : TYPED_SINCE,
      note && "The place reached could not be saved. Note it on the book's page.",
      lost && `The cover could not be saved: ${lost}`,
      unlinked && `Devices that read this file can’t be linked to it: ${unlinked}`,
    ].filter(Boolean);
    toast({ title: "Book added successfully!", ...(said.length > 0 ? { description: said.join(" ") } : {}) });
    if (!saved.isComplete) draft.handOver(saved.answer);
    // The item is gone from the list.
    if (tbrId !== undefined) forgetDraftsOf(account, `tbr.${tbrId}`);
    if (!isShown.current) return;
    if (saved.isComplete) leaveTo(paths.dashboard());
    else navigate(paths.editBook(saved.answer.id), { replace: true, state: window.history.state });
  }, showErrors);

  const isKept = draft.isKept && !cover.isChanged;
  return (
    <div className={css.split}>
      <form className="form" noValidate onSubmit={submit}>
        <LeaveQuestion
          isChanged={() => !isKept && (draft.isChanged() || (cover.isChanged && !draft.isSaving()))}
          isKept={false}
        />
        {draft.isRestored && <RestoredNote onStartOver={startOver} />}
        <LookUp
          key={`look ${draft.round}`}
          form={bookForm(form)}
          cover={cover}
          words={initial.series}
          isQuick={isQuick}
          onQuick={setQuick}
          hasFocus={!draft.isRestored && initial.title === ""}
        />
        {!isQuick && <EpubField key={`file ${draft.round}`} form={form} cover={cover} />}
        <BookFields form={form} cover={cover} isQuick={isQuick} onLeave={startOver} />
        <div className={`form-foot ${css.stuck}`}>
          <Button type="submit" variant="primary" size="large" busy={form.formState.isSubmitting && "Adding..."}>
            Add Book
          </Button>
        </div>
      </form>
      <Preview title="Next on the shelf" form={form} />
    </div>
  );
}

/** A sentence when a part of a book that is stored can't be saved; null when it is. */
const whyNot = (saving: Promise<unknown>) =>
  saving.then(
    () => null,
    (error: unknown) => errorMessage(error, "Please try again on the book's page."),
  );
