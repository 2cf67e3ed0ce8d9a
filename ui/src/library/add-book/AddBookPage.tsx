import { useSearchParams } from "wouter";
import { paths } from "../../kit/paths";
import { Page } from "../../kit/ui/Page";
import { Tabs } from "../../kit/ui/Tabs";
import { readShared } from "../tbr/shared";
import css from "./AddBook.module.css";
import { AddToTbrTab } from "./AddToTbrTab";
import { EditTab } from "./EditTab";
import { ReadTab } from "./ReadTab";

const TABS = [
  { id: "read", label: "Add Read Book", href: paths.addBook(), title: "Add Book", Tab: ReadTab },
  { id: "tbr", label: "Add to TBR", href: paths.addToTbr(), title: "Add to TBR", Tab: AddToTbrTab },
  { id: "edit", label: "Edit Book", href: paths.editBook(), title: "Edit Book", Tab: EditTab },
] as const;

/** Three tabs: a finished or current book, an item for the to-be-read list, and editing. The address selects one. */
export default function AddBookPage() {
  const [parameters] = useSearchParams();
  // A share sheet can't name the tab: it writes the whole query.
  const tab = parameters.get("tab") ?? (readShared(parameters) ? "tbr" : "read");
  const { id, title, Tab } = TABS.find((one) => one.id === tab) ?? TABS[0];
  return (
    <Page title={title}>
      <div className="page-head">
        <h1 className="h1">{title}</h1>
      </div>
      <Tabs label="Add or edit" tabs={TABS} current={id} className={css.panel}>
        <Tab />
      </Tabs>
    </Page>
  );
}
