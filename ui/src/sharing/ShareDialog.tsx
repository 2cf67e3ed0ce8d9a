import { useId, useState } from "react";
import { DateField } from "../access/date/DateField";
import { dayRefusal } from "../access/date/typedDate";
import { usePreferences } from "../access/preferences";
import { InvalidFields } from "../kit/api/client";
import type { MadeShare, Share, SharePart } from "../kit/api/types";
import { dateOf, today as todayIn } from "../kit/format";
import { CopyField } from "../kit/ui/CopyField";
import { DialogItem } from "../kit/ui/Dialog";
import { Field, Select } from "../kit/ui/Field";
import { FormDialog, type FormDialogProps } from "../kit/ui/FormDialog";
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
  const { mutateAsync } = useMakeShare();
  return (
    <ChoiceDialog
      title={`Share ${periodName(period)} by a secret link`}
      period={period}
      label="Create link"
      busy="Creating..."
      action={(choice) => mutateAsync({ ...choice, period })}
      made={shownOnce}
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
  const { mutateAsync } = useChangeShare();
  const change = async (choice: ShareChoice) => {
    await mutateAsync({ ...choice, id: share.id });
    toast({ title: "Link changed" });
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
      action={change}
      onClose={onClose}
    />
  );
}

interface ChoiceDialogProps<Result> extends Omit<FormDialogProps<Result>, "action" | "children"> {
  period: string;
  /** The link that is changed. */
  share?: Share;
  action: (choice: ShareChoice) => Promise<Result>;
}

function ChoiceDialog<Result>({ period, share, action, ...rest }: ChoiceDialogProps<Result>) {
  const id = useId();
  const { data: preferences } = usePreferences();
  const zone = preferences?.timezone;
  const today = todayIn(zone);
  const before = share?.expiresAt ? dateOf(share.expiresAt, zone) : undefined;
  const [parts, setParts] = useState<readonly SharePart[]>(share?.parts ?? ["dates"]);
  const [end, setEnd] = useState<End>(before ? "day" : "never");
  const [day, setDay] = useState(before ?? today);
  const save = async () => {
    const refusal = day === "" ? "The last day is required." : dayRefusal(day);
    if (end === "day" && refusal) throw new InvalidFields({ expiresAt: refusal });
    const last = lastDay(end, today, day);
    // An end may have a time of its own, and a link that has ended must not work again just because its parts change.
    const keepsEnd = share && last === (before ?? null);
    return action({ parts: [...parts], ...(!keepsEnd && { expiresAt: last && endOfDay(last, zone) }) });
  };
  const turn = (part: SharePart, on: boolean) =>
    setParts(on ? [...parts, part] : parts.filter((other) => other !== part));
  return (
    <FormDialog {...rest} action={save}>
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
        <DateField
          label="Last day"
          name="expiresAt"
          required
          min={before && before < today ? before : today}
          value={day}
          onChange={setDay}
        />
      )}
      <DialogItem>
        <p role="status">{visible(period, parts)}</p>
      </DialogItem>
    </FormDialog>
  );
}

/** The address of a link, which can be read only once. */
export function shownOnce({ share, url }: MadeShare) {
  return {
    title: shareName(share),
    text: "Copy the link now: we can’t show it again. You can end it under Connections.",
    children: (
      <div className="form">
        <CopyField label="Address" value={url} />
        <DialogItem>
          <p>{visible(share.period ?? "", share.parts)}</p>
        </DialogItem>
      </div>
    ),
  };
}
