import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Book, Work } from "../../kit/api/types";
import { and } from "../../kit/format";
import { leaveTo, openPage } from "../../kit/origin";
import { paths } from "../../kit/paths";
import type { Blue } from "../../kit/spine/blue";
import { Badges, GenreBadge } from "../../kit/ui/Badge";
import { Button, LinkButton } from "../../kit/ui/Button";
import { Icon } from "../../kit/ui/Icon";
import { lazyDialog } from "../../kit/ui/lazyPart";
import { Menu, MenuItem } from "../../kit/ui/Menu";
import { useLaterFocus } from "../../kit/ui/useLaterFocus";
import { daysQuery } from "../books/api";
import { forecastLine, isFinished, summary } from "../books/read";
import { readingDaysQuery } from "../books/workQueries";
import { useStateChange } from "../reading/useStateChange";
import css from "./Book.module.css";
import { SeriesLine, TagBadges } from "./Facts";
import { PlaceRuler } from "./PlaceRuler";

const AgainDialog = lazyDialog(() => import("../books/AgainDialog").then((all) => all.AgainDialog));
const CoverDialog = lazyDialog(() => import("../covers/CoverDialog").then((all) => all.CoverDialog));
const DayDialog = lazyDialog(() => import("./DayDialog").then((all) => all.DayDialog));
const DeleteDialog = lazyDialog(() => import("../books/DeleteDialog").then((all) => all.DeleteDialog));
const JoinDialog = lazyDialog(() => import("./JoinDialog").then((all) => all.JoinDialog));
const StopDialog = lazyDialog(() => import("../reading/StopDialog").then((all) => all.StopDialog));
const FinishDialog = lazyDialog(() => import("../reading/FinishDialog").then((all) => all.FinishDialog));

interface HeadProps {
  work: Work;
  /** The read that the buttons are about. */
  read: Book;
  blue: Blue;
  today: string;
}

type Asked = "again" | "note" | "stop" | "finish" | "join" | "cover" | "delete";

/** Title, place and state of a book, and what can be done with it now. */
export function BookHead({ work, read, blue, today }: HeadProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [heading, toHead] = useLaterFocus<HTMLHeadingElement>();
  const close = () => setAsked(null);
  // The button that was pressed gives way to others.
  const closeToHead = () => {
    close();
    toHead();
  };
  return (
    <header className={css.head}>
      <h1 className="h1" ref={heading} tabIndex={-1} dir="auto">
        {work.title}
      </h1>
      <p className={css.author} dir="auto">
        {work.authors.join(", ")}
        <Translators contributors={read.contributors} />
      </p>
      <SeriesLine series={work.series} />
      <p className={css.now}>{summary(work.reads, today)}</p>
      {work.genres.length > 0 && (
        <Badges>
          {work.genres.map((genre, at) => (
            <GenreBadge key={genre} genre={genre} blue={at === 0 ? blue : 6} />
          ))}
        </Badges>
      )}
      <TagBadges tags={work.tags} />
      {read.private && <p className="hint">Only you see this book</p>}
      {read.status === "in-progress" && read.progress && <Standing read={read} blue={blue} today={today} />}
      <Acts read={read} today={today} onAsk={setAsked} onChanged={toHead} />
      {asked === "again" && (
        <AgainDialog work={work} read={read} today={today} onClose={close} onStarted={closeToHead} />
      )}
      {asked === "note" && (
        <DayDialog
          read={read}
          today={today}
          title={`Where are you in “${work.title}”?`}
          confirm="Note"
          startsAtPlace
          onClose={close}
        />
      )}
      {asked === "stop" && <StopDialog read={read} today={today} onClose={close} onStopped={closeToHead} />}
      {asked === "finish" && <FinishDialog book={read} onClose={close} onFinished={closeToHead} />}
      {asked === "join" && <JoinDialog work={work} onClose={close} />}
      {asked === "cover" && <CoverDialog read={read} onClose={close} />}
      {asked === "delete" && (
        <DeleteDialog
          read={read}
          others={0}
          further={work.reads.filter(({ id }) => id !== read.id)}
          onClose={close}
          onDeleted={() => leaveTo(paths.dashboard())}
        />
      )}
    </header>
  );
}

interface ActsProps extends Omit<HeadProps, "blue" | "work"> {
  /** Opens a dialog. */
  onAsk: (asked: Asked) => void;
  /** Called when the state of the read has changed without a dialog. */
  onChanged: () => void;
}

/** What can be done with a read in its state, and with its book. */
function Acts({ read, today, onAsk, onChanged }: ActsProps) {
  const { change, isPending } = useStateChange(read, today, onChanged);
  const isOpen = read.status === "in-progress";
  const canReadOn = read.status === "did-not-finish" || (isOpen && read.pausedSince !== null);
  return (
    <div className={css.acts}>
      {canReadOn && (
        <Button variant="primary" icon="play" busy={isPending && "Saving..."} onClick={() => change("read-on")}>
          Resume
        </Button>
      )}
      {isOpen && !canReadOn && (
        <Button variant="primary" icon="bookmark" aria-haspopup="dialog" onClick={() => onAsk("note")}>
          Note where I am
        </Button>
      )}
      {isOpen && (
        <Button aria-haspopup="dialog" onClick={() => onAsk("finish")}>
          Finish
        </Button>
      )}
      {isOpen && !canReadOn && (
        <Button variant="quiet" disabled={isPending} onClick={() => change("pause")}>
          Pause
        </Button>
      )}
      {isOpen && (
        <Button variant="quiet" aria-haspopup="dialog" onClick={() => onAsk("stop")}>
          Did not finish
        </Button>
      )}
      {!isOpen && (
        <Button
          variant={isFinished(read) ? "primary" : "outline"}
          icon="undo"
          aria-haspopup="dialog"
          onClick={() => onAsk("again")}
        >
          Read again
        </Button>
      )}
      {isFinished(read) && read.wordCount === 0 && (
        <LinkButton href={paths.editBook(read.id)}>Add a word count</LinkButton>
      )}
      <Menu
        align="end"
        trigger={
          <button type="button" className={css.more} aria-label="More for this book">
            <Icon name="dots" />
          </button>
        }
      >
        <MenuItem icon="edit" onSelect={() => openPage(paths.editBook(read.id))}>
          Edit everything
        </MenuItem>
        <MenuItem icon="copy" onSelect={() => onAsk("join")}>
          Merge with another book…
        </MenuItem>
        <MenuItem icon="upload" onSelect={() => onAsk("cover")}>
          {read.cover ? "Change the cover" : "Add a cover"}
        </MenuItem>
        <MenuItem icon="trash" destructive onSelect={() => onAsk("delete")}>
          Delete the book
        </MenuItem>
      </Menu>
    </div>
  );
}

/** Who translated the edition. */
function Translators({ contributors }: Pick<Book, "contributors">) {
  const names = contributors.filter(({ role }) => role === "translator").map(({ name }) => name);
  return names.length > 0 && <span className="muted">, translated by {and(names)}</span>;
}

/** The place in an open read, with the days of its log, and when it will be finished at this pace. */
function Standing({ read, blue, today }: { read: Book; blue: Blue; today: string }) {
  const { data: days } = useQuery(daysQuery(read.id));
  const isPaused = read.pausedSince !== null;
  const { data } = useQuery({ ...readingDaysQuery, enabled: !isPaused });
  const known = data?.open.find(({ book }) => book.id === read.id);
  // The pace with a place that only this browser has is unknown.
  const isCurrent = known?.book.progress?.at === read.progress?.at;
  const pace = isCurrent && (forecastLine(known?.forecast ?? null, today) ?? "No forecast yet.");
  return (
    <>
      <PlaceRuler read={read} blue={blue} days={days} />
      {/* The line has its room also while it is fetched, so that no button below moves away from a press. */}
      <p className={css.now}>{isPaused ? "No forecast while it is paused." : pace || "\u00a0"}</p>
    </>
  );
}
