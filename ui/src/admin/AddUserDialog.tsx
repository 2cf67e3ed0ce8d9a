import { useDraft } from "../access/drafts";
import { useSite } from "../access/site";
import { ADMIN_USER_CREATE } from "../kit/api/limits";
import type { Role } from "../kit/api/types";
import { Checkbox, ChoiceRows } from "../kit/ui/Choice";
import { CopyField } from "../kit/ui/CopyField";
import { Field, FieldGroup, Input } from "../kit/ui/Field";
import { FormDialog } from "../kit/ui/FormDialog";
import { useAddUser } from "./api";
import { newPassword } from "./model";

interface NewUser {
  displayName: string;
  email: string;
  role: Role;
  way: "link" | "password";
}

const NOBODY: NewUser = { displayName: "", email: "", role: "user", way: "link" };

/** Asks about a new account, and then shows the link or the password that opens it. Both are shown only once. */
export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const { data: site } = useSite();
  const add = useAddUser();
  const draft = useDraft("admin.user", NOBODY);
  const { displayName, email, role, way } = draft.values;
  const save = async () => {
    const password = way === "password" ? newPassword() : undefined;
    return { ...(await add.mutateAsync({ displayName, email, role, ...(password && { password }) })), password };
  };
  return (
    <FormDialog
      title="Add someone"
      text="They get an account on this server, even while no one can sign up."
      label="Add"
      busy="Adding..."
      action={save}
      made={(made) => ({
        title: `An account for ${made.user.displayName}`,
        text: made.url
          ? "Send them this link, which is shown only now. It sets their password, once, within seven days."
          : "Tell them this password, which is shown only now. They can change it under Account.",
        children: made.url ? (
          <CopyField label="Link" value={made.url} hint={site?.mail && "We have sent it by mail as well."} />
        ) : (
          <CopyField label="Password" value={made.password ?? ""} />
        ),
      })}
      failed="The account could not be made."
      draft={draft}
      noValidate
      onClose={onClose}
    >
      <Field label="Display name" name="displayName">
        <Input
          autoComplete="off"
          maxLength={ADMIN_USER_CREATE.displayName.maxLength}
          required
          value={displayName}
          onChange={(event) => draft.change({ displayName: event.target.value })}
        />
      </Field>
      <Field label="Email" name="email">
        <Input
          type="email"
          autoComplete="off"
          maxLength={ADMIN_USER_CREATE.email.maxLength}
          required
          value={email}
          onChange={(event) => draft.change({ email: event.target.value })}
        />
      </Field>
      <FieldGroup label="How they get in" name="password">
        <ChoiceRows
          name="way"
          value={way}
          onChoose={(chosen) => draft.change({ way: chosen })}
          rows={[
            { value: "link", label: "A link with which they choose a password" },
            { value: "password", label: "A password that is made now" },
          ]}
        />
      </FieldGroup>
      <Checkbox
        checked={role === "admin"}
        onChange={(event) => draft.change({ role: event.target.checked ? "admin" : "user" })}
      >
        Operator of this server, too
      </Checkbox>
    </FormDialog>
  );
}
