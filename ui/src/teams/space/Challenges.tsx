import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { usePreferences } from "../../access/preferences";
import { useToday } from "../../access/today";
import type { Challenge, Team } from "../../kit/api/types";
import { paths } from "../../kit/paths";
import { Alert } from "../../kit/ui/Alert";
import { Button, IconButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { Fetched } from "../../kit/ui/Fetched";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { Link } from "../../kit/ui/Link";
import { HeadActions } from "../HeadActions";
import { isLapsed, manages } from "../model";
import { challengesQuery } from "./api";
import { ChallengeBlock } from "./ChallengeBlock";
import { ChallengeDialog } from "./ChallengeDialog";
import css from "./Challenges.module.css";
import { daysOf, isPast, standing } from "./model";

/** The team's challenges: current and future ones as shelves that fill, and past ones as a list. */
export default function Challenges({ team }: { team: Team }) {
  const query = useQuery(challengesQuery);
  const [edited, setEdited] = useState<Challenge | "new" | null>(null);
  const today = useToday();
  const mayEdit = manages(team.role);
  const onEdit = mayEdit ? setEdited : undefined;
  const lapsed = isLapsed(team);
  return (
    <>
      {mayEdit && (
        <HeadActions>
          <Button variant="primary" icon="plus" disabled={lapsed} onClick={() => setEdited("new")}>
            Create a challenge
          </Button>
        </HeadActions>
      )}
      {lapsed && (
        <Alert kind="note" className={css.note}>
          No one pays for the team at the moment. Its challenges go on being counted; a new one needs the plan.
        </Alert>
      )}
      <Fetched query={query} waiting="Fetching the challenges" failed="The challenges could not be loaded.">
        {(data) =>
          data.length > 0 ? (
            <Listed challenges={data} today={today} onEdit={onEdit} />
          ) : (
            <NoChallenges>
              {mayEdit && !lapsed ? (
                <Button icon="plus" onClick={() => setEdited("new")}>
                  Create a challenge
                </Button>
              ) : null}
            </NoChallenges>
          )
        }
      </Fetched>
      {edited && (
        <ChallengeDialog challenge={edited === "new" ? null : edited} today={today} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

function NoChallenges({ children }: { children: ReactNode }) {
  return (
    <Empty title="No challenges yet" action={children}>
      {children
        ? "Set a target in words or books, and fill the shelf together."
        : "A target in words or books, and a shelf to fill together: the owner or an admin sets one."}
    </Empty>
  );
}

interface ListedProps {
  challenges: readonly Challenge[];
  today: string;
  /** Set for members who may change a challenge. */
  onEdit: ((challenge: Challenge) => void) | undefined;
}

function Listed({ challenges, today, onEdit }: ListedProps) {
  const { data: preferences } = usePreferences();
  // The server lists the challenges that end last first; this list starts with the one that ends next.
  const open = challenges.filter((challenge) => !isPast(challenge, today)).reverse();
  const past = challenges.filter((challenge) => isPast(challenge, today));
  const anyone = challenges.some(({ members }) => members.length > 0);
  return (
    <>
      {open.length > 0 && (
        <div className={css.challenges}>
          {open.map((challenge) => (
            <ChallengeBlock key={challenge.id} challenge={challenge} today={today} onEdit={onEdit} />
          ))}
        </div>
      )}
      {preferences?.shareWithTeam === false && (
        <Alert kind="note" className={css.note}>
          <p>
            {anyone ? "You don’t share, so your books are not counted here." : "No one shares yet."} A challenge counts
            the finished books of members who share. <Link href={paths.account("preferences")}>Share my books</Link>
          </p>
        </Alert>
      )}
      {past.length > 0 && <PastChallenges challenges={past} onEdit={onEdit} />}
    </>
  );
}

function PastChallenges({ challenges, onEdit }: Omit<ListedProps, "today">) {
  const heading = useId();
  return (
    <section className="section panel" aria-labelledby={heading}>
      <h2 className={`h3 ${css.past}`} id={heading}>
        Past challenges
      </h2>
      <Leaders>
        {challenges.map((challenge) => {
          const { read, of } = standing(challenge);
          // On a narrow page the two numbers stay on one line.
          const figures = `${read}\u00a0${of.replace("of ", "of\u00a0")}`;
          return (
            <Leader
              key={challenge.id}
              className={css.pastRow}
              name={
                <>
                  <span className={`serif ${css.pastTitle}`} dir="auto">
                    {challenge.title}
                  </span>{" "}
                  <span className="muted nowrap">{daysOf(challenge)}</span>
                </>
              }
            >
              {onEdit ? (
                <span className={css.pastValue}>
                  {figures}
                  <IconButton compact icon="edit" label={`Edit ${challenge.title}`} onClick={() => onEdit(challenge)} />
                </span>
              ) : (
                figures
              )}
            </Leader>
          );
        })}
      </Leaders>
    </section>
  );
}
