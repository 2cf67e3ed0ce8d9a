import { type SubmitEvent, useId, useState } from "react";
import { useDraft } from "../../access/drafts";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import type { TbrItem } from "../../kit/api/types";
import { changesOf } from "../../kit/rebase";
import { Button } from "../../kit/ui/Button";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
import { RestoredNote } from "../../kit/ui/RestoredNote";
import { toast } from "../../kit/ui/toast";
import { useIsShown } from "../../kit/ui/useIsShown";
import { useUpdateItem } from "./api";
import { formOfItem, refusalsOfItem, toItemChange } from "./model";
import { TbrFields } from "./TbrFields";

/**
 * Changes an item of the list. Closed without Cancel, it keeps what was typed for the next time. Render it only while an
 * item is edited, so that it starts with the stored values.
 */
export function EditItemDialog({ item, onClose }: { item: TbrItem; onClose: () => void }) {
  const id = useId();
  const stored = formOfItem(item);
  const draft = useDraft(`tbr.${item.id}`, stored);
  const form = draft.values;
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const updateItem = useUpdateItem(item.id);
  const isShown = useIsShown();

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const refusals = refusalsOfItem(form);
    setRefused(refusals);
    if (Object.keys(refusals).length > 0) return;
    try {
      // Awaited instead of using the mutation's callbacks, which are not called when the dialog is closed before the answer.
      await updateItem.mutateAsync(changesOf(toItemChange(stored), toItemChange(form)));
    } catch (error) {
      setRefused(fieldsOf(error));
      const description = errorMessage(error, "Please try again.");
      toast({ title: "Failed to update TBR book", description, destructive: true });
      return;
    }
    draft.forget();
    toast({ title: "TBR book updated" });
    if (isShown.current) onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Edit TBR item"
      foot={
        <>
          <DialogClose>
            <Button onClick={draft.startOver}>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" busy={updateItem.isPending && "Saving..."}>
            Save
          </Button>
        </>
      }
    >
      <form className="form" id={id} noValidate onSubmit={submit}>
        {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
        <TbrFields item={form} refused={refused} onChange={draft.change} all />
      </form>
    </Dialog>
  );
}
