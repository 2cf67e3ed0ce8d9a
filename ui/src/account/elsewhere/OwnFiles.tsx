import { today } from "../../kit/format";
import { Alert } from "../../kit/ui/Alert";
import { Item, Items } from "../../kit/ui/Items";
import { Export } from "../YourData";
import css from "./Elsewhere.module.css";

/** Our own files, which hold everything. */
export function OwnFiles() {
  return (
    <div className={css.steps}>
      <Alert kind="ok">Everything fits. Import reads it back without loss, here or on another Shelfwise server.</Alert>
      <Items>
        <Item
          icon="download"
          title="Complete export"
          hint="A zip: books, days, goals, list, covers, preferences, and the rows of what you imported"
          action={
            <Export
              path="/api/account/export"
              file={`shelfwise-export-${today()}.zip`}
              label="Download the complete export"
            >
              Download
            </Export>
          }
        />
        <Item
          icon="file"
          title="Books only"
          hint="One CSV, a row for each read"
          action={
            <Export
              path="/api/account/export/books.csv"
              file={`shelfwise-books-${today()}.csv`}
              label="Download the books as CSV"
            >
              Download
            </Export>
          }
        />
      </Items>
    </div>
  );
}
