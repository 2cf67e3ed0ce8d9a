import { type FormEvent, useId, useMemo, useState } from "react";
import { ApiError, errorMessage, fieldsOf } from "../../kit/api/client";
import type { Book, Format, Work } from "../../kit/api/types";
import { FIRST_DAY } from "../../kit/roughDate";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
import { Field, Input, Select } from "../../kit/ui/Field";
import { toast } from "../../kit/ui/toast";
import { type Again, useReadAgain } from "./api";

const FORMATS = (["Print", "eBook", "Audio"] as const).map((value) => ({ value, label: value }));

interface AgainDialogProps {
  work: Work;
  /** The read whose edition is read again. */
  read: Book;
  today: string;
  onClose: () => void;
  onStarted: () => void;
}

/** Begins a further read of a book. */
export function AgainDialog({ work, read, today, onClose, onStarted }: AgainDialogProps) {
  const id = useId();
  const [startDate, setStart] = useState(today);
  const [format, setFormat] = useState<Format>(read.format);
  const { mutateAsync, error, isPending } = useReadAgain(read.id);
  // The same object has the same idempotency key: pressing the button again after a failure begins no second read.
  const again = useMemo<Again>(() => ({ startDate: startDate || today, format }), [startDate, today, format]);
  const refusals = fieldsOf(error);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await mutateAsync(again);
    } catch {
      return;
    }
    toast({ title: "Started reading", description: work.title });
    onStarted();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Read “${work.title}” again`}
      text="Your earlier reads stay as they are. A new one begins, in progress."
      foot={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" busy={isPending && "Starting..."}>
            Start reading
          </Button>
        </>
      }
    >
      <form className="form" id={id} noValidate onSubmit={submit}>
        {error && Object.keys(refusals).length === 0 && <Alert>{sentence(error)}</Alert>}
        <Field label="Started on" error={refusals.startDate}>
          <Input
            type="date"
            min={FIRST_DAY}
            max={today}
            value={startDate}
            onChange={(event) => setStart(event.target.value)}
          />
        </Field>
        <Field label="Format" error={refusals.format}>
          <Select options={FORMATS} value={format} onChoose={setFormat} />
        </Field>
      </form>
    </Dialog>
  );
}

function sentence(error: Error): string {
  const isOpen = error instanceof ApiError && error.code === "already_reading";
  return isOpen ? "You are reading this already." : errorMessage(error, "Please try again.");
}
