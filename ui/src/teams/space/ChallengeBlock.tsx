import { useId } from "react";
import type { Challenge } from "../../kit/api/types";
import { whole } from "../../kit/format";
import { IconButton } from "../../kit/ui/Button";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { ChallengeDrawing } from "./ChallengeDrawing";
import css from "./Challenges.module.css";
import { daysOf, standing, timeLeft } from "./model";
import { Reader } from "./Reader";
import { readerBlues } from "./readers";

interface ChallengeBlockProps {
  challenge: Challenge;
  today: string;
  /** Set for members who may change it. */
  onEdit: ((challenge: Challenge) => void) | undefined;
}

/** A current or future challenge: its progress as a figure, as a shelf, and by reader. */
export function ChallengeBlock({ challenge, today, onEdit }: ChallengeBlockProps) {
  const heading = useId();
  const { title, members } = challenge;
  const { read, of } = standing(challenge);
  const blueOf = readerBlues(members);
  return (
    <section className={css.challenge} aria-labelledby={heading}>
      <div className={css.head}>
        <div>
          <h2 className={`h3 ${css.title}`} id={heading} dir="auto">
            {title}
          </h2>
          <p className="aside-text">
            {daysOf(challenge)}, {timeLeft(challenge, today)}
          </p>
        </div>
        {onEdit && <IconButton icon="edit" label={`Edit ${title}`} onClick={() => onEdit(challenge)} />}
      </div>
      <p className={css.big}>
        {read} <span className={css.of}>{of}</span>
      </p>
      <ChallengeDrawing challenge={challenge} />
      {members.length > 0 && (
        <Leaders className={css.readers}>
          {members.map(({ userId, displayName, value }) => (
            <Leader key={userId} name={<Reader name={displayName} blue={blueOf(userId)} />}>
              {whole(value)}
            </Leader>
          ))}
        </Leaders>
      )}
    </section>
  );
}
