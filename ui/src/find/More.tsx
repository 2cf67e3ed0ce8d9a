import { counted, whole } from "../kit/format";
import { Button } from "../kit/ui/Button";
import css from "./Find.module.css";

interface MoreProps {
  shown: number;
  matching: number;
  /** What is counted, if it is said. */
  one?: string;
  /** Fetches more; null while there is nothing to fetch. */
  more: (() => unknown) | null;
  isBusy: boolean;
}

/** How much of a list is shown, and the button for more of it. Nothing once all of it is. */
export function More({ shown, matching, one, more, isBusy }: MoreProps) {
  if (shown >= matching) return null;
  return (
    <div className={css.more}>
      <span>
        {whole(shown)} of {one ? counted(matching, one) : whole(matching)}
      </span>
      <Button size="compact" disabled={more === null} busy={isBusy && "Fetching..."} onClick={() => more?.()}>
        More
      </Button>
    </div>
  );
}
