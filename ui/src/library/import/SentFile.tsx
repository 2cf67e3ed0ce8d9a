import type { UseQueryResult } from "@tanstack/react-query";
import { serverMessage } from "../../kit/api/client";
import { sizeOf } from "../../kit/size";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { FileRow } from "../../kit/ui/FileField";
import { Spinner } from "../../kit/ui/Waiting";
import type { ChosenFile } from "./api";
import css from "./Import.module.css";

interface UnreadFileProps {
  file: ChosenFile;
  preview: Pick<UseQueryResult, "isError" | "error" | "refetch">;
  onRemove: () => void;
}

/** A file whose preview is not there: it is being read, or it could not be. */
export function UnreadFile({ file, preview: { isError, error, refetch }, onRemove }: UnreadFileProps) {
  return (
    <>
      {isError && <Alert>{serverMessage(error, "The file could not be read.")}</Alert>}
      <FileRow
        name={file.name}
        bad={isError}
        hint={isError ? sizeOf(file.size) : <Spinner>Reading the file</Spinner>}
        onRemove={onRemove}
      />
      {isError && (
        <div className={`form-foot ${css.actions}`}>
          <Button onClick={() => refetch()}>Try again</Button>
        </div>
      )}
    </>
  );
}

interface SendingFileProps {
  file: ChosenFile;
  sending: { progress: { sent: number; total: number }; cancel: () => void };
  /** What is being done with it. */
  children: string;
}

/** A file that is being sent. It can be canceled until all of it is sent. */
export function SendingFile({ file, sending: { progress, cancel }, children }: SendingFileProps) {
  const { sent, total } = progress;
  const isSent = total > 0 && sent >= total;
  return (
    <>
      <FileRow
        name={file.name}
        hint={<Spinner>{isSent || total === 0 ? children : `Sent: ${sizeOf(sent)} of ${sizeOf(total)}`}</Spinner>}
      />
      <div className={`form-foot ${css.actions}`}>
        <Button variant="primary" disabled>
          {children}...
        </Button>
        <Button variant="quiet" disabled={isSent} onClick={cancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}
