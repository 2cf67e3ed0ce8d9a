import { useIsPrivate } from "../access/site";
import { paths } from "../kit/paths";
import { Link } from "../kit/ui/Link";
import css from "./Footer.module.css";

/** The footer of the public pages. */
export function Footer() {
  const isPrivate = useIsPrivate();
  return (
    <footer className={`wrap ${css.foot}`}>
      <div className={css.inside}>
        <span>© 2025 Shelfwise</span>
        {!isPrivate && <Link href={paths.pricing()}>Pricing</Link>}
        <Link href={paths.privacy()}>Privacy Policy</Link>
        <Link href={paths.terms()}>Terms of Service</Link>
        <span className={css.colophon}>Set in Literata and Hanken Grotesk.</span>
      </div>
    </footer>
  );
}
