import css from "./Brand.module.css";
import { Link } from "./Link";

/** The logo and the name as a link. */
export function Brand({ href }: { href: string }) {
  return (
    <Link className={css.brand} href={href}>
      <svg className={css.mark} viewBox="0 0 26 26" aria-hidden="true" focusable="false">
        <rect className="d1" x="2" y="5" width="5" height="16" rx="1" />
        <rect className="d2" x="8.5" y="9" width="3" height="12" rx="1" />
        <rect className="d3" x="13" y="3" width="6" height="18" rx="1" />
        <rect className="d6" x="20.5" y="7.5" width="3.5" height="13.5" rx="1" />
        <rect className={css.board} x="0" y="21" width="26" height="2.25" />
      </svg>
      <span>Shelfwise</span>
    </Link>
  );
}
