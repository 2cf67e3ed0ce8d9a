import type { Book } from "../../kit/api/types";
import { FormDialog } from "../../kit/ui/FormDialog";
import { toast } from "../../kit/ui/toast";
import { CoverPicker } from "./CoverPicker";
import { useCover } from "./useCover";

interface CoverDialogProps {
  read: Book;
  onClose: () => void;
}

/** Adds, changes or removes the cover of a read. */
export function CoverDialog({ read, onClose }: CoverDialogProps) {
  const cover = useCover(read);
  const save = async () => {
    await cover.save(read.id);
    toast({ title: "Cover saved" });
  };
  return (
    <FormDialog
      title={read.cover ? "Change the cover" : "Add a cover"}
      label="Save"
      action={save}
      failed="The cover could not be saved. Please try again."
      disabled={!cover.isChanged || cover.isBusy}
      onClose={onClose}
    >
      <CoverPicker title={read.title} cover={cover} />
    </FormDialog>
  );
}
