import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePlace } from "../../access/place";
import type { Book } from "../../kit/api/types";
import { longDate } from "../../kit/format";
import { FormDialog } from "../../kit/ui/FormDialog";
import { toast } from "../../kit/ui/toast";
import { BookDate } from "../add-book/BookDate";
import { DistributionField, RatingField } from "../add-book/StatusRows";
import { useDialogForm } from "../add-book/useDialogForm";
import { refusalText } from "../books/AlreadyReading";
import { daysQuery } from "../books/api";
import { type BookForm, finishForm, needsRating, toFinish } from "../books/model";
import { useOfferUndo } from "../books/useOfferUndo";
import { useFinish } from "../outbox/bookMutations";
import { useWithdraw, WAITS } from "../outbox/useOutbox";

interface FinishDialogProps {
  book: Book;
  onClose: () => void;
  onFinished: () => void;
}

/**
 * Finishes a book in progress: the rating, the day, and folded for a known start which days its words belong to. The day is that on which the dialog is
 * opened, also on a page that has been open since an earlier one. Closed without Cancel, the dialog keeps what was typed for the next time.
 */
export function FinishDialog({ book, onClose, onFinished }: FinishDialogProps) {
  const place = usePlace();
  const [initial] = useState(() => finishForm(book, place.today));
  const { form, draft, submit } = useDialogForm(`finish.${book.id}`, initial, book, (values) =>
    typedOf(values, initial),
  );
  const finish = useFinish(book);
  const offerUndo = useOfferUndo(book);
  const takeBack = useWithdraw();
  // The log decides how the words of a known span count at first.
  const log = useQuery({ ...daysQuery(book.id), enabled: book.startDate !== null });
  const isLogAwaited = log.isFetching && !log.isFetchedAfterMount;

  const save = async (values: BookForm) => {
    const finished = await finish.mutateAsync(toFinish(values, place));
    if (finished.isPending) toast({ title: "Book finished", description: WAITS, undo: () => takeBack(finished.entry) });
    else offerUndo("Book finished");
  };

  return (
    <FormDialog
      title={`Finish “${book.title}”`}
      text={book.startDate && `You started it on ${longDate(book.startDate)}.`}
      label="Finish"
      action={() => submit(save)}
      onDone={onFinished}
      disabled={isLogAwaited}
      draft={draft}
      failedTitle="Failed to update book"
      failed={(error) => refusalText(error, onClose)}
      noValidate
      onClose={onClose}
    >
      <RatingField form={form} required={needsRating("single", book)} />
      <BookDate form={form} name="dateCompleted" label="Finished on" required rough={book.startDate === null} />
      {form.formState.errors.startDate && <BookDate form={form} name="startDate" label="Start Date" />}
      {book.startDate && <DistributionField form={form} book={book} />}
    </FormDialog>
  );
}

/** What a reader types here. The distribution that the log proposes is not among it. */
function typedOf(values: BookForm, initial: BookForm) {
  const { startDate, dateCompleted, rating, sureOf, isOwnDistribution } = values;
  const { wordDistribution } = isOwnDistribution ? values : initial;
  return { startDate, dateCompleted, rating, sureOf, isOwnDistribution, wordDistribution };
}
