import type { Book } from "../../kit/api/types";
import { lazyDialog } from "../../kit/ui/lazyPart";
import type { Asked } from "./ReadMenu";

const FinishDialog = lazyDialog(() => import("./FinishDialog").then((all) => all.FinishDialog));
const QuoteDialog = lazyDialog(() => import("../outbox/QuoteDialog").then((all) => all.QuoteDialog));
const StopDialog = lazyDialog(() => import("./StopDialog").then((all) => all.StopDialog));

interface AskedDialogProps {
  book: Book;
  what: Asked;
  today: string;
  onClose: () => void;
  /** The book is no longer open. */
  onGone: () => void;
}

/** The dialog of an act on an open book. */
export function AskedDialog({ book, what, today, onClose, onGone }: AskedDialogProps) {
  if (what === "quote") return <QuoteDialog book={book} onClose={onClose} />;
  if (what === "stop") return <StopDialog read={book} today={today} onClose={onClose} onStopped={onGone} />;
  return <FinishDialog book={book} onClose={onClose} onFinished={onGone} />;
}
