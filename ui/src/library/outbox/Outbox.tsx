import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import { usePreferences } from "../../access/preferences";
import { useUser } from "../../access/viewer";
import { counted, dateOf, monthDay } from "../../kit/format";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import type { IconName } from "../../kit/ui/Icon";
import { Item, Items } from "../../kit/ui/Items";
import { toast } from "../../kit/ui/toast";
import { followOtherTabs } from "./deliver";
import { copyText, keptText, mutationText, type QueueEntry, titleOf, wordsAround } from "./mutation";
import css from "./Outbox.module.css";
import { forgetSent, remove } from "./queue";
import { useQueue, useWithdraw, WAITS } from "./useOutbox";

const ICONS: Record<QueueEntry["kind"], IconName> = { place: "book", finish: "check", list: "plus", quote: "edit" };

interface OutboxProps {
  today: string;
  /** Which mutations the page shows; all unless given. */
  shows?: (entry: QueueEntry) => boolean;
}

/** What waits for a connection, and what the server rejected. Draws nothing once everything has arrived. */
export function Outbox({ today, shows = () => true }: OutboxProps) {
  const queue = useQueue();
  const client = useQueryClient();
  const { id } = useUser();
  useEffect(() => followOtherTabs(client, id), [client, id]);
  const [pending, rejected, sent] = [queue.pending, queue.rejected, queue.sent].map((list) => list.filter(shows)) as [
    QueueEntry[],
    QueueEntry[],
    QueueEntry[],
  ];
  const { data: preferences } = usePreferences();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    forgetSent();
    return forgetSent;
  }, []);
  // What was sent keeps its row, so that nothing moves below the pointer.
  const rows = [...pending, ...sent].sort((one, other) => one.at - other.at);
  const isSent = (entry: QueueEntry) => sent.includes(entry);
  return (
    <>
      {rejected.map((entry) => (
        <Rejected key={entry.key} entry={entry} />
      ))}
      {rows.length > 0 && (
        <section className={css.outbox} aria-labelledby="outbox">
          <div role="status">
            <h2 className="h3" id="outbox" ref={heading} tabIndex={-1}>
              {pending.length > 0
                ? `${counted(pending.length, "note")} ${pending.length === 1 ? "waits" : "wait"} here`
                : `${counted(sent.length, "note")} ${sent.length === 1 ? "was" : "were"} sent`}
            </h2>
            <p className={`hint ${css.hint}`}>
              {pending.length > 0 ? `${WAITS} You can go on reading and noting.` : "They are in your library now."}
            </p>
          </div>
          <Items>
            {rows.map((entry) => (
              <Item
                key={entry.key}
                icon={ICONS[entry.kind]}
                title={<MutationTitle entry={entry} />}
                hint={timeOf(entry.at, today, preferences?.timezone ?? undefined)}
                action={
                  isSent(entry) ? (
                    <span className={`hint ${css.sent}`}>Sent</span>
                  ) : (
                    <Withdraw entry={entry} onDone={() => heading.current?.focus({ preventScroll: true })} />
                  )
                }
              />
            ))}
          </Items>
        </section>
      )}
    </>
  );
}

function MutationTitle({ entry }: { entry: QueueEntry }) {
  const { before, after } = wordsAround(entry);
  return (
    <>
      {before}
      <bdi className="serif">{titleOf(entry)}</bdi>
      {after}
    </>
  );
}

function Withdraw({ entry, onDone }: { entry: QueueEntry; onDone: () => void }) {
  const takeBack = useWithdraw();
  const press = () => {
    onDone();
    takeBack(entry);
  };
  return (
    <Button variant="quiet" size="compact" aria-label={`Take back: ${mutationText(entry)}`} onClick={press}>
      Take back
    </Button>
  );
}

/** A mutation that the server rejected, with what was kept of it. */
function Rejected({ entry }: { entry: QueueEntry }) {
  const { id } = useUser();
  const sentence = useId();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(copyText(entry));
      toast({ title: "Copied" });
    } catch {
      // The clipboard requires HTTPS.
      toast({ title: "This browser does not let pages copy", description: copyText(entry), destructive: true });
    }
  };
  const text = entry.kind === "quote" ? entry.text : entry.kind === "list" ? entry.item.notes : null;
  return (
    <Alert className={css.rejected}>
      <p id={sentence}>
        {entry.rejected} {keptText(entry)}
      </p>
      {text && (
        <blockquote className={css.text} dir="auto">
          {text}
        </blockquote>
      )}
      <div className={css.buttons}>
        <Button size="compact" icon="copy" aria-describedby={sentence} onClick={copy}>
          Copy
        </Button>
        <Button variant="quiet" size="compact" aria-describedby={sentence} onClick={() => remove(id, entry)}>
          Discard
        </Button>
      </div>
    </Alert>
  );
}

/** When a reader acted: `Today, 8:12`, `Nov 12, 20:40`. */
function timeOf(at: number, today: string, timeZone?: string): string {
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "numeric", minute: "2-digit", hourCycle: "h23" });
  const day = dateOf(new Date(at), timeZone);
  return `${day === today ? "Today" : monthDay(day)}, ${time.format(at)}`;
}
