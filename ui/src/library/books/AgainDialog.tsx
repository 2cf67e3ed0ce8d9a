import { type ChangeEvent, useState } from "react";
import { DateField } from "../../access/date/DateField";
import { dayRefusal } from "../../access/date/typedDate";
import { InvalidFields } from "../../kit/api/client";
import type { Book, Format, Work } from "../../kit/api/types";
import { Checkbox } from "../../kit/ui/Choice";
import { Field, Input, Select } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { toast } from "../../kit/ui/toast";
import { FORMAT_WORDS, optionsOf, valuesOf } from "../../kit/words";
import { refusalText } from "./AlreadyReading";
import { useAttempt } from "./attempt";
import css from "./Dialogs.module.css";
import { type EditionForm, editionForm, editionInWords, editionPayload } from "./edition";
import { type Again, useReadAgain } from "./workQueries";

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
  const [startDate, setStart] = useState(today);
  const [format, setFormat] = useState<Format>(read.format);
  const [isSame, setSame] = useState(true);
  const [edition, setEdition] = useState(() => editionForm(read));
  const { mutateAsync } = useReadAgain(read.id);
  // Pressing the button again after a failure begins no second read.
  const { attempt } = useAttempt<Again>();
  const start = async () => {
    const checked = isSame ? { edition: {} } : editionPayload(edition, read);
    if ("refusals" in checked) throw new InvalidFields(checked.refusals);
    const refusal = dayRefusal(startDate);
    if (refusal) throw new InvalidFields({ startDate: refusal });
    await mutateAsync(attempt({ startDate: startDate || today, format, ...checked.edition }));
    toast({ title: "Started reading", description: work.title });
  };
  return (
    <FormDialog
      title={`Read “${work.title}” again`}
      text="Your earlier reads stay as they are. A new one begins, in progress."
      label="Start reading"
      busy="Starting..."
      action={start}
      onDone={onStarted}
      failed={(error) => refusalText(error, onClose)}
      noValidate
      onClose={onClose}
    >
      <div className={css.pair}>
        <DateField label="Started on" name="startDate" max={today} value={startDate} onChange={setStart} />
        <Field label="Format" name="format">
          <Select options={optionsOf(FORMAT_WORDS, valuesOf(FORMAT_WORDS))} value={format} onChoose={setFormat} />
        </Field>
      </div>
      <Checkbox checked={isSame} onChange={(event) => setSame(event.target.checked)}>
        The same edition as last time <span className="hint">{editionInWords(read)}</span>
      </Checkbox>
      {!isSame && (
        <EditionFields
          form={edition}
          isAudio={format === "Audio"}
          onType={(typed) => setEdition((before) => ({ ...before, ...typed }))}
        />
      )}
    </FormDialog>
  );
}

interface EditionFieldsProps {
  form: EditionForm;
  isAudio: boolean;
  onType: (typed: Partial<EditionForm>) => void;
}

/** What differs from one edition to another. */
function EditionFields({ form, isAudio, onType }: EditionFieldsProps) {
  const field = (name: keyof EditionForm) => ({
    className: "num",
    autoComplete: "off",
    value: form[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => onType({ [name]: event.target.value }),
  });
  return (
    <>
      <div className={css.pair}>
        <Field label="Word Count" name="wordCount">
          <Input inputMode="numeric" suffix="words" {...field("wordCount")} />
        </Field>
        <Field label="Pages" name="pages">
          <Input inputMode="numeric" {...field("pages")} />
        </Field>
      </div>
      {isAudio && (
        <Field label="Length" name="minutes">
          <Input placeholder="12:30" suffix="h:mm" {...field("minutes")} />
        </Field>
      )}
      <Field label="ISBN" name="isbn">
        <Input {...field("isbn")} />
      </Field>
    </>
  );
}
