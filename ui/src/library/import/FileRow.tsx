import type { ReactNode } from "react";
import { IconButton } from "../../kit/ui/Button";
import { Icon } from "../../kit/ui/Icon";
import css from "./Import.module.css";

interface FileRowProps {
  name: string;
  /** What it was recognised as, or its size. */
  hint: ReactNode;
  /** It can't be imported. */
  bad?: boolean;
  /** Without it the file can't be put away, as while it is being sent. */
  onRemove?: () => void;
}

/** The chosen file. */
export function FileRow({ name, hint, bad, onRemove }: FileRowProps) {
  return (
    <div className={css.file} data-bad={bad || undefined}>
      <Icon name={bad ? "alert" : "file"} />
      <div className={css.fileText}>
        <p className="label">{name}</p>
        <div className="hint" role="status">
          {hint}
        </div>
      </div>
      {onRemove && <IconButton icon="x" label="Remove file" onClick={onRemove} />}
    </div>
  );
}
