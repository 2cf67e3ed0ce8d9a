import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePreferences } from "../access/preferences";
import type { BackupList } from "../kit/api/types";
import { instantDate, instantTime, whole } from "../kit/format";
import { paths } from "../kit/paths";
import { sizeOf } from "../kit/size";
import { Badge } from "../kit/ui/Badge";
import { Command } from "../kit/ui/CopyField";
import { DefinitionRow, DefinitionRows } from "../kit/ui/DefinitionRows";
import { Item, Items } from "../kit/ui/Items";
import { Link } from "../kit/ui/Link";
import { Panel } from "../kit/ui/Panel";
import { Spinner } from "../kit/ui/Waiting";
import css from "./Admin.module.css";
import { backupsQuery } from "./api";
import { FetchError, hasNeverLoaded, More, Status } from "./Panel";

const TITLE = "Backups";

/** The backups on the server's schedule, the time of the next one, and the command that makes one by hand. */
export function Backups() {
  const backups = useQuery(backupsQuery);
  const [expanded, setExpanded] = useState(false);
  const { data: answer } = backups;
  const last = answer && newestFirst(answer)[0];
  return (
    <Panel
      title={TITLE}
      end={
        last && (
          <>
            <Status kind={last.verified ? "green" : "orange"}>{last.verified ? "Checked" : "Not checked"}</Status>
            {answer.data.length > 1 && <More of={TITLE} expanded={expanded} onExpand={setExpanded} />}
          </>
        )
      }
    >
      {!answer && !hasNeverLoaded(backups) && <Spinner>Looking for backups</Spinner>}
      {answer && <Schedule answer={answer} />}
      {answer && expanded && <Kept answer={answer} />}
      <FetchError asked={backups} what="The list of backups" />
      <p className={`hint ${css.byHand}`}>By hand, while the server runs:</p>
      <Command>backup create --to /srv/backups --keep 7</Command>
    </Panel>
  );
}

function newestFirst({ data }: BackupList) {
  return [...data].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

function Schedule({ answer }: { answer: BackupList }) {
  const { data: preferences } = usePreferences();
  const { nextAt } = answer;
  const kept = newestFirst(answer);
  const last = kept[0];
  const oldest = kept.at(-1);
  if (!last && !nextAt) {
    return (
      <p className="muted">
        No schedule is set. Name a folder under <Link href={paths.admin("server")}>Server</Link>, and the server backs
        itself up every day.
      </p>
    );
  }
  return (
    <DefinitionRows plain>
      <DefinitionRow name="Last backup">
        {last ? (
          <>
            <span className="num">{instantTime(last.createdAt, preferences?.timezone)}</span>
            <span className="muted">{sizeOf(last.bytes)}</span>
          </>
        ) : (
          "none yet"
        )}
      </DefinitionRow>
      <DefinitionRow name="Next backup">
        <span className="num">{nextAt ? instantTime(nextAt, preferences?.timezone) : "not scheduled"}</span>
      </DefinitionRow>
      {oldest && (
        <DefinitionRow name="Kept">
          {whole(kept.length)}, the oldest of {instantDate(oldest.createdAt, preferences?.timezone)}
        </DefinitionRow>
      )}
    </DefinitionRows>
  );
}

function Kept({ answer }: { answer: BackupList }) {
  const { data: preferences } = usePreferences();
  return (
    <Items>
      {newestFirst(answer).map(({ name, createdAt, bytes, verified }) => (
        <Item
          key={name}
          icon="file"
          title={name}
          badge={!verified && <Badge variant="warn">not checked</Badge>}
          hint={`${instantTime(createdAt, preferences?.timezone)}, ${sizeOf(bytes)}`}
        />
      ))}
    </Items>
  );
}
