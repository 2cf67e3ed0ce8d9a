import { type ChangeEvent, type FormEvent, useId, useState } from "react";
import { fieldsOf } from "../../kit/api/client";
import type { Book, Format, Work } from "../../kit/api/types";
import { FIRST_DAY } from "../../kit/roughDate";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { Checkbox } from "../../kit/ui/Choice";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
import { Field, Input, Select } from "../../kit/ui/Field";
import { toast } from "../../kit/ui/toast";
import { useAttempt } from "../attempt";
import { refusalText } from "../books/AlreadyReading";
import { type Again, useReadAgain } from "./api";
import css from "./Book.module.css";
import { type EditionForm, type EditionRefusals, editionForm, editionInWords, editionPayload } from "./edition";

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
  const [isSame, setSame] = useState(true);
  const [edition, setEdition] = useState(() => editionForm(read));
  const [refused, setRefused] = useState<EditionRefusals>({});
  const { mutateAsync, error, isPending } = useReadAgain(read.id);
  // Pressing the button again after a failure begins no second read.
  const { attempt } = useAttempt<Again>();
  const refusals: Partial<Record<keyof Again, string>> = { ...fieldsOf(error), ...refused };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const checked = isSame ? { edition: {} } : editionPayload(edition, read);
    setRefused("refusals" in checked ? checked.refusals : {});
    if ("refusals" in checked) return;
    try {
      await mutateAsync(attempt({ startDate: startDate || today, format, ...checked.edition }));
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
        {error && Object.keys(refusals).length === 0 && <Alert>{refusalText(error, onClose)}</Alert>}
        <div className={css.pair}>
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
        </div>
        <Checkbox checked={isSame} onChange={(event) => setSame(event.target.checked)}>
          The same edition as last time <span className="hint">{editionInWords(read)}</span>
        </Checkbox>
        {!isSame && (
          <EditionFields
            form={edition}
            isAudio={format === "Audio"}
            refusals={refusals}
            onType={(typed) => setEdition((before) => ({ ...before, ...typed }))}
          />
        )}
      </form>
    </Dialog>
  );
}

interface EditionFieldsProps {
  form: EditionForm;
  isAudio: boolean;
  refusals: EditionRefusals;
  onType: (typed: Partial<EditionForm>) => void;
}

/** What differs from one edition to another. */
function EditionFields({ form, isAudio, refusals, onType }: EditionFieldsProps) {
  const field = (name: keyof EditionForm) => ({
    className: "num",
    autoComplete: "off",
    value: form[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => onType({ [name]: event.target.value }),
  });
  return (
    <>
      <div className={css.pair}>
        <Field label="Word Count" error={refusals.wordCount}>
          <Input inputMode="numeric" suffix="words" {...field("wordCount")} />
        </Field>
        <Field label="Pages" error={refusals.pages}>
          <Input inputMode="numeric" {...field("pages")} />
        </Field>
      </div>
      {isAudio && (
        <Field label="Length" error={refusals.minutes}>
          <Input placeholder="12:30" suffix="h:mm" {...field("minutes")} />
        </Field>
      )}
      <Field label="ISBN" error={refusals.isbn}>
        <Input {...field("isbn")} />
      </Field>
    </>
  );
}
