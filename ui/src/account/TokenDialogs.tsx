import { useState } from "react";
import { fieldsOf } from "../kit/api/client";
import type { MadeApiToken, TokenAccess } from "../kit/api/types";
import { Button } from "../kit/ui/Button";
import { CopyField } from "../kit/ui/CopyField";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Field, FieldGroup, Input } from "../kit/ui/Field";
import { SegmentedControl } from "../kit/ui/SegmentedControl";
import { ChangeDialog } from "./ProfileDialogs";
import { useMakeToken } from "./tokens";

const KINDS: readonly { value: TokenAccess; label: string }[] = [
  { value: "read", label: "Read" },
  { value: "read-write", label: "Read and write" },
];

interface NewTokenDialogProps {
  onMade: (made: MadeApiToken) => void;
  onClose: () => void;
}

export function NewTokenDialog({ onMade, onClose }: NewTokenDialogProps) {
  const [name, setName] = useState("");
  const [access, setAccess] = useState<TokenAccess>("read");
  const { mutate, error, isPending } = useMakeToken();
  const told = fieldsOf(error);
  return (
    <ChangeDialog
      title="New token"
      text="It is shown once, when it is made."
      label="Make Token"
      busy={isPending}
      error={error}
      fields={["name", "access"]}
      onSubmit={() => mutate({ name, access }, { onSuccess: onMade })}
      onClose={onClose}
    >
      <Field label="Name" error={told.name}>
        <Input
          required
          autoComplete="off"
          maxLength={100}
          placeholder="What it is for"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <FieldGroup label="It may" error={told.access}>
        <SegmentedControl label="It may" name="access" fill options={KINDS} value={access} onChoose={setAccess} />
      </FieldGroup>
    </ChangeDialog>
  );
}

/** The one time that a token can be read. */
export function SecretDialog({ made, onClose }: { made: MadeApiToken; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={made.token.name}
      text="Copy the token now. It is not kept and can’t be shown again."
      foot={
        <DialogClose>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <CopyField label="Token" value={made.secret} />
    </Dialog>
  );
}
