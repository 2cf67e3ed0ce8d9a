import { counted } from "../../kit/format";
import { Radio } from "../../kit/ui/Choice";
import css from "./Export.module.css";
import type { Answers, Loss, Program, Question } from "./model";

interface Asked {
  name: string;
  /** The loss that the question is about. */
  what: Loss["what"];
  choices: readonly { label: string; value: Answers[Question] }[];
}

const STEPS: Partial<Record<Program["format"], string>> = { hardcover: "half star", openreads: "half star" };

function asked(question: Question, { format }: Program): Asked {
  const below = ["openreads", "yamtrack"].includes(format) ? "Add them to the notes" : "Add them to the review";
  switch (question) {
    case "roughDates":
      return {
        name: "Rough dates",
        what: "rough-dates",
        choices: [
          { label: "Write the last possible day", value: undefined },
          { label: "Leave the date out", value: "none" },
        ],
      };
    case "ratings":
      return {
        name: "Half points",
        what: "half-points",
        choices: [
          { label: `To the nearest ${STEPS[format] ?? "star"}`, value: undefined },
          { label: "Always up", value: "up" },
          { label: "Always down", value: "down" },
        ],
      };
    case "quotes":
      return {
        name: "Quotes",
        what: "quotes",
        choices: [
          { label: "Leave them out", value: undefined },
          { label: below, value: "append" },
        ],
      };
  }
}

/** The answers that hold: `Half points: To the nearest star. Quotes: Leave them out` */
export function answersText(program: Program, answers: Answers): string {
  const said = program.questions.map((question) => {
    const { name, choices } = asked(question, program);
    return `${name}: ${choices.find(({ value }) => value === answers[question])?.label ?? ""}`;
  });
  return said.join(". ");
}

interface QuestionsProps {
  program: Program;
  answers: Answers;
  onAnswer: (answers: Answers) => void;
}

/** The questions that matter for this library, each with its count. */
export function Questions({ program, answers, onAnswer }: QuestionsProps) {
  const { format, questions, losses } = program;
  return (
    <div className={css.questions}>
      {questions.map((question) => {
        const { name, what, choices } = asked(question, program);
        return (
          <fieldset key={question}>
            <legend className="label">{name}</legend>
            <p className="hint">{counted(losses.find((loss) => loss.what === what)?.count ?? 0, "book")}</p>
            {choices.map(({ label, value }) => (
              <Radio
                key={label}
                name={`${format} ${question}`}
                checked={answers[question] === value}
                onChange={() => onAnswer({ ...answers, [question]: value })}
              >
                {label}
              </Radio>
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}
