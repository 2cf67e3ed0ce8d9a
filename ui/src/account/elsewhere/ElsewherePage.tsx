import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useSubscription } from "../../access/subscription";
import { useToday } from "../../access/today";
import { errorMessage } from "../../kit/api/client";
import { counted, whole } from "../../kit/format";
import { paths } from "../../kit/paths";
import { Alert } from "../../kit/ui/Alert";
import { BackLink } from "../../kit/ui/BackLink";
import { Button, LinkButton } from "../../kit/ui/Button";
import { ChoiceRows } from "../../kit/ui/Choice";
import { Empty } from "../../kit/ui/Empty";
import { Fetched } from "../../kit/ui/Fetched";
import { Page } from "../../kit/ui/Page";
import { tbrQuery } from "../../library/tbr/api";
import { programsQuery, useDownload } from "./api";
import css from "./Elsewhere.module.css";
import { Losses } from "./Losses";
import { type Answers, hint, isUntried, nextStep, onTheWay, type Program } from "./model";
import { OwnFiles } from "./OwnFiles";
import { Questions } from "./Questions";

/** Takes the library to another program: which one, what does not fit, three questions, and the file. */
export default function ElsewherePage() {
  const query = useQuery(programsQuery);
  const books = useSubscription().data?.limits.bookCount;
  const { data: items } = useQuery({ ...tbrQuery, select: ({ data }) => data.length });
  return (
    <Page title="Take it elsewhere">
      <BackLink href={paths.account("connections")}>Connections</BackLink>
      <div className="page-head">
        <div>
          <h1 className="h1">Take it elsewhere</h1>
          <p className="aside-text">Your library, in the form another program reads</p>
        </div>
      </div>
      {books === 0 && items === 0 ? (
        <Empty title="Nothing to take yet" action={<LinkButton href={paths.import()}>Import</LinkButton>}>
          Add a book or bring in a library first.
        </Empty>
      ) : (
        <Fetched
          query={query}
          waiting="Counting what fits"
          failed="The list of what other programs can't hold could not be loaded."
        >
          {(programs) => <Programs programs={programs} held={heldText(books, items)} />}
        </Fetched>
      )}
    </Page>
  );
}

interface ProgramsProps {
  programs: readonly Program[];
  /** What the file holds, in words; empty while that is unknown. */
  held: string;
}

/** The books and the items of the to-be-read list, which are both in the file. */
function heldText(books: number | undefined, items: number | undefined): string {
  if (books === undefined || items === undefined) return "";
  return items === 0 ? counted(books, "book") : `${counted(books, "book")} and ${whole(items)} on your TBR`;
}

function Programs({ programs, held }: ProgramsProps) {
  const [format, setFormat] = useState<Program["format"]>("goodreads");
  const [answers, setAnswers] = useState<Answers>({});
  const program = programs.find((one) => one.format === format);
  const rows = programs.map((one) => ({
    value: one.format,
    label: (
      <>
        {one.name}
        <span className={`hint ${css.hint}`}>{hint(one)}</span>
      </>
    ),
  }));
  return (
    <div className={css.two}>
      <section className="panel" aria-labelledby="where-to">
        <h2 className="h3" id="where-to">
          Where to
        </h2>
        <fieldset className={css.programs} aria-labelledby="where-to">
          <ChoiceRows name="program" value={format} onChoose={setFormat} rows={rows} />
        </fieldset>
      </section>
      {program && <Chosen key={format} program={program} held={held} answers={answers} onAnswer={setAnswers} />}
    </div>
  );
}

interface ChosenProps {
  program: Program;
  held: string;
  answers: Answers;
  onAnswer: (answers: Answers) => void;
}

function Chosen({ program, held, answers, onAnswer }: ChosenProps) {
  const fetching = useDownload();
  const report = useRef<HTMLDivElement>(null);
  const day = useToday();
  const { isSuccess } = fetching;
  useEffect(() => {
    if (isSuccess) report.current?.focus();
  }, [isSuccess]);
  const isOwn = program.format === "shelfwise";
  if (isOwn) return <OwnFiles />;
  const file = `${program.format}-${day}.csv`;
  return (
    <div className={css.steps}>
      <div ref={report} tabIndex={-1} className={css.state}>
        {isSuccess && (
          <Alert kind="ok">
            <strong>Downloaded</strong>
            {nextStep(program, file)} Your library here is unchanged.
          </Alert>
        )}
        <Alert kind={program.losses.length === 0 ? "ok" : "note"}>{onTheWay(program, answers)}</Alert>
        {isUntried(program) && (
          <p className="hint">Modeled on the files that {program.name} itself exports. Not tried with the service.</p>
        )}
      </div>
      {program.losses.length > 0 && <Losses losses={program.losses} />}
      {program.questions.length > 0 && <Questions program={program} answers={answers} onAnswer={onAnswer} />}
      {fetching.isError && <Alert>{errorMessage(fetching.error, "The file could not be written.")}</Alert>}
      <div className={css.foot}>
        <Button
          variant="primary"
          icon="download"
          busy={fetching.isPending && "Preparing..."}
          onClick={() => fetching.mutate({ program, answers, file })}
        >
          {`Download for ${program.name}`}
        </Button>
        <span className="hint">{held === "" ? file : `${file}, ${held}`}</span>
      </div>
    </div>
  );
}
