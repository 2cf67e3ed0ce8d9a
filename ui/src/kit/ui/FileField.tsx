import { type DragEvent, type ReactNode, useId, useState } from "react";
import { IconButton } from "./Button";
import css from "./FileField.module.css";
import { Icon, type IconName } from "./Icon";

interface DropFieldProps {
  icon: IconName;
  label: string;
  hint: ReactNode;
  /** The file name extensions that the browser's picker offers: ".csv,.tsv". A dropped file may have any. */
  accept: string;
  /** Undefined when something other than a file was dropped. */
  onFile: (file: File | undefined) => void;
  /** One row high, above a form that also works without a file. */
  low?: boolean;
}

/** An area that accepts a dropped file. It is also the button that opens the browser's file picker. */
export function DropField({ icon, label, hint, accept, onFile, low }: DropFieldProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  return (
    <label
      className={css.drop}
      data-low={low || undefined}
      data-over={over || undefined}
      onDragOver={drag}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name={icon} />
      <span className={css.asked}>
        <span className="label" id={`${id}-label`}>
          {label}
        </span>
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      </span>
      <input
        className="vh"
        type="file"
        accept={accept}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file can be chosen again, for example after it was removed.
          target.value = "";
          // Without a file, the reader has cancelled the file picker.
          if (file) onFile(file);
        }}
      />
      <span className={css.choose} aria-hidden="true">
        Choose file
      </span>
    </label>
  );
}

interface FileRowProps {
  icon?: IconName;
  name: string;
  /** The recognised format, the size, or the progress. */
  hint: ReactNode;
  /** Whether the file can't be used. */
  bad?: boolean;
  /** Without it the file can't be removed, for example while it is being sent. */
  onRemove?: () => void;
  removeLabel?: string;
}

/** The chosen file. */
export function FileRow({ icon = "file", name, hint, bad, onRemove, removeLabel = "Remove file" }: FileRowProps) {
  return (
    <div className={css.file} data-bad={bad || undefined}>
      <Icon name={bad ? "alert" : icon} />
      <div className={css.text}>
        <p className="label" dir="auto">
          {name}
        </p>
        <div className="hint" role="status">
          {hint}
        </div>
      </div>
      {onRemove && <IconButton icon="x" label={removeLabel} onClick={onRemove} />}
    </div>
  );
}
