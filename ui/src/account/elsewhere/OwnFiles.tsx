import { today } from "../../kit/format";
import { Alert } from "../../kit/ui/Alert";
import { Item, Items } from "../../kit/ui/Items";
import { Export } from "../YourData";
import css from "./Elsewhere.module.css";

const FILES = [
  {
    icon: "download",
    title: "Complete export",
    hint: "A zip: books, days, goals, list, covers, preferences, and the rows of what you imported",
    label: "Download the complete export",
    path: "/api/account/export",
    name: "export",
    ending: "zip",
  },
  {
    icon: "file",
    title: "Books only",
    hint: "One CSV, a row for each read",
    label: "Download the books as CSV",
    path: "/api/account/export/books.csv",
    name: "books",
    ending: "csv",
  },
] as const;

/** Our own files, which hold everything. */
export function OwnFiles() {
  return (
    <div className={css.steps}>
      <Alert kind="ok">Everything fits. Import reads it back without loss, here or on another Shelfwise server.</Alert>
      <Items>
        {FILES.map(({ label, path, name, ending, ...item }) => (
          <Item
            key={path}
            {...item}
            action={
              <Export path={path} file={`shelfwise-${name}-${today()}.${ending}`} label={label}>
                Download
              </Export>
            }
          />
        ))}
      </Items>
    </div>
  );
}
