import { Fragment } from "react";
import type { Undone } from "../../../kit/api/types";
import { Alert } from "../../../kit/ui/Alert";
import { undoneText } from "./model";

/** What an undo did, with the books that stay as they are. `before`: the operation was undone elsewhere. */
export function UndoneReport({ undone }: { undone: Undone | "before" }) {
  if (undone === "before") return <Alert>This was already undone in another window.</Alert>;
  return (
    <Alert kind="ok">
      <strong>Undone</strong>
      {undoneText(undone)}
      {undone.kept.map(({ id, title }, at) => (
        <Fragment key={`${id} ${title}`}>
          {at > 0 && ", "}
          <span className="serif" dir="auto">
            {title}
          </span>
        </Fragment>
      ))}
    </Alert>
  );
}
