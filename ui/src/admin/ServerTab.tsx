import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { useDraft } from "../access/drafts";
import { PLAN_NAMES } from "../access/subscription";
import { BackupFolder } from "../account/BackupFolder";
import { ApiError, errorMessage, fieldsOf } from "../kit/api/client";
import { SETUP_REQUEST } from "../kit/api/limits";
import type { Plan, ServerSettings, SettingsResponse } from "../kit/api/types";
import { Alert } from "../kit/ui/Alert";
import { Block } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { ChoiceRows } from "../kit/ui/Choice";
import { Fetched } from "../kit/ui/Fetched";
import { Field, FieldGroup, Input, Select } from "../kit/ui/Field";
import { LeaveQuestion } from "../kit/ui/LeaveQuestion";
import { RestoredNote } from "../kit/ui/RestoredNote";
import { toast } from "../kit/ui/toast";
import { useFocusBack } from "../kit/ui/useFocusBack";
import css from "./Admin.module.css";
import { checkFolder, settingsQuery, useChangeSettings } from "./api";
import {
  changedNames,
  changesOf,
  intervals,
  mistakesIn,
  type SettingName,
  type SettingTexts,
  textsOf,
  typedOver,
} from "./settings";

/** The settings that an operator changes while the server runs. */
export function ServerTab() {
  const settings = useQuery(settingsQuery);
  return (
    <div className="section">
      <Fetched query={settings} waiting="Fetching the settings" failed="The settings could not be loaded.">
        {(answer) => <SettingsForm answer={answer} />}
      </Fetched>
    </div>
  );
}

const FIXED = "Set in the config file, the environment or by a flag";

/** What a section of the form needs of it. */
interface Parts {
  texts: SettingTexts;
  /** Whether the setting can't be changed here. */
  isFixed: (name: SettingName) => boolean;
  /** The properties of a setting's field: what is wrong with it, and what to know about it. */
  field: (name: SettingName, hint?: string) => { error: string | undefined; hint: string | undefined };
  /** The properties of a setting's text control. */
  text: (name: SettingName) => { value: string; disabled: boolean; onChange: (event: Typed) => void };
  set: (name: SettingName, text: string) => void;
}

interface Typed {
  target: { value: string };
}

/** The form. What was typed stays until it is saved, whatever is fetched or refused meanwhile. */
function SettingsForm({ answer }: { answer: SettingsResponse }) {
  const saved = textsOf(answer.settings);
  const [base] = useState(saved);
  const draft = useDraft("admin.server", base);
  const [mistakes, setMistakes] = useState<Partial<SettingTexts>>({});
  const save = useChangeSettings();
  const hasMistakes = Object.keys(mistakes).length > 0;
  const form = useFocusBack(save.isError || hasMistakes);

  const isFixed = (name: SettingName) => answer.fixed.includes(name);
  const texts = { ...saved, ...typedOver(base, draft.values, isFixed) };
  const changed = changedNames(texts, saved);
  const errors: Readonly<Record<string, string>> = { ...fieldsOf(save.error), ...mistakes };

  const set = (name: SettingName, text: string) => {
    draft.change({ [name]: text });
    setMistakes(({ [name]: _mended, ...others }) => others);
  };
  const parts: Parts = {
    texts,
    isFixed,
    field: (name, hint) => ({ error: errors[name], hint: isFixed(name) ? FIXED : hint }),
    text: (name) => ({
      value: texts[name],
      disabled: isFixed(name),
      onChange: (event) => set(name, event.target.value),
    }),
    set,
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = mistakesIn(texts, changed);
    setMistakes(found);
    if (Object.keys(found).length > 0) return;
    save.mutate(changesOf(texts, changed), {
      onSuccess: () => {
        draft.startOver();
        toast({ title: "Settings saved" });
        // The button is disabled now and has lost the focus.
        form.current?.focus();
      },
    });
  };

  return (
    <form
      className="section narrow"
      ref={form}
      tabIndex={-1}
      onSubmit={submit}
      noValidate
      aria-label="Settings of the server"
    >
      <LeaveQuestion isChanged={() => changed.length > 0 && !save.isPending} />
      {draft.isRestored && <RestoredNote onStartOver={draft.startOver} />}
      <fieldset className={css.settings} disabled={save.isPending}>
        <Identity {...parts} />
        <Newcomers {...parts} />
        <Quotas {...parts} />
        <Backups {...parts} />
        {save.isError && !hasMistakes && <Alert>{refusal(save.error)}</Alert>}
        <div className="form-foot">
          <Button type="submit" variant="primary" disabled={changed.length === 0} busy={save.isPending && "Saving..."}>
            Save Settings
          </Button>
        </div>
      </fieldset>
    </form>
  );
}

/** Why the settings were not saved. A setting that was fixed meanwhile is named. */
function refusal(error: unknown): string {
  const sentence = errorMessage(error, "The settings could not be saved.");
  if (!(error instanceof ApiError) || error.code !== "setting_fixed") return sentence;
  return `${error.bodyText("setting")}: ${sentence}`;
}

function choice(label: string, hint: string): ReactNode {
  return (
    <>
      {label}
      <span className={`hint ${css.choiceHint}`}>{hint}</span>
    </>
  );
}

const INSTANCES: readonly { value: ServerSettings["instance"]; label: ReactNode }[] = [
  { value: "private", label: choice("Everything, without limits", "No prices and no plans are shown anywhere") },
  {
    value: "public",
    label: choice("The plans, with the Reader plan for new accounts", "For a server that takes payments"),
  },
];

const PLANS = (Object.keys(PLAN_NAMES) as Plan[]).map((plan) => ({ value: plan, label: PLAN_NAMES[plan] }));

function Identity({ texts, isFixed, field, text, set }: Parts) {
  return (
    <Block title="The server" lead="What it is called, and what it offers.">
      <div className={`form ${css.fields}`}>
        <Field
          label="Name"
          {...field("name", "On the log-in page, in page titles and in mail. Leave empty for “Shelfwise”.")}
        >
          <Input maxLength={SETUP_REQUEST.name.maxLength} placeholder="The Okafor shelf" {...text("name")} />
        </Field>
        <FieldGroup label="What everyone gets" className={css.choices} {...field("instance")}>
          <ChoiceRows
            name="instance"
            value={texts.instance as ServerSettings["instance"]}
            onChoose={(instance) => set("instance", instance)}
            disabled={isFixed("instance")}
            rows={INSTANCES}
          />
        </FieldGroup>
        {texts.instance === "public" && (
          <Field
            label="Plan without a subscription"
            {...field("defaultPlan", "For every account that has not bought a plan.")}
          >
            <Select
              options={PLANS}
              value={texts.defaultPlan as Plan}
              onChoose={(plan) => set("defaultPlan", plan)}
              disabled={isFixed("defaultPlan")}
            />
          </Field>
        )}
      </div>
    </Block>
  );
}

const SIGN_UPS: readonly { value: ServerSettings["signup"]; label: ReactNode }[] = [
  {
    value: "invite",
    label: choice("By invitation", "With the link of an invitation, or an account that an operator makes"),
  },
  { value: "closed", label: "Only accounts that an operator makes" },
  { value: "open", label: "Anyone who finds the address" },
];

function Newcomers({ texts, isFixed, field, set }: Parts) {
  return (
    <Block title="Who may come" lead="You can change this at any time. No one loses an account by it.">
      <FieldGroup label="Sign-up" className={`${css.choices} ${css.fields}`} {...field("signup")}>
        <ChoiceRows
          name="signup"
          value={texts.signup as ServerSettings["signup"]}
          onChoose={(signup) => set("signup", signup)}
          disabled={isFixed("signup")}
          rows={SIGN_UPS}
        />
      </FieldGroup>
    </Block>
  );
}

function Quotas({ field, text }: Parts) {
  return (
    <Block
      title="Quotas"
      lead="The most that one account may store; 0 is unlimited. Beyond a quota, reading, exporting and deleting go on."
    >
      <div className={`form-grid ${css.fields}`}>
        <Field label="Books" {...field("limits.books")}>
          <Input inputMode="numeric" required {...text("limits.books")} />
        </Field>
        <Field label="Items on the to-be-read list" {...field("limits.listItems")}>
          <Input inputMode="numeric" required {...text("limits.listItems")} />
        </Field>
        <Field label="Texts and imported rows" {...field("limits.textMb")}>
          <Input inputMode="numeric" required suffix="MB" {...text("limits.textMb")} />
        </Field>
      </div>
    </Block>
  );
}

function Backups({ texts, isFixed, field, text, set }: Parts) {
  const folder = field("backup.to", "Best on another disk, beginning with a slash. Leave empty for no backups.");
  return (
    <Block title="Backups" lead="Consistent copies, made and checked while people read.">
      <div className={`form ${css.fields}`}>
        <BackupFolder
          label="Folder"
          error={folder.error}
          hint={folder.hint ?? ""}
          placeholder="/var/backups/shelfwise"
          value={texts["backup.to"]}
          disabled={isFixed("backup.to")}
          keep={Number(texts["backup.keep"]) || 1}
          check={checkFolder}
          onType={(to) => set("backup.to", to)}
        />
        <div className="form-grid">
          <Field label="How many stay" {...field("backup.keep", "The newest ones.")}>
            <Input inputMode="numeric" required {...text("backup.keep")} />
          </Field>
          <Field label="How often" {...field("backup.every")}>
            <Select
              options={intervals(texts["backup.every"])}
              value={texts["backup.every"]}
              onChoose={(every) => set("backup.every", every)}
              disabled={isFixed("backup.every")}
            />
          </Field>
        </div>
      </div>
    </Block>
  );
}
