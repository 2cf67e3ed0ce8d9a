import { useQueryClient } from "@tanstack/react-query";
import type { SeriesEntry } from "../../kit/api/types";
import { navigate } from "../../kit/origin";
import { paths } from "../../kit/paths";
import { useChangeSeries } from "./api";
import { MergeDialog, RenameDialog } from "./NameDialogs";
import { toastWithUndo } from "./undoable";

interface SeriesDialogProps {
  name: string;
  /** The other series of the reader. */
  others: readonly SeriesEntry[];
  onClose: () => void;
}

/** Shows a series in place of this one. The way back stays. */
const show = (name: string) => navigate(paths.series(name), { replace: true, state: window.history.state });

const counts = (others: readonly SeriesEntry[]) => others.map(({ name, read, open }) => ({ name, books: read + open }));

const MERGED = "The series are merged";

/** Gives all books of a series another name of it, and shows it under that name. A name that exists already merges the two. */
export function RenameSeriesDialog({ name, others, onClose }: SeriesDialogProps) {
  const { mutateAsync } = useChangeSeries();
  const client = useQueryClient();
  return (
    <RenameDialog
      title="Rename the series"
      text="In all of its books."
      kind="series"
      verb="Save"
      others={counts(others)}
      onRename={async (newName, same) => {
        const { series, operationId: operation } = await mutateAsync({ name, newName });
        show(series.name);
        const title = same ? MERGED : "The series is renamed";
        toastWithUndo(client, { title, operation, onUndone: () => show(name) });
      }}
      {...{ name, onClose }}
    />
  );
}

/** Moves the books of another series into this one. */
export function MergeSeriesDialog({ name, others, onClose }: SeriesDialogProps) {
  const { mutateAsync } = useChangeSeries();
  const client = useQueryClient();
  return (
    <MergeDialog
      title="Merge with another series"
      text="All books move into this one, with their numbers. You can undo it."
      label="Series"
      none="You have one series so far."
      others={counts(others)}
      onMerge={async (other) => {
        const { operationId: operation } = await mutateAsync({ name: other, newName: name });
        toastWithUndo(client, { title: MERGED, operation });
      }}
      onClose={onClose}
    />
  );
}
