import { useState } from "react";
import type { UndoneImport } from "../../kit/api/types";
import { paths } from "../../kit/paths";
import { Link } from "../../kit/ui/Link";
import { Page } from "../../kit/ui/Page";
import { toast } from "../../kit/ui/toast";
import { useStepFocus } from "../../kit/ui/useStepFocus";
import { Aside } from "./Aside";
import { type ChosenFile, type RefusedFile as Refused, readFile } from "./api";
import { FileImport } from "./FileImport";
import { FilePicker } from "./FilePicker";
import css from "./Import.module.css";
import { type Imported, ImportResultView } from "./ImportResultView";
import { refusal } from "./model";
import { RefusedFile } from "./RefusedFile";
import { NO_FILE } from "./texts";
import { UndoneReport } from "./UndoneReport";

type Step =
  | { at: "start"; undone?: UndoneImport }
  | Refused
  | { at: "chosen"; file: ChosenFile; isNew?: boolean }
  | { at: "done"; imported: Imported };

/** Imports books and TBR items from a file: choose, check, import, and undo. */
export default function ImportPage() {
  const [step, setStep] = useState<Step>({ at: "start" });
  const steps = useStepFocus<HTMLDivElement>(step);

  const choose = async (file: File | undefined) => {
    if (file) setStep(await readFile(file, refusal));
    else toast({ title: NO_FILE, destructive: true });
  };
  const restart = () => setStep({ at: "start" });

  return (
    <Page title="Import">
      <div className="page-head">
        <h1 className="h1">Import</h1>
        <Link className={css.history} href={paths.history()}>
          History and undo
        </Link>
      </div>
      <div className={css.grid}>
        <div className={css.steps} ref={steps} tabIndex={-1}>
          {step.at === "start" && (
            <>
              {step.undone && <UndoneReport undone={step.undone} />}
              <FilePicker onChoose={choose} />
            </>
          )}
          {step.at === "refused" && <RefusedFile {...step} onRemove={restart} />}
          {step.at === "chosen" && (
            <FileImport
              key={step.file.id}
              file={step.file}
              isNew={step.isNew ?? false}
              onNew={() => setStep({ ...step, isNew: true })}
              onRemove={restart}
              onDone={(imported) => setStep({ at: "done", imported })}
            />
          )}
          {step.at === "done" && (
            <ImportResultView
              {...step.imported}
              onAnother={restart}
              onUndone={(undone) => setStep({ at: "start", undone })}
            />
          )}
        </div>
        {(step.at === "start" || step.at === "refused") && <Aside />}
      </div>
    </Page>
  );
}
