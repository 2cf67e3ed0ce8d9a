import { type DragEvent, useState } from "react";
import { Icon } from "../../kit/ui/Icon";
import css from "./Import.module.css";
import { ImportButtons } from "./ImportButtons";
import { NO_FILE } from "./texts";

interface FilePickerProps {
  /** Undefined where something else than a file was dropped. */
  onChoose: (file: File | undefined) => void;
}

/** A place to drop a file on, which is also the button that opens the browser's own picker. */
export function FilePicker({ onChoose }: FilePickerProps) {
  const [over, setOver] = useState(false);

  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onChoose(event.dataTransfer.files[0]);
  };

  return (
    <section aria-label="File">
      <label
        className={css.drop}
        data-over={over || undefined}
        onDragOver={drag}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="upload" />
        <span className="label">Drop a CSV file here, or choose one</span>
        <span className="hint">.csv (or .tsv), up to 20 MB and 100,000 rows</span>
        <input
          className="vh"
          type="file"
          accept=".csv,.tsv,.txt"
          onChange={(event) => {
            // Without a file the browser's picker was cancelled.
            if (event.target.files?.[0]) onChoose(event.target.files[0]);
          }}
        />
        <span className={css.chooseFile} aria-hidden="true">
          Choose file
        </span>
      </label>
      <ImportButtons disabled why={NO_FILE} />
    </section>
  );
}
