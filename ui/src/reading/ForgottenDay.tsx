import { useState } from "react";
import type { OpenBook } from "../kit/api/types";
import { dateBefore } from "../kit/format";
import { Button } from "../kit/ui/Button";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { DayDialog } from "../library/book/DayDialog";
import css from "./Reading.module.css";

interface ForgottenDayProps {
  open: readonly OpenBook[];
  today: string;
  onClose: () => void;
}

/** Notes an earlier day of an open book. With several, the book is chosen first. */
export function ForgottenDay({ open, today, onClose }: ForgottenDayProps) {
  const [chosen, setChosen] = useState(open.length === 1 ? open[0]?.book : undefined);
  if (chosen)
    return (
      <DayDialog
        read={chosen}
        today={today}
        day={dateBefore(today, { days: 1 })}
        title={`A forgotten day of “${chosen.title}”`}
        confirm="Note"
        onClose={onClose}
      />
    );
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title="Add a forgotten day"
      text="Which book did you read?"
      foot={
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
      }
    >
      <ul className={css.choices}>
        {open.map(({ book }) => (
          <li key={book.id}>
            <Button wide onClick={() => setChosen(book)}>
              <bdi>{book.title}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
