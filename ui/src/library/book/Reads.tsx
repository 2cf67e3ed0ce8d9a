import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Book, Work } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { leaveTo, navigate } from "../../kit/origin";
import { paths } from "../../kit/paths";
import type { Blue } from "../../kit/spine/blue";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { Badge, Rating } from "../../kit/ui/Badge";
import { Button, IconButton } from "../../kit/ui/Button";
import { FormatName } from "../../kit/ui/FormatIcon";
import { lazyDialog, lazyPart } from "../../kit/ui/lazyPart";
import { Menu, MenuItem } from "../../kit/ui/Menu";
import { Panel } from "../../kit/ui/Panel";
import { daysQuery } from "../books/api";
import { besideDays, changeOf, countingOf, daysOf, isFinished, readName, stoppedAt } from "../books/read";
import { StatusBadge } from "../books/StatusBadge";
import { useStateChange } from "../reading/useStateChange";
import css from "./Book.module.css";
import { DayLog } from "./DayLog";
import { editionOfRead } from "./Facts";

const SplitDialog = lazyDialog(() => import("./SplitDialog").then((all) => all.SplitDialog));
const DayDialog = lazyDialog(() => import("./DayDialog").then((all) => all.DayDialog));
const EditPart = lazyPart(() => import("../add-book/EditPart").then((all) => all.EditPart));
const DeleteDialog = lazyDialog(() => import("../books/DeleteDialog").then((all) => all.DeleteDialog));
const ReopenDialog = lazyDialog(() => import("../books/ReopenDialog").then((all) => all.ReopenDialog));

interface ReadsProps {
  work: Work;
  /** The id in the page's address. */
  shownId: number;
  blue: Blue;
  today: string;
}

/** All reads of a book, newest first. */
export function Reads({ work, shownId, blue, today }: ReadsProps) {
  const { reads } = work;
  const note = reads.length === 1 && reads[0] ? noteOf(reads[0]) : null;
  return (
    <Panel title={counted(reads.length, "read")} beside>
      {note && <p className={`hint ${css.once}`}>{note}</p>}
      <ol className={css.reads} reversed>
        {reads
          .map((read, at) => (
            <Read key={read.id} work={work} at={at} read={read} shownId={shownId} blue={blue} today={today} />
          ))
          .reverse()}
      </ol>
    </Panel>
  );
}

function noteOf(read: Book): string | null {
  return read.status === "did-not-finish" ? "Books you did not finish do not count towards analytics." : null;
}

/** Where the page goes on when a read was deleted: with the newest of the other reads, or back without one. */
function goOn({ reads }: Work, gone: Book, shownId: number): void {
  const other = reads.filter(({ id }) => id !== gone.id).at(-1);
  if (!other) leaveTo(paths.dashboard());
  else if (shownId === gone.id) navigate(paths.book(other.id), { replace: true, state: window.history.state });
}

interface ReadProps extends ReadsProps {
  read: Book;
  /** Its place among the reads, counted from 0. */
  at: number;
}

function Read({ work, read, at, shownId, blue, today }: ReadProps) {
  const [asked, setAsked] = useState<"edit" | "day" | "split" | "reopen" | "delete" | null>(null);
  const close = () => setAsked(null);
  const { change: changeState } = useStateChange(read, today, close);
  const name = readName(at);
  const { data: log } = useQuery(daysQuery(read.id));
  const beside = besideDays(read, log?.length);
  const counting = countingOf(read);
  const change = changeOf(work.reads, at);
  const stopped = stoppedAt(read);
  const edition = editionOfRead(read);
  return (
    <li className={css.read}>
      <MiniSpine wordCount={read.wordCount} rating={read.rating} blue={blue} outlined={!isFinished(read)} height={44} />
      <div className={css.readBody}>
        <h3 className={css.readName}>{name}</h3>
        <p className={css.when}>
          {daysOf(read)}
          {beside && <span className={css.length}>, {beside}</span>}
        </p>
        <p className={css.meta}>
          <FormatName format={read.format} />
          {read.title !== work.title && <bdi dir="auto">{read.title}</bdi>}
          {edition && <bdi dir="auto">{edition}</bdi>}
          {read.reread && at === 0 && <Badge>Reread</Badge>}
          <StatusBadge book={read} />
        </p>
        {change && <p className={css.change}>{change}</p>}
        {stopped && <p className={css.change}>{stopped}</p>}
        {counting && <p className={css.change}>{counting}</p>}
        {log && log.length > 0 && <DayLog read={read} days={log} today={today} />}
      </div>
      <div className={css.readEnd}>
        {read.rating !== null && <Rating value={read.rating} />}
        {read.rating === null && read.status !== "in-progress" && <span className={css.unrated}>not rated</span>}
        <IconButton
          icon="edit"
          label={`Edit the ${name.toLowerCase()}`}
          aria-haspopup="dialog"
          onClick={() => setAsked("edit")}
        />
        <Menu align="end" trigger={<IconButton icon="dots" label={`Actions for the ${name.toLowerCase()}`} />}>
          {isFinished(read) && (
            <MenuItem icon="play" onSelect={() => setAsked("reopen")}>
              Mark as unfinished
            </MenuItem>
          )}
          {work.reads.length > 1 && (
            <MenuItem icon="minus" onSelect={() => setAsked("split")}>
              Split into its own book…
            </MenuItem>
          )}
          {read.status !== "undated" && (
            <MenuItem icon="plus" onSelect={() => setAsked("day")}>
              Add a day
            </MenuItem>
          )}
          <MenuItem icon="trash" destructive onSelect={() => setAsked("delete")}>
            Delete this read
          </MenuItem>
        </Menu>
      </div>
      {asked === "split" && <SplitDialog work={work} read={read} name={name} onClose={close} />}
      {asked === "day" && <DayDialog read={read} today={today} title="Add a day" confirm="Note" onClose={close} />}
      {asked === "edit" && (
        <EditPart
          read={read}
          part="read"
          title={name}
          foot={(isRunning) => (
            <Button variant="quiet" icon="trash" disabled={isRunning} onClick={() => setAsked("delete")}>
              Delete read
            </Button>
          )}
          onClose={close}
        />
      )}
      {asked === "reopen" && <ReopenDialog read={read} onClose={close} onConfirm={() => changeState("read-on")} />}
      {asked === "delete" && (
        <DeleteDialog
          read={read}
          name={name}
          others={work.reads.length - 1}
          onClose={close}
          onDeleted={() => goOn(work, read, shownId)}
        />
      )}
    </li>
  );
}
