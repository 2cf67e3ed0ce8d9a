import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { useParams } from "wouter";
import { useSite } from "../access/site";
import { useViewer } from "../access/viewer";
import { ApiError, errorMessage } from "../kit/api/client";
import { SETUP_REQUEST } from "../kit/api/limits";
import { BASE } from "../kit/base";
import { counted } from "../kit/format";
import { paths } from "../kit/paths";
import { Alert } from "../kit/ui/Alert";
import { Button, LinkButton } from "../kit/ui/Button";
import { ChoiceRows } from "../kit/ui/Choice";
import { NotFetched } from "../kit/ui/Fetched";
import { Field, FieldGroup, Input } from "../kit/ui/Field";
import { Item, Items } from "../kit/ui/Items";
import { Page } from "../kit/ui/Page";
import { ThemeButton } from "../kit/ui/ThemeButton";
import { Topbar } from "../kit/ui/Topbar";
import { useFocusBack } from "../kit/ui/useFocusBack";
import { Spinner } from "../kit/ui/Waiting";
import { EmailField } from "./AccountFields";
import { BackupFolder } from "./BackupFolder";
import { NewPasswordField } from "./NewPasswordField";
import css from "./SetupPage.module.css";
import { checkFolder, refusedFields, type SetupAnswers, setupCodeQuery, useSetUp, WRONG_CODE } from "./setup";

/** The first run: the page whose address the server prints while it has no operator. */
export default function SetupPage() {
  const { code = "" } = useParams<{ code?: string }>();
  const setUp = useSetUp();
  // After the form was sent the code may be used up; asking about it again would count as a guess.
  const asks = code !== "" && setUp.isIdle;
  const check = useQuery({ ...setupCodeQuery(code), enabled: asks });
  const isWrong = check.error instanceof ApiError && check.error.status === 404;
  const hasFailed = asks && check.isError && !isWrong;
  const isWaiting = asks && check.isPending;
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Topbar home={paths.landing()}>
        <ThemeButton />
      </Topbar>
      <Page title="Set up">
        <div className="narrow">
          {setUp.isSuccess && <Done answers={setUp.variables} />}
          {isWaiting && <Spinner>Asking the server</Spinner>}
          {hasFailed && (
            <NotFetched error={check.error} onRetry={check.refetch}>
              The server could not be asked about this code.
            </NotFetched>
          )}
          {!setUp.isSuccess && !isWaiting && !hasFailed && <SetupForm code={code} isWrong={isWrong} setUp={setUp} />}
        </div>
      </Page>
    </>
  );
}

interface SetupFormProps {
  /** The code of the address, empty where it has none. */
  code: string;
  /** Whether the server does not know the code of the address. */
  isWrong: boolean;
  setUp: ReturnType<typeof useSetUp>;
}

function SetupForm({ code, isWrong, setUp }: SetupFormProps) {
  const [answers, setAnswers] = useState<SetupAnswers>({
    code,
    displayName: "",
    email: "",
    password: "",
    instance: "private",
    name: "",
    publicUrl: window.location.origin + BASE,
    signup: "invite",
    backupTo: "",
  });
  const errors: Readonly<Record<string, string>> = setUp.isError
    ? refusedFields(setUp.error)
    : isWrong && answers.code === code
      ? { code: WRONG_CODE }
      : {};
  const form = useFocusBack(setUp.isError);
  const set = (part: Partial<SetupAnswers>) => setAnswers((before) => ({ ...before, ...part }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setUp.mutate(answers);
  };
  const refused = Object.keys(errors).length;
  return (
    <>
      <div className="page-head">
        <div>
          <h1 className="h1">An empty shelf</h1>
          <p className="aside-text">This server is new. Four things, and it is yours.</p>
        </div>
      </div>
      {setUp.isError && (
        <Alert>
          {refused > 0
            ? `Not yet: ${counted(refused, "field")} ${refused === 1 ? "needs" : "need"} another look. Nothing was set up.`
            : errorMessage(setUp.error, "The server could not be set up.")}
        </Alert>
      )}
      <form ref={form} onSubmit={submit} noValidate>
        <fieldset className={css.parts} disabled={setUp.isPending}>
          <You {...{ answers, errors, set }} asksCode={code === "" || isWrong || "code" in errors} />
          <TheServer {...{ answers, errors, set }} />
          <WhoMayCome {...{ answers, errors, set }} />
          <KeepingItSafe {...{ answers, errors, set }} />
          <div className="form-foot">
            <Button type="submit" variant="primary" busy={setUp.isPending && "Setting up..."}>
              Open the Shelf
            </Button>
          </div>
        </fieldset>
      </form>
    </>
  );
}

interface PartProps {
  answers: SetupAnswers;
  errors: Readonly<Record<string, string>>;
  set: (part: Partial<SetupAnswers>) => void;
}

function Part({ number, title, lead, children }: { number: number; title: string; lead: string; children: ReactNode }) {
  return (
    <section className={css.part} aria-labelledby={`part-${number}`}>
      <div className={css.head}>
        <p className={css.number} aria-hidden="true">
          {number}
        </p>
        <div>
          <h2 className="h2" id={`part-${number}`}>
            {title}
          </h2>
          <p className="muted">{lead}</p>
        </div>
      </div>
      <div className={`form ${css.fields}`}>{children}</div>
    </section>
  );
}

function You({ answers, errors, set, asksCode }: PartProps & { asksCode: boolean }) {
  return (
    <Part number={1} title="You" lead="The first account. It runs the server, and can read on it like everyone else.">
      {asksCode && (
        <Field
          label="Setup code"
          error={errors.code}
          hint="The server printed it when it started. It keeps strangers from being faster than you."
        >
          <Input
            className={css.code}
            autoComplete="off"
            spellCheck={false}
            required
            value={answers.code}
            onChange={(event) => set({ code: event.target.value })}
          />
        </Field>
      )}
      <div className="form-grid">
        <Field label="Display name" error={errors.displayName}>
          <Input
            name="displayName"
            autoComplete="name"
            maxLength={SETUP_REQUEST.displayName.maxLength}
            required
            onChange={(event) => set({ displayName: event.target.value })}
          />
        </Field>
        <EmailField error={errors.email} maxLength={SETUP_REQUEST.email.maxLength} onType={(email) => set({ email })} />
      </div>
      <NewPasswordField error={errors.password} onType={(password) => set({ password })} />
    </Part>
  );
}

function TheServer({ answers, errors, set }: PartProps) {
  return (
    <Part number={2} title="The server" lead="What it is called, and where it is reached.">
      <div className="form-grid">
        <Field label="Name" error={errors.name} hint="On the log-in page and in mail. Leave empty for “Shelfwise”.">
          <Input
            maxLength={SETUP_REQUEST.name.maxLength}
            placeholder="The Okafor shelf"
            value={answers.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        </Field>
        <Field label="Address" error={errors.publicUrl} hint="As this browser sees it. Links and devices use it.">
          <Input
            type="url"
            spellCheck={false}
            value={answers.publicUrl}
            onChange={(event) => set({ publicUrl: event.target.value })}
          />
        </Field>
      </div>
    </Part>
  );
}

function choice(label: string, hint: string): ReactNode {
  return (
    <>
      {label}
      <span className={`hint ${css.hint}`}>{hint}</span>
    </>
  );
}

const SIGN_UPS: readonly { value: SetupAnswers["signup"]; label: ReactNode }[] = [
  { value: "invite", label: choice("By invitation", "You make a link for each person") },
  { value: "closed", label: "Only accounts that I make" },
  { value: "open", label: "Anyone who finds the address" },
];

const INSTANCES: readonly { value: SetupAnswers["instance"]; label: ReactNode }[] = [
  { value: "private", label: choice("Everything, without limits", "No prices and no plans are shown anywhere") },
  {
    value: "public",
    label: choice("The plans, with the Reader plan for new accounts", "For a server that takes payments"),
  },
];

function WhoMayCome({ answers, errors, set }: PartProps) {
  return (
    <Part number={3} title="Who may come" lead="You can change this at any time.">
      <FieldGroup label="Sign-up" className={css.choices} error={errors.signup}>
        <ChoiceRows name="signup" value={answers.signup} onChoose={(signup) => set({ signup })} rows={SIGN_UPS} />
      </FieldGroup>
      <FieldGroup label="What everyone gets" className={css.choices} error={errors.instance}>
        <ChoiceRows
          name="instance"
          value={answers.instance}
          onChoose={(instance) => set({ instance })}
          rows={INSTANCES}
        />
      </FieldGroup>
    </Part>
  );
}

function KeepingItSafe({ answers, errors, set }: PartProps) {
  const { data: site } = useSite();
  return (
    <Part number={4} title="Keeping it safe" lead="Both can wait: the Admin page and the configuration file have them.">
      <BackupFolder
        label="Backups"
        error={errors.backupTo}
        hint="A folder of the server, best on another disk, beginning with a slash. One backup a day, the last 14 are kept. Leave empty for none."
        placeholder="/var/lib/shelfwise-backups"
        value={answers.backupTo}
        keep={14}
        check={answers.code.trim() === "" ? undefined : (to) => checkFolder(answers.code, to)}
        explain={(error) => refusedFields(error).code}
        onType={(backupTo) => set({ backupTo })}
      />
      <div>
        <p className="label">Mail</p>
        <p className="hint">{site?.mail ? "Set up: the server sends links and notices." : NO_MAIL}</p>
      </div>
    </Part>
  );
}

const NO_MAIL =
  "None is set up. Without it, passwords are reset by you, and no one hears of new log-ins. It can be set up later: in the configuration file, or with a container as SHELFWISE_MAIL_URL in .env.";

const SIGN_UP_WORDS: Readonly<Record<SetupAnswers["signup"], string>> = {
  invite: "By invitation",
  closed: "Only accounts that you make",
  open: "Anyone who finds the address",
};

/** The server is set up, and its operator is signed in. */
function Done({ answers }: { answers: SetupAnswers }) {
  const { user } = useViewer();
  const { data: site } = useSite();
  const address = answers.publicUrl.trim();
  return (
    <>
      <div className={css.done}>
        <h1 className="h1">{answers.name.trim() || "The shelf"} is open</h1>
        <p>You are logged in as its operator{user ? `, ${user.email}` : ""}.</p>
        <div className={css.next}>
          <LinkButton variant="primary" href={paths.addBook()}>
            Add your first book
          </LinkButton>
          <LinkButton href={paths.admin("users")}>
            {answers.signup === "closed" ? "Add someone" : "Invite someone"}
          </LinkButton>
        </div>
      </div>
      <Items>
        <Item
          title="Backups"
          hint={
            answers.backupTo.trim()
              ? `Once a day into ${answers.backupTo.trim()}, the last 14 are kept`
              : "None yet. Name a folder under Admin, Server"
          }
        />
        <Item title="Sign-up" hint={SIGN_UP_WORDS[answers.signup]} />
        <Item
          title="Mail"
          hint={
            site?.mail ? "Set up" : "Not set up yet. Set it in the configuration file, or as SHELFWISE_MAIL_URL in .env"
          }
        />
        {address && address !== window.location.origin + BASE && (
          <Item
            title="Address"
            hint={`Links lead to ${address}. Restart the server once, so that cookies use this address, too`}
          />
        )}
      </Items>
    </>
  );
}
