import { useMutation, useQuery } from "@tanstack/react-query";
import { useSubscription } from "../access/subscription";
import { errorMessage } from "../kit/api/client";
import { download } from "../kit/download";
import { counted, today } from "../kit/format";
import { Block } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { Setting, Settings } from "../kit/ui/Settings";
import { toast } from "../kit/ui/toast";
import { tbrQuery } from "../library/tbr/api";

/** The exports of the reader's data. */
export function YourData() {
  const { data: current } = useSubscription();
  const { data: items } = useQuery({ ...tbrQuery, select: ({ data }) => data.length });
  const books = current?.limits.bookCount;
  return (
    <Block title="Your data">
      <Settings>
        <Setting
          name="Books"
          hint={`${books === undefined ? "Your books" : `All ${counted(books, "book")}`} with every field, as CSV. Import reads it back without loss.`}
        >
          <Export
            path="/api/account/export/books.csv"
            file={`shelfwise-books-${today()}.csv`}
            nothing={books === 0 && "You don't have any books to export"}
          >
            Export data
          </Export>
        </Setting>
        <Setting
          name="To-be-read list"
          hint={`${items === undefined ? "Your list" : counted(items, "item")} in your order, as CSV.`}
        >
          <Export
            path="/api/account/export/tbr.csv"
            file={`shelfwise-tbr-${today()}.csv`}
            nothing={items === 0 && "You don't have any TBR items to export"}
          >
            Export TBR
          </Export>
        </Setting>
        <Setting
          name="Everything"
          hint="A zip with books, days, goals, TBR, covers, preferences and profile, and the original rows of what you imported."
        >
          <Export path="/api/account/export" file={`shelfwise-export-${today()}.zip`}>
            Complete export
          </Export>
        </Setting>
      </Settings>
    </Block>
  );
}

interface ExportProps {
  path: string;
  /** The file name to use when the server sends none. */
  file: string;
  /** The reason why there is nothing to export. */
  nothing?: string | false;
  /** The name of the button, where its text alone does not say what it downloads. */
  label?: string;
  children: string;
}

/** A button that downloads one of our own files. */
export function Export({ path, file, nothing, label, children }: ExportProps) {
  const fetching = useMutation({ mutationFn: () => download(path, file, { forSpreadsheets: path.endsWith(".csv") }) });
  const start = () => {
    if (nothing) {
      toast({ title: "No data", description: nothing, destructive: true });
      return;
    }
    fetching.mutate(undefined, {
      onSuccess: () => toast({ title: "Your data has been exported" }),
      onError: (error) =>
        toast({ title: "Export failed", description: errorMessage(error, "Failed to export"), destructive: true }),
    });
  };
  return (
    <Button
      size="compact"
      icon="download"
      aria-label={label}
      onClick={start}
      busy={fetching.isPending && "Exporting..."}
    >
      {children}
    </Button>
  );
}
