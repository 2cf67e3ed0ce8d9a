import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Book, Goal } from "../kit/api/types";
import { useWidth } from "../kit/charts/useWidth";
import { counted } from "../kit/format";
import type { Blue } from "../kit/spine/blue";
import { heightOf } from "../kit/spine/size";
import { Button, IconButton, TextButton } from "../kit/ui/Button";
import { lazyDialog } from "../kit/ui/lazyPart";
import { Panel } from "../kit/ui/Panel";
import { useStepFocus } from "../kit/ui/useStepFocus";
import { goalBooksQuery } from "./api";
import { goalName, goalNumber, goalSentence, inHandSentence } from "./model";
import type { NewYear } from "./newYear";
import css from "./Reading.module.css";

const GoalDialog = lazyDialog(() => import("./GoalDialog").then((all) => all.GoalDialog));
const GoalBooksDialog = lazyDialog(() => import("./GoalBooksDialog").then((all) => all.GoalBooksDialog));

interface GoalsProps {
  /** The goals of the running year and month. */
  goals: readonly Goal[];
  today: string;
  /** Whether goals say how far ahead or behind they are. */
  pace: boolean;
  blueOf: (genre: string | undefined) => Blue;
  newYear: NewYear;
}

type Asked = { kind: "set"; goal?: Goal } | { kind: "books"; goal: Goal };

export function Goals({ goals, today, pace, blueOf, newYear: { question, decline } }: GoalsProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  // The button that removed a goal goes with it.
  const set = useStepFocus<HTMLButtonElement>(goals.length, { onlyIfLost: true });
  const close = () => setAsked(null);
  const year = today.slice(0, 4);
  const isQuiet = question === null;
  const button = (
    <Button
      ref={set}
      variant={isQuiet ? "quiet" : "outline"}
      size="compact"
      icon={isQuiet ? "plus" : undefined}
      aria-haspopup="dialog"
      onClick={() => setAsked({ kind: "set" })}
    >
      Create a goal
    </Button>
  );
  const notThisYear = () => {
    decline();
    // The button goes with its question.
    requestAnimationFrame(() => set.current?.focus());
  };
  const isAside = isQuiet && goals.length > 0;
  return (
    <Panel title="Goals" beside end={isAside && button}>
      {!isAside && (
        <div className={css.noGoal}>
          <p className="aside-text">{question ?? `No goal for ${year}. Some like one, some don't.`}</p>
          {button}
          {!isQuiet && (
            <Button variant="quiet" size="compact" onClick={notThisYear}>
              Not this year
            </Button>
          )}
        </div>
      )}
      {goals.map((goal) => {
        const name = goalName(goal, today);
        const inHand = inHandSentence(goal);
        return (
          <section key={`${goal.period} ${goal.metric}`} className={css.goal} aria-label={name}>
            <div className={css.goalHead}>
              <h3 className={css.goalName}>{name}</h3>
              <TextButton
                aria-haspopup="dialog"
                aria-label={`Which books count: ${name}`}
                onClick={() => setAsked({ kind: "books", goal })}
              >
                Which books
              </TextButton>
              <IconButton
                icon="edit"
                compact
                label={`Change the goal: ${name}`}
                aria-haspopup="dialog"
                onClick={() => setAsked({ kind: "set", goal })}
              />
            </div>
            <p className={css.goalNumber}>
              <b>{goalNumber(goal.value, goal.metric)}</b> of {goalNumber(goal.target, goal.metric)}
            </p>
            <p className={css.goalSay}>{goalSentence(goal, today, pace)}</p>
            <GoalLine goal={goal} pace={pace} blueOf={blueOf} />
            {inHand && <p className="hint">{inHand}</p>}
            {goal.withoutPages !== null && goal.withoutPages > 0 && (
              <p className="hint">
                {counted(goal.withoutPages, "of these has no page count", "of these have no page count")}.
              </p>
            )}
          </section>
        );
      })}
      {asked?.kind === "set" && <GoalDialog goals={goals} goal={asked.goal} today={today} onClose={close} />}
      {asked?.kind === "books" && <GoalBooksDialog goal={asked.goal} today={today} onClose={close} />}
    </Panel>
  );
}

const HEIGHT = 56;
const TOP = 8;
/** The usual width of a figure in px. */
const FIGURE = 7;

/** The counted books as spines on a board, dashed up to the target, with a tick where the calendar stands. */
function GoalLine({ goal, pace, blueOf }: { goal: Goal; pace: boolean; blueOf: GoalsProps["blueOf"] }) {
  const { data } = useQuery(goalBooksQuery(goal));
  const [box, width] = useWidth<HTMLDivElement>();
  const scale = width / Math.max(goal.target * 1.05, goal.value * 1.04);
  const target = goal.target * scale;
  const today = goal.expected * scale;
  const label = goalNumber(goal.target, goal.metric);
  const isAtEdge = target > width - 30;
  // The word "today" stands at the left of the target's figure, where it does not touch it.
  const labelStart = Math.min(target, width) - label.length * FIGURE * (isAtEdge ? 1 : 0.5);
  const anchor = target - today < 74 ? "end" : today < 40 ? "start" : "middle";
  let reached = 0;
  const spines = (data?.data ?? []).map((book) => {
    const x = reached;
    reached += sizeOf(book, goal.metric) * scale;
    return { book, x, width: Math.max(1, reached - x - (reached - x > 9 ? 2 : 1)) };
  });
  // Books that the plan hides count, and are not listed.
  reached = Math.max(reached, goal.value * scale);
  return (
    <div ref={box} className={css.goalLine} aria-hidden="true">
      {width > 0 && (
        <svg width={width} height={HEIGHT + 30} aria-hidden="true" focusable="false">
          {spines.map((spine) => {
            const height = (HEIGHT - TOP) * heightOf(spine.book.rating);
            return (
              <rect
                key={spine.book.id}
                x={spine.x}
                y={HEIGHT - height}
                width={spine.width}
                height={height}
                rx="1"
                fill={`var(--data-${blueOf(spine.book.genres[0])})`}
              />
            );
          })}
          {target - reached > 5 && (
            <rect
              className={css.ghost}
              x={reached + 1.5}
              y={TOP + 6}
              width={target - reached - 3}
              height={HEIGHT - TOP - 6}
              rx="1.5"
            />
          )}
          <rect className={css.board} y={HEIGHT} width={width} height="4" />
          {pace && goal.remaining > 0 && goal.expected > 0 && (
            <>
              <path className={css.tick} d={`M${today} ${HEIGHT + 4}v9`} />
              {(anchor !== "end" || today + FIGURE < labelStart) && (
                <text className={css.figure} x={today} y={HEIGHT + 25} textAnchor={anchor}>
                  today
                </text>
              )}
            </>
          )}
          <path className={css.target} d={`M${target} 2V${HEIGHT + 12}`} />
          <text
            className={css.figure}
            x={Math.min(target, width)}
            y={HEIGHT + 25}
            textAnchor={isAtEdge ? "end" : "middle"}
          >
            {label}
          </text>
        </svg>
      )}
    </div>
  );
}

function sizeOf(book: Book, metric: Goal["metric"]): number {
  return { books: 1, words: book.wordCount, pages: book.pages ?? 0, minutes: book.minutes ?? 0 }[metric];
}
