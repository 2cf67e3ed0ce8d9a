import { type SubmitEvent, useId, useState } from "react";
import { useSite } from "../access/site";
import { errorMessage, fieldsOf } from "../kit/api/client";
import type { Role } from "../kit/api/types";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { Checkbox, ChoiceRows } from "../kit/ui/Choice";
import { CopyField } from "../kit/ui/CopyField";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Field, FieldGroup, Input } from "../kit/ui/Field";
import { useFocusBack } from "../kit/ui/useFocusBack";
import { useAddUser } from "./api";
import { newPassword } from "./model";

type Way = "link" | "password";

/** Asks about a new account, and then shows the link or the password that opens it. Both are shown only once. */
export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const add = useAddUser();
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
        text: "They get an account on this server, also while nobody can sign up.",
        children: <AddUserForm id={id} add={add} />,
        foot: (
          <>
            <DialogClose>
              <Button>Cancel</Button>
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

function AddUserForm({ id, add }: { id: string; add: ReturnType<typeof useAddUser> }) {
  const [displayName, setDisplayName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("user");
  const [way, setWay] = useState<Way>("link");
  const form = useFocusBack(add.isError);
  const fields = fieldsOf(add.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    add.mutate({ displayName, email, role, ...(way === "password" ? { password: newPassword() } : {}) });
  };
  return (
    <form id={id} ref={form} onSubmit={submit} noValidate>
      <fieldset className="form" disabled={add.isPending}>
        {add.isError && Object.keys(fields).length === 0 && (
          <Alert>{errorMessage(add.error, "The account could not be made.")}</Alert>
        )}
        <Field label="Display name" error={fields.displayName}>
          <Input
            autoComplete="off"
            maxLength={100}
            required
            value={displayName}
            onChange={(event) => setDisplayName(event.target.value)}
          />
        </Field>
        <Field label="Email" error={fields.email}>
          <Input
            type="email"
            autoComplete="off"
            maxLength={254}
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <FieldGroup label="How they get in" error={fields.password}>
          <ChoiceRows
            name="way"
            value={way}
            onChoose={setWay}
            rows={[
              { value: "link", label: "A link with which they choose a password" },
              { value: "password", label: "A password that is made now" },
            ]}
          />
        </FieldGroup>
        <Checkbox checked={role === "admin"} onChange={(event) => setRole(event.target.checked ? "admin" : "user")}>
          Operator of this server, too
        </Checkbox>
      </fieldset>
    </form>
  );
}
