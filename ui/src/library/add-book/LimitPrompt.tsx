import { PLAN_NAMES } from "../../access/subscription";
import { paths } from "../../kit/paths";
import { SpineRun } from "../../kit/spine/SpineRun";
import { SAMPLE_BOOKS } from "../../kit/spine/sample";
import { LinkButton } from "../../kit/ui/Button";
import css from "./AddBook.module.css";

const FULL = SAMPLE_BOOKS.slice(20);

/** Shown instead of the form when the plan has no room for another book. */
export function LimitPrompt({ limit }: { limit: number }) {
  return (
    <div className={css.full}>
      <div className={css.fullShelf}>
        <SpineRun books={FULL} width={220} height={72} scale={0.13} pad={6} />
      </div>
      <h2 className="h2">This shelf is full</h2>
      <p className="prose">
        You've reached the {limit} book limit on the {PLAN_NAMES.reader} plan. Upgrade to {PLAN_NAMES.shelfwise_plus}{" "}
        for unlimited book tracking and access to advanced analytics.
      </p>
      <LinkButton variant="primary" href={paths.pricing()}>
        Upgrade
      </LinkButton>
    </div>
  );
}
