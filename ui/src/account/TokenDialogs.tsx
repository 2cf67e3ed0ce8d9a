import { useDraft } from "../access/drafts";
import { API_TOKEN_CREATE } from "../kit/api/limits";
import type { TokenAccess } from "../kit/api/types";
import { CopyField } from "../kit/ui/CopyField";
import { Field, FieldGroup, Input, Select } from "../kit/ui/Field";
import { FormDialog } from "../kit/ui/FormDialog";
import { SegmentedControl } from "../kit/ui/SegmentedControl";
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

/** Makes a token, and then shows its secret, which can be read only once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const draft = useDraft("account.token", NEW_TOKEN);
  const { name, access, end } = draft.values;
  const { mutateAsync } = useMakeToken();
  return (
    <FormDialog
      title="Create a token"
      text="It is shown once, when it is made."
      label="Create token"
      action={() => mutateAsync({ name, access, expiresInDays: DAYS[end] })}
      made={(made) => ({
        title: made.token.name,
        text: "Copy the token now. It is not kept and can’t be shown again.",
        children: <CopyField label="Token" value={made.secret} />,
      })}
      failed="Failed to save"
      draft={draft}
      onClose={onClose}
    >
      <Field label="Name" name="name">
        <Input
          required
          autoComplete="off"
          maxLength={API_TOKEN_CREATE.name.maxLength}
          placeholder="What it is for"
          value={name}
          onChange={(event) => draft.change({ name: event.target.value })}
        />
      </Field>
      <FieldGroup label="It may" name="access">
        <SegmentedControl
          label="It may"
          name="access"
          fill
          options={KINDS}
          value={access}
          onChoose={(chosen) => draft.change({ access: chosen })}
        />
      </FieldGroup>
      <Field label="It ends" name="expiresInDays">
        <Select options={ENDS} value={end} onChoose={(chosen) => draft.change({ end: chosen })} />
      </Field>
    </FormDialog>
  );
}
