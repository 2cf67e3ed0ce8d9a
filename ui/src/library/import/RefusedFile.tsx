import { sizeOf } from "../../kit/size";
import { Alert } from "../../kit/ui/Alert";
import { FileRow } from "../../kit/ui/FileField";
import css from "./Import.module.css";
import { ImportButtons } from "./ImportButtons";

interface RefusedFileProps {
  name: string;
  /** Size in bytes. */
  size: number;
  /** The reason why nothing of the file can be imported. */
  sentence: string;
  onRemove: () => void;
}

/** A file that is not a CSV file, or that is too large. */
export function RefusedFile({ name, size, sentence, onRemove }: RefusedFileProps) {
  return (
    <section className={css.result} aria-label="File">
      <Alert>
        <strong>Import failed</strong>
        {sentence}
      </Alert>
      <FileRow name={name} hint={sizeOf(size)} bad onRemove={onRemove} />
      <ImportButtons disabled />
    </section>
  );
}
