import { useMutation } from "@tanstack/react-query";
import { errorMessage } from "../../kit/api/client";
import { download } from "../../kit/download";
import { Button } from "../../kit/ui/Button";
import { toast } from "../../kit/ui/toast";

interface OwnFileProps {
  path: string;
  /** The file name to use when the server sends none. */
  file: string;
  /** The reason why there is nothing to export. */
  nothing?: string | false;
  variant?: "primary";
  size?: "compact";
  children: string;
}

/** A button that downloads one of our own files. */
export function OwnFile({ path, file, nothing, children, ...style }: OwnFileProps) {
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
    <Button {...style} icon="download" onClick={start} busy={fetching.isPending && "Exporting..."}>
      {children}
    </Button>
  );
}
