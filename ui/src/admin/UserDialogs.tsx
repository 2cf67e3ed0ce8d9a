import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PLAN_NAMES } from "../access/subscription";
import { errorMessage } from "../kit/api/client";
import type { ListedUser, Plan } from "../kit/api/types";
import css from "../kit/people.module.css";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { CopyField } from "../kit/ui/CopyField";
import { DefinitionRow, DefinitionRows } from "../kit/ui/DefinitionRows";
import { AlertDialog, Dialog, DialogClose, DialogItem } from "../kit/ui/Dialog";
import { Fetched } from "../kit/ui/Fetched";
import { Field, Select } from "../kit/ui/Field";
import { FormDialog, MadeDialog } from "../kit/ui/FormDialog";
import { Spinner } from "../kit/ui/Waiting";
import { usageQuery } from "./api";
import { usageRows } from "./model";

interface UserDialogProps {
  user: ListedUser;
  onClose: () => void;
}

const PLANS = (Object.keys(PLAN_NAMES) as Plan[]).map((plan) => ({ value: plan, label: PLAN_NAMES[plan] }));

interface PlanDialogProps extends UserDialogProps {
  onChoose: (plan: Plan) => Promise<unknown>;
}

export function PlanDialog({ user, onChoose, onClose }: PlanDialogProps) {
  const [plan, setPlan] = useState(user.plan);
  return (
    <FormDialog
      title={`Change the plan of ${user.displayName}`}
      text="Set by hand: nothing is charged, and it lasts until you change it."
      label="Set Plan"
      action={() => onChoose(plan)}
      failed="Failed to change the account"
      failedTitle="Update Failed"
      onClose={onClose}
    >
      <Field label="Plan" name="plan">
        <Select options={PLANS} value={plan} onChoose={setPlan} />
      </Field>
    </FormDialog>
  );
}

interface LinkDialogProps extends UserDialogProps {
  /** Undefined while the link is being made. */
  url: string | undefined;
  error: unknown;
}

/** Shows a link to a new password. It can be shown only once. */
export function LinkDialog({ user, url, error, onClose }: LinkDialogProps) {
  return (
    <Dialog
      onClose={onClose}
      busy={!url && !error}
      title={`A new password for ${user.displayName}`}
      text="Send them this link, which is shown only now. It works once, within the hour; within seven days if the account was never opened. You never see the password."
      foot={
        <DialogClose>
          <Button variant="primary" busy={!url && !error && "Making the link..."}>
            Done
          </Button>
        </DialogClose>
      }
    >
      {Boolean(error) && <Alert>{errorMessage(error, "The link could not be made.")}</Alert>}
      {!error && !url && <Spinner>Making the link</Spinner>}
      {url && <CopyField label="Link" value={url} />}
    </Dialog>
  );
}

/** What an account stores, beside its quotas. */
export function UsageDialog({ user, onClose }: UserDialogProps) {
  const query = useQuery(usageQuery(user.id));
  return (
    <MadeDialog
      onClose={onClose}
      title={`What ${user.displayName} stores`}
      text="Amounts only, no content. At a limit nothing can be added; reading, exporting and deleting still work."
    >
      <Fetched query={query} waiting="Counting" failed="The usage could not be loaded.">
        {(usage) => (
          <DefinitionRows>
            {usageRows(usage).map(({ name, held, most }) => (
              <DefinitionRow key={name} name={name}>
                <span className="num">{held}</span>
                {most && <span className="muted">of {most}</span>}
              </DefinitionRow>
            ))}
          </DefinitionRows>
        )}
      </Fetched>
    </MadeDialog>
  );
}

interface DisableDialogProps extends UserDialogProps {
  onConfirm: () => Promise<unknown>;
}

export function DisableDialog({ user, onConfirm, onClose }: DisableDialogProps) {
  return (
    <AlertDialog
      onClose={onClose}
      title={`Disable ${user.displayName}?`}
      text="Their sessions end and they can’t log in. Nothing of theirs is deleted, and you can enable them again."
      cancel="Keep enabled"
      confirm="Disable"
      action={onConfirm}
      failed="Failed to change the account"
      failedTitle="Update Failed"
      busy="Disabling..."
    >
      <DialogItem>
        <div>
          <p className={css.name}>{user.displayName}</p>
          <p className={css.email}>{user.email}</p>
        </div>
      </DialogItem>
    </AlertDialog>
  );
}
