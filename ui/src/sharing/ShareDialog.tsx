import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { DateField } from "../access/date/DateField";
import { dayRefusal } from "../access/date/typedDate";
import { usePreferences } from "../access/preferences";
import { useToday } from "../access/today";
import { InvalidFields } from "../kit/api/client";
import type { MadeShare, Share, SharePart } from "../kit/api/types";
import { dateOf, today as todayIn } from "../kit/format";
import { CopyField } from "../kit/ui/CopyField";
import { DialogItem } from "../kit/ui/Dialog";
import { Field, Select } from "../kit/ui/Field";
import { FormDialog, type FormDialogProps } from "../kit/ui/FormDialog";
import { Settings, SwitchSetting } from "../kit/ui/Settings";
import { toast } from "../kit/ui/toast";
import { tagsQuery } from "../library/books/api";
import { tagsOf } from "../library/books/facts";
import { tbrQuery } from "../library/tbr/api";
import { type ShareChoice, useChangeShare, useMakeShare } from "./api";
import {
  type End,
  endOfDay,
  isEnded,
  KINDS,
  lastDay,
  periodName,
  type Subject,
  shareName,
  switches,
  visible,
} from "./model";

/** The choice of no tag. Those of tags begin with a number sign. */
const NO_TAG = "-";

const ENDS: readonly { value: End; label: string }[] = [
  { value: "never", label: "Never, until I take it back" },
  { value: "week", label: "In a week" },
  { value: "month", label: "In a month" },
  { value: "day", label: "On a day" },
];

const KIND_CHOICES = Object.entries(KINDS).map(([value, { choice }]) => ({
  value: value as Share["kind"],
  label: choice,
}));

interface ShareDialogProps {
  /** The year or the month whose review is shared; absent where the reader chooses what to share. */
  period?: string;
  onClose: () => void;
}

/** Makes a secret link, and shows its address once. */
export default function ShareDialog({ period, onClose }: ShareDialogProps) {
  const { mutateAsync } = useMakeShare();
  const year = useToday().slice(0, 4);
  const [subject, setSubject] = useState<Subject>({ kind: "review", period: period ?? year, tag: null });
  const choose = (kind: Share["kind"]) => setSubject({ kind, period: kind === "review" ? year : null, tag: null });
  return (
    <ChoiceDialog
      title={period ? `Share ${periodName(period)} by a secret link` : "Create a link"}
      subject={subject}
      label="Create link"
      busy="Creating..."
      action={(choice) => mutateAsync({ ...subject, ...choice })}
      made={shownOnce}
      onClose={onClose}
    >
      {!period && (
        <Field label="What to share">
          <Select options={KIND_CHOICES} value={subject.kind} onChoose={choose} />
        </Field>
      )}
      {KINDS[subject.kind].tag && (
        <TagField key={subject.kind} {...subject} onChoose={(tag) => setSubject({ ...subject, tag })} />
      )}
    </ChoiceDialog>
  );
}

/** Chooses one of the tags that the reader has given, to books or to what is on the list. */
function TagField({ kind, tag, onChoose }: Subject & { onChoose: (tag: string | null) => void }) {
  const { data: ofBooks = [] } = useQuery(tagsQuery);
  const { data: items = [] } = useQuery(tbrQuery);
  const isNeeded = KINDS[kind].tag === "needed";
  const names = isNeeded
    ? ofBooks.map(({ name }) => name)
    : tagsOf({ tags: items.flatMap(({ tags }) => tags), nextTag: "" });
  names.sort((one, other) => one.localeCompare(other, undefined, { numeric: true }));
  if (names.length === 0) return isNeeded && <p className="hint">None of your books has a tag yet.</p>;
  const none = { value: NO_TAG, label: isNeeded ? "Choose a tag" : "All of it" };
  return (
    <Field label="Tag" name="tag" required={isNeeded}>
      <Select
        options={[none, ...names.map((name) => ({ value: `#${name}`, label: name }))]}
        value={tag === null ? NO_TAG : `#${tag}`}
        onChoose={(chosen) => onChoose(chosen === NO_TAG ? null : chosen.slice(1))}
      />
    </Field>
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
      subject={share}
      share={share}
      label="Save"
      action={change}
      onClose={onClose}
    />
  );
}

interface ChoiceDialogProps<Result> extends Omit<FormDialogProps<Result>, "action" | "children"> {
  subject: Subject;
  /** The link that is changed. */
  share?: Share;
  action: (choice: ShareChoice) => Promise<Result>;
  /** Fields above the switches. */
  children?: ReactNode;
}

function ChoiceDialog<Result>({ subject, share, action, children, ...rest }: ChoiceDialogProps<Result>) {
  const id = useId();
  const { data: preferences } = usePreferences();
  const zone = preferences?.timezone;
  const today = todayIn(zone);
  const before = share?.expiresAt ? dateOf(share.expiresAt, zone) : undefined;
  // Each kind keeps its own while the reader tries them.
  const [chosen, setChosen] = useState<Partial<Record<Share["kind"], readonly SharePart[]>>>({});
  const parts = chosen[subject.kind] ?? share?.parts ?? KINDS[subject.kind].preset;
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
    setChosen({ ...chosen, [subject.kind]: on ? [...parts, part] : parts.filter((other) => other !== part) });
  return (
    <FormDialog {...rest} action={save}>
      {children}
      <Settings>
        {switches(subject.kind).map(({ part, label }) => (
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
        <p role="status">{visible(subject, parts)}</p>
      </DialogItem>
    </FormDialog>
  );
}

/** The addresses of a link, which can be read only once. */
export function shownOnce({ share, url }: MadeShare) {
  const { addresses } = KINDS[share.kind];
  return {
    title: shareName(share),
    text: `Copy ${addresses.length > 1 ? "what you need" : "the link"} now: we can’t show it again. You can end it under Connections.`,
    children: (
      <div className="form">
        {addresses.map(({ label, path }) => (
          <CopyField key={label} label={label} value={url + path} />
        ))}
        <DialogItem>
          <p>{visible(share, share.parts)}</p>
        </DialogItem>
      </div>
    ),
  };
}
