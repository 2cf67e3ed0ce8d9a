import { useDraft } from "../access/drafts";
import { fieldsOf } from "../kit/api/client";
import { API_TOKEN_CREATE } from "../kit/api/limits";
import type { MadeApiToken, TokenAccess } from "../kit/api/types";
import { Button } from "../kit/ui/Button";
import { CopyField } from "../kit/ui/CopyField";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Field, FieldGroup, Input, Select } from "../kit/ui/Field";
import { SegmentedControl } from "../kit/ui/SegmentedControl";
import { ChangeDialog } from "./ProfileDialogs";
import { useMakeToken } from "./tokens";

const KINDS: readonly { value: TokenAccess; label: string }[] = [
  { value: "read", label: "Read" },
  { value: "read-write", label: "Read and write" },
];

const ENDS = [
  { value: "30", label: "After 30 days" },
  { value: "90", label: "After 90 days" },
  { value: "365", label: "After 365 days" },
  { value: "none", label: "No end" },
] as const;
const DAYS = { 30: 30, 90: 90, 365: 365, none: null } as const;

interface NewToken {
  name: string;
  access: TokenAccess;
  end: (typeof ENDS)[number]["value"];
}

const NEW_TOKEN: NewToken = { name: "", access: "read", end: "none" };

interface NewTokenDialogProps {
  onMade: (made: MadeApiToken) => void;
  onClose: () => void;
}

export function NewTokenDialog({ onMade, onClose }: NewTokenDialogProps) {
  const draft = useDraft("account.token", NEW_TOKEN);
  const { name, access, end } = draft.values;
  const { mutate, error, isPending } = useMakeToken();
  const refused = fieldsOf(error);
  const submit = () =>
    mutate(
      { name, access, expiresInDays: DAYS[end] },
      {
        onSuccess: (made) => {
          draft.forget();
          onMade(made);
        },
      },
    );
  return (
    <ChangeDialog
      title="New token"
      text="It is shown once, when it is made."
      label="Create token"
      busy={isPending}
      error={error}
      fields={["name", "access", "expiresInDays"]}
      draft={draft}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={refused.name}>
        <Input
          required
          autoComplete="off"
          maxLength={API_TOKEN_CREATE.name.maxLength}
          placeholder="What it is for"
          value={name}
          onChange={(event) => draft.change({ name: event.target.value })}
        />
      </Field>
      <FieldGroup label="It may" error={refused.access}>
        <SegmentedControl
          label="It may"
          name="access"
          fill
          options={KINDS}
          value={access}
          onChoose={(chosen) => draft.change({ access: chosen })}
        />
      </FieldGroup>
      <Field label="It ends" error={refused.expiresInDays}>
        <Select options={ENDS} value={end} onChoose={(chosen) => draft.change({ end: chosen })} />
      </Field>
    </ChangeDialog>
  );
}

/** Shows the secret of a new token, which can be read only once. */
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
