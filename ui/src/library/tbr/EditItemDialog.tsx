import { useDraft } from "../../access/drafts";
import { InvalidFields } from "../../kit/api/client";
import type { TbrItem } from "../../kit/api/types";
import { changesOf } from "../../kit/rebase";
import { FormDialog } from "../../kit/ui/FormDialog";
import { toast } from "../../kit/ui/toast";
import { formOfItem, refusalsOfItem, toItemChange } from "../books/tbrItem";
import { useUpdateItem } from "./api";
import { TbrFields } from "./TbrFields";

/**
 * Changes an item of the list. Closed without Cancel, it keeps what was typed for the next time. Render it only while an
 * item is edited, so that it starts with the stored values.
 */
export function EditItemDialog({ item, onClose }: { item: TbrItem; onClose: () => void }) {
  const stored = formOfItem(item);
  const draft = useDraft(`tbr.${item.id}`, stored);
  const form = draft.values;
  const { mutateAsync } = useUpdateItem(item.id);
  const save = async () => {
    const refusals = refusalsOfItem(form);
    if (Object.keys(refusals).length > 0) throw new InvalidFields(refusals);
    await mutateAsync(changesOf(toItemChange(stored), toItemChange(form)));
    toast({ title: "TBR book updated" });
  };
  return (
    <FormDialog
      title="Edit TBR item"
      label="Save"
      action={save}
      failedTitle="Failed to update TBR book"
      draft={draft}
      noValidate
      onClose={onClose}
    >
      <TbrFields item={form} onChange={draft.change} all />
    </FormDialog>
  );
}
