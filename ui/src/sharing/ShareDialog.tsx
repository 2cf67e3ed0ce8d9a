import { type SubmitEvent, useId, useState } from "react";
import { usePreferences } from "../access/preferences";
import { errorMessage, fieldsOf } from "../kit/api/client";
import type { MadeShare, Share, SharePart } from "../kit/api/types";
import { dateOf, today as todayIn } from "../kit/format";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { CopyField } from "../kit/ui/CopyField";
import { Dialog, DialogClose, DialogItem } from "../kit/ui/Dialog";
import { Field, Input, Select } from "../kit/ui/Field";
import { Settings, SwitchSetting } from "../kit/ui/Settings";
import { toast } from "../kit/ui/toast";
import { type ShareChoice, useChangeShare, useMakeShare } from "./api";
import { type End, endOfDay, isEnded, lastDay, PARTS, periodName, shareName, visible } from "./model";

const ENDS: readonly { value: End; label: string }[] = [
  { value: "never", label: "Never, until I take it back" },
  { value: "week", label: "In a week" },
  { value: "month", label: "In a month" },
  { value: "day", label: "On a day" },
];

interface ShareDialogProps {
  period: string;
  onClose: () => void;
}

/** Makes the secret link of a year or a month, and shows its address once. */
export default function ShareDialog({ period, onClose }: ShareDialogProps) {
  const make = useMakeShare();
  const [made, setMade] = useState<MadeShare>();
  if (made) return <MadeDialog made={made} onClose={onClose} />;
  return (
    <ChoiceDialog
      title={`Share ${periodName(period)} by a secret link`}
      period={period}
      label="Make the link"
      busy={make.isPending && "Making..."}
      error={make.error}
      onSubmit={(choice) => make.mutate({ ...choice, period }, { onSuccess: setMade })}
      onClose={onClose}
    />
  );
}

interface EditDialogProps {
  share: Share;
  onClose: () => void;
}

/** Changes what a link shows, or when it ends. */
export function EditDialog({ share, onClose }: EditDialogProps) {
  const change = useChangeShare();
  const done = () => {
    toast({ title: "Link changed" });
    onClose();
  };
  return (
    <ChoiceDialog
      title={shareName(share)}
      text={
        isEnded(share)
          ? "This link has ended. It works again only with a later end."
          : "A change is seen by the next person who opens the link. The address stays the same."
      }
      period={share.period ?? ""}
      share={share}
      label="Save"
      busy={change.isPending && "Saving..."}
      error={change.error}
      onSubmit={(choice) => change.mutate({ ...choice, id: share.id }, { onSuccess: done })}
      onClose={onClose}
    />
  );
}

interface ChoiceDialogProps {
  title: string;
  text?: string;
  period: string;
  /** The link that is changed. */
  share?: Share;
  label: string;
  busy: string | false;
  error: unknown;
  onSubmit: (choice: ShareChoice) => void;
  onClose: () => void;
}

function ChoiceDialog({ title, text, period, share, label, busy, error, onSubmit, onClose }: ChoiceDialogProps) {
  const id = useId();
  const { data: preferences } = usePreferences();
  const zone = preferences?.timezone;
  const today = todayIn(zone);
  const before = share?.expiresAt ? dateOf(share.expiresAt, zone) : undefined;
  const [parts, setParts] = useState<readonly SharePart[]>(share?.parts ?? ["dates"]);
  const [end, setEnd] = useState<End>(before ? "day" : "never");
  const [day, setDay] = useState(before ?? today);
  const refused = fieldsOf(error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const last = lastDay(end, today, day);
    // An end may have a time of its own, and a link that has ended must not work again just because its parts change.
    const keepsEnd = share && last === (before ?? null);
    onSubmit({ parts: [...parts], ...(!keepsEnd && { expiresAt: last && endOfDay(last, zone) }) });
  };
  const turn = (part: SharePart, on: boolean) =>
    setParts(on ? [...parts, part] : parts.filter((other) => other !== part));
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      text={text}
      foot={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" busy={busy}>
            {label}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit}>
        <fieldset className="form" disabled={busy !== false}>
          {Boolean(error) && !refused.expiresAt && <Alert>{errorMessage(error, "Please try again.")}</Alert>}
          <Settings>
            {PARTS.map(({ part, label }) => (
              <SwitchSetting
                key={part}
                id={`${id}-${part}`}
                name={label}
                checked={parts.includes(part)}
                onSwitch={(on) => turn(part, on)}
              />
            ))}
          </Settings>
          <Field label="Ends">
            <Select options={ENDS} value={end} onChoose={setEnd} />
          </Field>
          {end === "day" && (
            <Field label="Last day" error={refused.expiresAt}>
              <Input
                type="date"
                required
                min={before && before < today ? before : today}
                max="2100-12-31"
                value={day}
                onChange={(event) => setDay(event.target.value)}
              />
            </Field>
          )}
          <DialogItem>
            <p role="status">{visible(period, parts)}</p>
          </DialogItem>
        </fieldset>
      </form>
    </Dialog>
  );
}

interface MadeDialogProps {
  made: MadeShare;
  onClose: () => void;
}

/** Shows the address of a link, which can be read only once. */
export function MadeDialog({ made: { share, url }, onClose }: MadeDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={shareName(share)}
      text="Copy the address now. Only its fingerprint is kept, so it can’t be shown again. The link itself stays in your account under Connections."
      foot={
        <DialogClose>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <div className="form">
        <CopyField label="Address" value={url} />
        <DialogItem>
          <p>{visible(share.period ?? "", share.parts)}</p>
        </DialogItem>
      </div>
    </Dialog>
  );
}
