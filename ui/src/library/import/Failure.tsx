import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import css from "./Import.module.css";

interface FailureProps {
  sentence: string;
  onRetry: () => void;
  onAnother: () => void;
}

/** Says why a file could not be read or imported. The file and the choices stay, and a retry never imports twice. */
export function Failure({ sentence, onRetry, onAnother }: FailureProps) {
  const ended = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
  return (
    <>
      <Alert>
        <strong>Import failed</strong>
        {ended} Your file and choices are still here, and trying again imports nothing twice.
      </Alert>
      <div className={`form-foot ${css.actions}`}>
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
        <Button variant="quiet" onClick={onAnother}>
          Choose another file
        </Button>
      </div>
    </>
  );
}
