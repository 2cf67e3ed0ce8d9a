import { useState } from "react";
import { useDraft } from "../access/drafts";
import { DEVICE_CREATE } from "../kit/api/limits";
import type { Device, DeviceKind, MadeDevice } from "../kit/api/types";
import { ChoiceRows } from "../kit/ui/Choice";
import { CopyField } from "../kit/ui/CopyField";
import { AlertDialog, Dialog } from "../kit/ui/Dialog";
import { Field, FieldGroup, Input } from "../kit/ui/Field";
import { FormDialog } from "../kit/ui/FormDialog";
import { toast } from "../kit/ui/toast";
import { useChangeDevice, useMakeDevice, useTakeDeviceBack } from "./api";
import { KINDS, STEPS } from "./model";
import { Steps } from "./Steps";

interface DialogProps {
  device: Device;
  onClose: () => void;
}

/** What is typed into a device, shown once. */
function shownOnce(device: Device, login: { login: string; password: string; urls: MadeDevice["urls"] }) {
  return {
    title: device.name,
    text: "Type these into the device now. The password is not kept and can’t be shown again.",
    children: (
      <div className="form">
        <CopyField label="User name" value={login.login} />
        <CopyField label="Password" value={login.password} />
        <CopyField label="Progress sync" value={login.urls.kosync} />
        {device.kind === "koreader" && <CopyField label="Statistics, over WebDAV" value={login.urls.webdav} />}
        <h3 className="h3">The steps on the device</h3>
        <Steps steps={STEPS[device.kind]} />
      </div>
    ),
  };
}

/** Makes a login for a device, and then shows what to type into it. */
export function NewDeviceDialog({ onClose }: { onClose: () => void }) {
  const draft = useDraft<{ name: string; kind: DeviceKind }>("devices.new", { name: "", kind: "koreader" });
  const { name, kind } = draft.values;
  const { mutateAsync } = useMakeDevice();
  return (
    <FormDialog
      title="New device"
      text="It gets a login of its own, good for nothing but reporting what is read."
      label="Create login"
      busy="Creating..."
      action={() => mutateAsync({ name, kind })}
      made={(made) => shownOnce(made.device, made)}
      draft={draft}
      onClose={onClose}
    >
      <Field label="Name" name="name">
        <Input
          required
          autoComplete="off"
          maxLength={DEVICE_CREATE.name.maxLength}
          placeholder="Kobo Libra"
          value={name}
          onChange={(event) => draft.change({ name: event.target.value })}
        />
      </Field>
      <FieldGroup label="What reports" name="kind">
        <ChoiceRows name="kind" value={kind} onChoose={(chosen) => draft.change({ kind: chosen })} rows={KINDS} />
      </FieldGroup>
    </FormDialog>
  );
}

export function RenameDialog({ device, onClose }: DialogProps) {
  const [name, setName] = useState(device.name);
  const { mutateAsync } = useChangeDevice();
  return (
    <FormDialog
      title="Rename the device"
      label="Save"
      action={() => mutateAsync({ id: device.id, name })}
      onClose={onClose}
    >
      <Field label="Name" name="name">
        <Input
          required
          autoComplete="off"
          maxLength={DEVICE_CREATE.name.maxLength}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

export function NewPasswordDialog({ device, onClose }: DialogProps) {
  const { mutateAsync } = useChangeDevice();
  return (
    <FormDialog
      title={`A new password for ${device.name}?`}
      text="The old one stops working at once."
      label="New password"
      busy="Creating..."
      action={() => mutateAsync({ id: device.id, newPassword: true })}
      made={(made) => shownOnce(made.device, { login: device.login, password: made.password ?? "", urls: made.urls })}
      onClose={onClose}
    >
      {null}
    </FormDialog>
  );
}

export function StepsDialog({ device, onClose }: DialogProps) {
  return (
    <Dialog title={device.name} onClose={onClose}>
      <Steps steps={STEPS[device.kind]} />
    </Dialog>
  );
}

export function TakeBackDialog({ device, onClose }: DialogProps) {
  const { mutateAsync } = useTakeDeviceBack();
  const takeBack = async () => {
    await mutateAsync(device.id);
    toast({ title: "Login taken back" });
  };
  return (
    <AlertDialog
      onClose={onClose}
      title="Take this login back?"
      text={`${device.name} can’t report any more. What it has reported stays.`}
      cancel="Keep it"
      confirm="Take it back"
      busy="Taking it back..."
      action={takeBack}
      failed="Please try again."
    />
  );
}
