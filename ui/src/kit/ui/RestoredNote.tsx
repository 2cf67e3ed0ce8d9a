import { Alert } from "./Alert";
import { TextButton } from "./Button";

/** Says above a form that it holds a draft, which can be discarded. */
export function RestoredNote({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Alert kind="note" icon="undo">
      Restored what you had typed before. <TextButton onClick={onStartOver}>Start over</TextButton>
    </Alert>
  );
}
