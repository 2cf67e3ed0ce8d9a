import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePreferences } from "../access/preferences";
import { useSite } from "../access/site";
import { errorMessage } from "../kit/api/client";
import type { Health } from "../kit/api/types";
import { counted, instantTime } from "../kit/format";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { DefinitionRow, DefinitionRows } from "../kit/ui/DefinitionRows";
import { Item, Items } from "../kit/ui/Items";
import { Panel } from "../kit/ui/Panel";
import { toast } from "../kit/ui/toast";
import { Spinner } from "../kit/ui/Waiting";
import css from "./Admin.module.css";
import { healthQuery, useTestEmail } from "./api";
import { failingFirst } from "./model";
import { FetchError, hasNeverLoaded, More, Status } from "./Panel";

const TITLE = "Health";

/** The server's checks of itself: the failing ones, and on demand all of them. */
export function HealthPanel() {
  const health = useQuery(healthQuery);
  const [expanded, setExpanded] = useState(false);
  const { data } = health;
  const failing = data?.checks.filter(({ ok }) => !ok).length ?? 0;
  return (
    <Panel
      title={TITLE}
      end={
        data && (
          <>
            <Status kind={failing > 0 ? "red" : "green"}>{failing > 0 ? `${failing} failing` : "All well"}</Status>
            <More of={TITLE} expanded={expanded} onExpand={setExpanded} />
          </>
        )
      }
    >
      {!data && !hasNeverLoaded(health) && <Spinner>Running the checks</Spinner>}
      {data && <Checks health={data} expanded={expanded} />}
      <FetchError asked={health} what="The health of the server" />
    </Panel>
  );
}

function Checks({ health, expanded }: { health: Health; expanded: boolean }) {
  const { data: preferences } = usePreferences();
  const { data: site } = useSite();
  const time = (instant: string) => instantTime(instant, preferences?.timezone);
  const checks = failingFirst(health.checks).filter(({ ok }) => expanded || !ok);
  const passed = health.checks.filter(({ ok }) => ok).length;
  return (
    <>
      {checks.length > 0 && (
        <Items bare>
          {checks.map(({ name, ok, sentence, since }) => (
            <Item
              key={name}
              icon={ok ? "ok" : "alert"}
              title={checkName(name)}
              hint={since && !ok ? `${sentence} Since ${time(since)}.` : sentence}
            />
          ))}
        </Items>
      )}
      {!expanded && <p className={`hint ${css.late}`}>{`${counted(passed, "check")} passed.`}</p>}
      {expanded && (
        <DefinitionRows plain className={css.version}>
          <DefinitionRow name="Version">
            {health.version}
            <span className="muted">schema {health.schema}</span>
          </DefinitionRow>
          <DefinitionRow name="Running since">
            <span className="num">{time(health.startedAt)}</span>
          </DefinitionRow>
        </DefinitionRows>
      )}
      {expanded && site?.mail && <TestEmail />}
    </>
  );
}

function TestEmail() {
  const send = useTestEmail();
  const sent = ({ to }: { to: string }) =>
    toast({ title: "Test e-mail sent", description: `It is on its way to ${to}.` });
  return (
    <div className={css.testEmail}>
      <Button
        size="compact"
        busy={send.isPending && "Sending..."}
        onClick={() => send.mutate(undefined, { onSuccess: sent })}
      >
        Send me a test e-mail
      </Button>
      {send.isError && <Alert>{errorMessage(send.error, "The test e-mail could not be sent.")}</Alert>}
    </div>
  );
}

/** A check's name as a title: `disk_space` is "Disk space". */
function checkName(name: string): string {
  const words = name.replaceAll(/[_-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
