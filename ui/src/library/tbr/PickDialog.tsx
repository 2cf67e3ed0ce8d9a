import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { counted } from "../../kit/format";
import { openPage } from "../../kit/origin";
import { paths } from "../../kit/paths";
import { Button } from "../../kit/ui/Button";
import { DialogItem } from "../../kit/ui/Dialog";
import { Fetched } from "../../kit/ui/Fetched";
import { Field, Select } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { wordsOf } from "../books/tbrItem";
import { pickQuery, useStartItem } from "./api";
import css from "./Tbr.module.css";

const LENGTHS = [
  { value: "any", label: "Any length" },
  { value: "50000", label: "Up to 50,000 words" },
  { value: "100000", label: "Up to 100,000 words" },
  { value: "200000", label: "Up to 200,000 words" },
] as const;

/** Picks a book of the list, which can be started at once. */
export function PickDialog({ onClose }: { onClose: () => void }) {
  const [length, setLength] = useState<(typeof LENGTHS)[number]["value"]>("any");
  const pick = useQuery(pickQuery(length === "any" ? null : Number(length)));
  const start = useStartItem();
  const item = pick.data ?? null;
  const words = item && wordsOf(item);
  return (
    <FormDialog
      title="Pick for me"
      label="Start reading"
      busy="Starting..."
      // A book needs an author, and the form asks for one.
      action={async () => (item?.author ? (await start.mutateAsync(item)).book.id : null)}
      onDone={(bookId) => {
        onClose();
        if (bookId !== null) openPage(paths.book(bookId));
        else if (item) openPage(paths.addBook({ tbr: item.id, status: "in-progress" }));
      }}
      disabled={item === null || pick.isFetching}
      foot={(isRunning) => (
        <Button variant="quiet" disabled={isRunning || item === null || pick.isFetching} onClick={() => pick.refetch()}>
          Another
        </Button>
      )}
      onClose={onClose}
    >
      <Field label="Length">
        <Select options={LENGTHS} value={length} onChoose={setLength} />
      </Field>
      <div aria-live="polite">
        <Fetched query={pick} waiting="Looking through your list" failed="No book could be picked.">
          {(picked) =>
            picked ? (
              <DialogItem>
                <div>
                  <p className={css.title} dir="auto">
                    {picked.title}
                  </p>
                  <p className="hint">
                    {picked.author && <bdi dir="auto">{picked.author}</bdi>}
                    {picked.author && words !== null && ", "}
                    {words !== null && counted(words, "word")}
                  </p>
                </div>
              </DialogItem>
            ) : (
              <p className="aside-text">No book of that length is on your list.</p>
            )
          }
        </Fetched>
      </div>
    </FormDialog>
  );
}
