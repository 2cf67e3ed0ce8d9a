import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useZone } from "../../../access/zone";
import { errorMessage } from "../../../kit/api/client";
import type { Refill, RefillField } from "../../../kit/api/types";
import { counted } from "../../../kit/format";
import { paths } from "../../../kit/paths";
import { Alert } from "../../../kit/ui/Alert";
import { Button } from "../../../kit/ui/Button";
import { Checkbox } from "../../../kit/ui/Choice";
import { NotFetched } from "../../../kit/ui/Fetched";
import { Fold, Folds } from "../../../kit/ui/Fold";
import { Icon } from "../../../kit/ui/Icon";
import { Link } from "../../../kit/ui/Link";
import { useStepFocus } from "../../../kit/ui/useStepFocus";
import { Spinner } from "../../../kit/ui/Waiting";
import { fillInQuery, useFillIn } from "./api";
import css from "./Complete.module.css";
import { exampleText, gainsText, LABELS, notKeptText, sourceText } from "./gains";

/** What the rows of former imports can add to empty fields: a preview and one step. Absent where they can add nothing. */
export function Complete() {
  const [fields, setFields] = useState<readonly RefillField[] | null>(null);
  const { data, isError, isPlaceholderData, refetch } = useQuery(fillInQuery(fields));
  const fillIn = useFillIn();
  const frame = useStepFocus<HTMLElement>(fillIn.isSuccess);
  const zone = useZone();
  if (!data) {
    if (isError) return <NotFetched onRetry={refetch}>What your imports can add could not be loaded.</NotFetched>;
    return <Spinner>Reading your imports again</Spinner>;
  }
  const gains = data.fields.filter(({ books }) => books > 0);
  const skipped = data.files.filter(({ notKept }) => notKept > 0);
  if (gains.length + skipped.length === 0 && !fillIn.isSuccess) return null;

  const chosen = fields ?? gains.filter((one) => one.chosen).map(({ field }) => field);
  const choose = (field: RefillField, on: boolean) =>
    setFields(on ? [...chosen, field] : chosen.filter((one) => one !== field));
  return (
    <section className={`panel ${css.parts}`} aria-labelledby="complete" ref={frame} tabIndex={-1}>
      <h2 className="h2" id="complete">
        Complete from imports
      </h2>
      {fillIn.data && (
        <Alert kind="ok">
          <strong>{counted(fillIn.data.books, "book")} completed</strong>
          What you wrote was not changed. Undo stands below.
        </Alert>
      )}
      {gains.length > 0 && (
        <Folds>
          <Fold title={sourceText(data, zone)} holds={gainsText(data)} act="Review">
            <div>
              {gains.map(({ field, books, examples }) => (
                <div className={css.gain} key={field}>
                  <Checkbox
                    checked={chosen.includes(field)}
                    disabled={fillIn.isPending}
                    onChange={(event) => choose(field, event.target.checked)}
                  >
                    {LABELS[field]}
                  </Checkbox>
                  <span className={css.count}>{counted(books, "book")}</span>
                  {examples.length > 0 && (
                    <ul className={css.examples}>
                      {examples.map((example) => (
                        <Example key={example.id} field={field} {...example} />
                      ))}
                    </ul>
                  )}
                </div>
              ))}
            </div>
            {fillIn.isError && <Alert>{errorMessage(fillIn.error, "Nothing was filled in. Please try again.")}</Alert>}
            {isError && <NotFetched onRetry={refetch}>The number of books could not be loaded.</NotFetched>}
            <div>
              <Button
                variant="primary"
                busy={fillIn.isPending && `Filling in ${counted(data.books, "book")}...`}
                disabled={isPlaceholderData || data.books === 0}
                onClick={() => fillIn.mutate(chosen, { onSuccess: () => setFields(null) })}
              >
                {data.books === 0 ? "Choose what to fill in" : `Fill in ${counted(data.books, "book")}`}
              </Button>
              <p className={`hint ${css.note}`}>What you changed yourself stays.</p>
            </div>
          </Fold>
        </Folds>
      )}
      {skipped.length > 0 && (
        <Alert kind="note">
          {skipped.map((file) => (
            <p key={file.importId}>
              {notKeptText(file, zone)} Choose the file again, and only what is missing is added.
            </p>
          ))}
          <Link href={paths.import()}>Choose the file</Link>
        </Alert>
      )}
    </section>
  );
}

type ExampleProps = { field: RefillField } & Refill["fields"][number]["examples"][number];

function Example({ field, title, before, after }: ExampleProps) {
  return (
    <li>
      <span className="serif" dir="auto">
        {title}
      </span>
      <span className={css.values}>
        <span dir="auto">{exampleText(field, before)}</span>
        <Icon name="right" small />
        <span className="vh">becomes</span>
        <span className={css.after} dir="auto">
          {exampleText(field, after)}
        </span>
      </span>
    </li>
  );
}
