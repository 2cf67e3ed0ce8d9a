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
import { type Act, copyText, deedText, keptText, titleOf, wordsAround } from "./acts";
import css from "./Outbox.module.css";
import { drop, forgetSent } from "./queue";
import { followOtherTabs, takeBack } from "./send";
import { useActs, WAITS } from "./useOutbox";

const ICONS: Record<Act["kind"], IconName> = { place: "book", finish: "check", list: "plus", quote: "edit" };

interface OutboxProps {
  today: string;
  /** Which acts the page shows; all unless given. */
  shows?: (act: Act) => boolean;
}

/** What waits for a connection, and what the server refused. Draws nothing once everything has arrived. */
export function Outbox({ today, shows = () => true }: OutboxProps) {
  const acts = useActs();
  const client = useQueryClient();
  const { id } = useUser();
  useEffect(() => followOtherTabs(client, id), [client, id]);
  const [waiting, refused, sent] = [acts.waiting, acts.refused, acts.sent].map((list) => list.filter(shows)) as [
    Act[],
    Act[],
    Act[],
  ];
  const { data: preferences } = usePreferences();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    forgetSent();
    return forgetSent;
  }, []);
  // What was sent keeps its row, so that nothing moves below the pointer.
  const rows = [...waiting, ...sent].sort((one, other) => one.at - other.at);
  const isSent = (act: Act) => sent.includes(act);
  return (
    <>
      {refused.map((act) => (
        <Refused key={act.key} act={act} />
      ))}
      {rows.length > 0 && (
        <section className={css.outbox} aria-labelledby="outbox">
          <div role="status">
            <h2 className="h3" id="outbox" ref={heading} tabIndex={-1}>
              {waiting.length > 0
                ? `${counted(waiting.length, "note")} ${waiting.length === 1 ? "waits" : "wait"} here`
                : `${counted(sent.length, "note")} ${sent.length === 1 ? "was" : "were"} sent`}
            </h2>
            <p className={`hint ${css.hint}`}>
              {waiting.length > 0 ? `${WAITS} You can go on reading and noting.` : "They are in your library now."}
            </p>
          </div>
          <Items>
            {rows.map((act) => (
              <Item
                key={act.key}
                icon={ICONS[act.kind]}
                title={<Deed act={act} />}
                hint={timeOf(act.at, today, preferences?.timezone ?? undefined)}
                action={
                  isSent(act) ? (
                    <span className={`hint ${css.sent}`}>Sent</span>
                  ) : (
                    <TakeBack act={act} onDone={() => heading.current?.focus({ preventScroll: true })} />
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

function Deed({ act }: { act: Act }) {
  const { before, after } = wordsAround(act);
  return (
    <>
      {before}
      <bdi className="serif">{titleOf(act)}</bdi>
      {after}
    </>
  );
}

function TakeBack({ act, onDone }: { act: Act; onDone: () => void }) {
  const { id } = useUser();
  const client = useQueryClient();
  const press = async () => {
    onDone();
    const done = await takeBack(client, id, act);
    if (done === "sent")
      toast({ title: "Already sent", description: "Change it on the book’s page.", destructive: true });
    if (done === "unknown")
      toast({
        title: "Taken back here",
        description: "The server may have it already. If your library shows it, change it there.",
      });
  };
  return (
    <Button variant="quiet" size="compact" aria-label={`Take back: ${deedText(act)}`} onClick={press}>
      Take back
    </Button>
  );
}

/** An act that the server refused, with what was kept of it. */
function Refused({ act }: { act: Act }) {
  const { id } = useUser();
  const sentence = useId();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(copyText(act));
      toast({ title: "Copied" });
    } catch {
      // The clipboard requires HTTPS.
      toast({ title: "This browser does not let pages copy", description: copyText(act), destructive: true });
    }
  };
  const text = act.kind === "quote" ? act.text : act.kind === "list" ? act.item.notes : null;
  return (
    <Alert className={css.refused}>
      <p id={sentence}>
        {act.refused} {keptText(act)}
      </p>
      {text && (
        <blockquote className={css.text} dir="auto">
          {text}
        </blockquote>
      )}
      <div className={css.acts}>
        <Button size="compact" icon="copy" aria-describedby={sentence} onClick={copy}>
          Copy
        </Button>
        <Button variant="quiet" size="compact" aria-describedby={sentence} onClick={() => drop(id, act)}>
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
