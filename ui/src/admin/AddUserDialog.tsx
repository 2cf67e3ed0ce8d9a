import { type SubmitEvent, useId } from "react";
import { type DraftedForm, useDraft } from "../access/drafts";
import { useSite } from "../access/site";
import { errorMessage, fieldsOf } from "../kit/api/client";
import { ADMIN_USER_CREATE } from "../kit/api/limits";
import type { Role } from "../kit/api/types";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { Checkbox, ChoiceRows } from "../kit/ui/Choice";
import { CopyField } from "../kit/ui/CopyField";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Field, FieldGroup, Input } from "../kit/ui/Field";
import { RestoredNote } from "../kit/ui/RestoredNote";
import { useFocusBack } from "../kit/ui/useFocusBack";
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
  const id = useId();
  const add = useAddUser();
  const draft = useDraft("admin.user", NOBODY);
  const parts = add.data
    ? {
        title: `An account for ${add.data.user.displayName}`,
        text: add.data.url
          ? "Send them this link, which is shown only now. It sets their password, once, within seven days."
          : "Tell them this password, which is shown only now. They can change it under Account.",
        children: <Opened {...{ url: add.data.url, password: add.variables?.password }} />,
        foot: (
          <DialogClose>
            <Button variant="primary">Done</Button>
          </DialogClose>
        ),
      }
    : {
        title: "Add somebody",
        text: "They get an account on this server, even while nobody can sign up.",
        children: <AddUserForm id={id} add={add} draft={draft} />,
        foot: (
          <>
            <DialogClose>
              <Button onClick={draft.startOver}>Cancel</Button>
            </DialogClose>
            <Button type="submit" form={id} variant="primary" busy={add.isPending && "Adding..."}>
              Add
            </Button>
          </>
        ),
      };
  return <Dialog open onOpenChange={(open) => open || onClose()} {...parts} />;
}

function Opened({ url, password }: { url: string | null; password: string | undefined }) {
  const { data: site } = useSite();
  if (url) return <CopyField label="Link" value={url} hint={site?.mail && "We have sent it by mail as well."} />;
  return <CopyField label="Password" value={password ?? ""} />;
}

interface AddUserFormProps {
  id: string;
  add: ReturnType<typeof useAddUser>;
  draft: DraftedForm<NewUser>;
}

function AddUserForm({ id, add, draft }: AddUserFormProps) {
  const { displayName, email, role, way } = draft.values;
  const form = useFocusBack(add.isError);
  const fields = fieldsOf(add.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const user = { displayName, email, role, ...(way === "password" ? { password: newPassword() } : {}) };
    add.mutate(user, { onSuccess: draft.forget });
  };
  return (
    <form id={id} ref={form} onSubmit={submit} noValidate>
      <fieldset className="form" disabled={add.isPending}>
        {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
        {add.isError && Object.keys(fields).length === 0 && (
          <Alert>{errorMessage(add.error, "The account could not be made.")}</Alert>
        )}
        <Field label="Display name" error={fields.displayName}>
          <Input
            autoComplete="off"
            maxLength={ADMIN_USER_CREATE.displayName.maxLength}
            required
            value={displayName}
            onChange={(event) => draft.change({ displayName: event.target.value })}
          />
        </Field>
        <Field label="Email" error={fields.email}>
          <Input
            type="email"
            autoComplete="off"
            maxLength={ADMIN_USER_CREATE.email.maxLength}
            required
            value={email}
            onChange={(event) => draft.change({ email: event.target.value })}
          />
        </Field>
        <FieldGroup label="How they get in" error={fields.password}>
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
      </fieldset>
    </form>
  );
}
