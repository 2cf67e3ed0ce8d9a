import { useState } from "react";
import { useToday } from "../../access/today";
import { errorMessage } from "../../kit/api/client";
import { counted } from "../../kit/format";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { Fold, Folds } from "../../kit/ui/Fold";
import { useDownload } from "./api";
import css from "./Export.module.css";
import { Losses } from "./Losses";
import { type Answers, byPain, comesAlong, isUntried, NOTES, nextStep, type Program, withWhat } from "./model";
import { answersText, Questions } from "./Questions";

interface ProgramFoldProps {
  program: Program;
  books: number;
  /** The items of the to-be-read list. */
  items: number;
}

/** The losses that stand open. */
const SHOWN = 3;

/** Another program: what comes along, what it has no place for, choices with their presets, and the file. */
export function ProgramFold({ program, books, items }: ProgramFoldProps) {
  const [answers, setAnswers] = useState<Answers>({});
  const fetching = useDownload();
  const file = `${program.format}-${useToday()}.csv`;
  const { name, losses, questions } = program;
  const painful = byPain(losses);
  const more = painful.slice(SHOWN);
  return (
    <Fold title={name} holds={`${counted(books, "book")} with ${withWhat(program)}`} act="Open">
      <p>
        {comesAlong(books, items)} {NOTES[program.format]}
      </p>
      {losses.length === 0 ? (
        <p>Everything fits.</p>
      ) : (
        <div>
          <h3 className={css.losses}>{name} has no place for</h3>
          <Losses losses={painful.slice(0, SHOWN)} />
        </div>
      )}
      {more.length + questions.length > 0 && (
        <Folds>
          {more.length > 0 && (
            <Fold title={counted(more.length, "smaller thing")} act="Show">
              <Losses losses={more} />
            </Fold>
          )}
          {questions.length > 0 && (
            <Fold title="Choices" holds={answersText(program, answers)} act="Change">
              <Questions program={program} answers={answers} onAnswer={setAnswers} />
            </Fold>
          )}
        </Folds>
      )}
      {fetching.isError && <Alert>{errorMessage(fetching.error, "The file could not be written.")}</Alert>}
      <div>
        <Button
          variant="primary"
          icon="download"
          busy={fetching.isPending && "Preparing..."}
          onClick={() => fetching.mutate({ program, answers, file })}
        >
          {`Download for ${name}`}
        </Button>
        <p className={`hint ${css.next}`} role="status">
          {fetching.isSuccess && "Downloaded. "}
          {nextStep(program, file)}
        </p>
        {isUntried(program) && (
          <p className="hint">Modeled on the files that {name} itself exports. Not tried with the service.</p>
        )}
      </div>
    </Fold>
  );
}
