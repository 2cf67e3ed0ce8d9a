import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { keyOf } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import { upload } from "../kit/api/upload";
import { toast } from "../kit/ui/toast";
import { useIsShown } from "../kit/ui/useIsShown";
import { libraryChanged } from "../library/books/api";
import { type ChosenFile, isRefused, useSending } from "../library/import/api";
import { type Columns, fileText } from "./fileModel";

const PATH = "/api/reading/import";

function formOf(file: ChosenFile, columns: Columns): FormData {
  const form = new FormData();
  if (columns.size > 0) form.append("columnMap", JSON.stringify(Object.fromEntries(columns)));
  form.append("file", file.content);
  return form;
}

/** What a file from a device would bring. The former answer stays while columns are chosen. */
export const filePreviewQuery = (file: ChosenFile, columns: Columns) =>
  queryOptions({
    queryKey: keys.importPreview(file.id, "reading", [...columns]),
    queryFn: ({ signal }) => upload(PATH, formOf(file, columns), { query: { dryRun: true }, signal, key: keyOf(file) }),
    placeholderData: keepPreviousData,
    retry: (failures, error) => failures < 1 && !isRefused(error),
  });

/** Takes over what a file from a device says. A notice tells a reader who has moved on to another page how it ended. */
export function useImportReading() {
  const client = useQueryClient();
  const isShown = useIsShown();
  return useSending({
    send: ({ file, columns }: { file: ChosenFile; columns: Columns }, sending) =>
      upload(PATH, formOf(file, columns), sending),
    onSuccess: (report) => {
      libraryChanged(client);
      if (!isShown.current) toast({ title: "Taken over", description: fileText(report) });
    },
  });
}
