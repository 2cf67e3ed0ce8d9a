import { DropField } from "../../kit/ui/FileField";
import { ImportButtons } from "./ImportButtons";
import { NO_FILE } from "./texts";

interface FilePickerProps {
  /** Undefined when something other than a file was dropped. */
  onChoose: (file: File | undefined) => void;
}

/** The first step: choosing a file. */
export function FilePicker({ onChoose }: FilePickerProps) {
  return (
    <section aria-label="File">
      <DropField
        icon="upload"
        label="Drop a CSV file here, or choose one"
        hint=".csv (or .tsv, .json, .zip), up to 20 MB and 100,000 rows"
        accept=".csv,.tsv,.txt,.json,.zip"
        onFile={onChoose}
      />
      <ImportButtons disabled why={NO_FILE} />
    </section>
  );
}
