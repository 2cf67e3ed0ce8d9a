import { useMutation } from "@tanstack/react-query";
import { errorMessage } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
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
  const { mutate, isPending, error } = useMutation({ mutationFn: () => cover.save(read.id) });
  const done = () => {
    toast({ title: "Cover saved" });
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={read.cover ? "Change the cover" : "Add a cover"}
      foot={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant="primary"
            busy={isPending && "Saving..."}
            disabled={!cover.isChanged || cover.isBusy}
            onClick={() => mutate(undefined, { onSuccess: done })}
          >
            Save
          </Button>
        </>
      }
    >
      <fieldset className="form" disabled={isPending}>
        {error && <Alert>{errorMessage(error, "The cover could not be saved. Please try again.")}</Alert>}
        <CoverPicker title={read.title} cover={cover} />
      </fieldset>
    </Dialog>
  );
}
