import { paths } from "../kit/paths";
import { LinkButton } from "../kit/ui/Button";
import { Page } from "../kit/ui/Page";
import css from "./NotFoundPage.module.css";

/** Any address that the program does not have: a gap in the shelf. */
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
      <div className={css.board} />
    </Page>
  );
}
