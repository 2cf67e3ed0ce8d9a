import { paths } from "../kit/paths";
import { Link } from "../kit/ui/Link";
import css from "./Account.module.css";

/** The date on which both policies were last changed. */
const UPDATED = "October 13, 2025";

export function TermsTab() {
  return (
    <ul className={css.policies}>
      <li>
        <Link className="serif" href={paths.terms()}>
          Terms of Service
        </Link>
        <span className="hint">updated {UPDATED}</span>
      </li>
      <li>
        <Link className="serif" href={paths.privacy()}>
          Privacy Policy
        </Link>
        <span className="hint">updated {UPDATED}</span>
      </li>
    </ul>
  );
}
