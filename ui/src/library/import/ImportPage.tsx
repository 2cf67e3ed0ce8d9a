import { useState } from "react";
import type { UndoneImport } from "../../kit/api/types";
import { paths } from "../../kit/paths";
import { Link } from "../../kit/ui/Link";
import { Page } from "../../kit/ui/Page";
import { toast } from "../../kit/ui/toast";
import { useStepFocus } from "../../kit/ui/useStepFocus";
import { Aside } from "./Aside";
import { type ChosenFile, chosenFile } from "./api";
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
  | { at: "refused"; name: string; size: number; sentence: string }
  | { at: "chosen"; file: ChosenFile; isNew: boolean }
  | { at: "done"; imported: Imported };

/** Reads the content of a file once, or returns why it is refused. */
async function read(file: File): Promise<Step> {
  const { name, size } = file;
  const sentence = refusal(name, size);
  if (sentence) return { at: "refused", name, size, sentence };
  try {
    return { at: "chosen", file: await chosenFile(file), isNew: false };
  } catch {
    return { at: "refused", name, size, sentence: "This file could not be read. Nothing was imported." };
  }
}

/** Imports books and TBR items from a file: choose, check, import, and undo. */
export default function ImportPage() {
  const [step, setStep] = useState<Step>({ at: "start" });
  const steps = useStepFocus<HTMLDivElement>(step);

  const choose = async (file: File | undefined) => {
    if (file) setStep(await read(file));
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
              isNew={step.isNew}
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
