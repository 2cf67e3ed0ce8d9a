import css from "./BackLink.module.css";
import { Icon } from "./Icon";
import { Link } from "./Link";

/** Leads from a page to the one above it, by its name. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link className={css.back} href={href}>
      <Icon name="right" small />
      {children}
    </Link>
  );
}
