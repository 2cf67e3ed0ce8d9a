import { useMutation } from "@tanstack/react-query";
import { errorMessage, fieldsOf } from "../kit/api/client";
import type { BackupFolder as Found } from "../kit/api/types";
import { sizeOf } from "../kit/size";
import { Button } from "../kit/ui/Button";
import { Field, Input } from "../kit/ui/Field";
import css from "./BackupFolder.module.css";

interface BackupFolderProps {
  label: string;
  hint: string;
  error: string | undefined;
  placeholder: string;
  value: string;
  disabled?: boolean;
  /** How many backups stay in the folder. */
  keep: number;
  /** Asks the server about the folder; undefined while it can't be asked. */
  check: ((to: string) => Promise<Found>) | undefined;
  /** The sentence for an error that is not about the folder. */
  explain?: (error: unknown) => string | undefined;
  onType: (to: string) => void;
}

/** The folder for backups, and a button that asks the server whether it can write there and how much room there is. */
export function BackupFolder({ check, explain, keep, onType, hint, error, ...field }: BackupFolderProps) {
  const to = field.value.trim();
  const asked = useMutation({
    mutationFn: (folder: string) => (check ? check(folder) : Promise.reject(new Error("no one to ask"))),
    retry: false,
  });
  // An answer is about the folder that was asked about.
  const isAnswered = asked.variables === to;
  const refused =
    isAnswered && asked.isError
      ? (fieldsOf(asked.error).to ?? explain?.(asked.error) ?? errorMessage(asked.error, "The folder was not checked."))
      : undefined;
  return (
    <Field
      label={field.label}
      error={error ?? refused}
      hint={
        <>
          {hint} <span role="status">{isAnswered && asked.data ? room(asked.data, keep) : ""}</span>
        </>
      }
    >
      <div className={css.row}>
        <Input
          spellCheck={false}
          autoComplete="off"
          placeholder={field.placeholder}
          value={field.value}
          disabled={field.disabled}
          onChange={(event) => onType(event.target.value)}
        />
        <Button
          icon="check"
          disabled={field.disabled || to === "" || !check}
          busy={asked.isPending && "Checking..."}
          onClick={() => asked.mutate(to)}
        >
          Check
        </Button>
      </div>
    </Field>
  );
}

function room({ isMissing, freeBytes, databaseBytes }: Found, keep: number): string {
  const fit = databaseBytes > 0 ? Math.floor(freeBytes / databaseBytes) : keep;
  const free = `${sizeOf(freeBytes)} free`;
  const many = fit >= keep ? "There is room for them" : `There is room for ${fit} of them`;
  return `${many}: ${free}.${isMissing ? " The server makes the folder." : ""}`;
}
