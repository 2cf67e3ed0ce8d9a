import { paths } from "../kit/paths";
import { SpineRun } from "../kit/spine/SpineRun";
import { SAMPLE_BOOKS } from "../kit/spine/sample";
import { LinkButton } from "../kit/ui/Button";
import { Page } from "../kit/ui/Page";
import css from "./NotFoundPage.module.css";

const BEFORE = SAMPLE_BOOKS.slice(14, 36);
const AFTER = SAMPLE_BOOKS.slice(36);

/** Shown for any address that has no page: a gap in the shelf. */
export default function NotFoundPage() {
  return (
    <Page title="404 Page Not Found" bareTitle className={`page ${css.page}`}>
      <div className="wrap">
        <h1 className="h1">404 Page Not Found</h1>
        <p className={css.lead}>
          There is a gap here where a page should be. It may have been moved, or lent to someone who never brought it
          back.
        </p>
        <div className={css.actions}>
          <LinkButton variant="primary" href={paths.dashboard()}>
            Go to the dashboard
          </LinkButton>
          <LinkButton href={paths.landing()}>Home page</LinkButton>
        </div>
      </div>
      <div className={css.row} aria-hidden="true">
        <div className={css.spines}>
          <SpineRun books={BEFORE} width={1800} height={190} scale={0.34} align="right" slice pad={14} />
        </div>
        <svg className={css.gap} viewBox="0 0 84 204" aria-hidden="true" focusable="false">
          <rect className={css.ghost} x="6.5" y="40.5" width="71" height="163" rx="2" />
          <text className={css.number} transform="translate(42 122) rotate(90)" textAnchor="middle" dy=".34em">
            404
          </text>
        </svg>
        <div className={css.spines}>
          <SpineRun books={AFTER} width={1800} height={190} scale={0.34} slice pad={14} />
        </div>
      </div>
      <div className={css.board} />
    </Page>
  );
}
