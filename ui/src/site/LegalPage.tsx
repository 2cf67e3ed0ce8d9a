import type { ReactNode } from "react";
import { paths } from "../kit/paths";
import { Link } from "../kit/ui/Link";
import { Page } from "../kit/ui/Page";
import { Footer } from "./Footer";
import css from "./LegalPage.module.css";
import { ScrollToTop } from "./ScrollToTop";

const LAST_UPDATED = "October 13, 2025";

interface LegalPageProps {
  title: string;
  /** A summary before the sections. */
  intro: ReactNode;
  /** In their order; the numbers are added here. */
  sections: readonly { title: string; body: ReactNode }[];
  /** What the reader acknowledges by using the program. */
  acknowledgment: string;
}

/** A policy: a table of contents beside numbered sections, and a box at the end. */
export function LegalPage({ title, intro, sections, acknowledgment }: LegalPageProps) {
  return (
    <>
      <Page title={title}>
        <Link className={css.back} href={paths.landing()}>
          Back to home
        </Link>
        <div className="page-head">
          <div>
            <h1 className="h1">{title}</h1>
            <p className="aside-text">Last updated {LAST_UPDATED}</p>
          </div>
        </div>
        <div className={css.legal}>
          <nav className={css.contents} aria-label="Sections">
            <ol>
              {sections.map((section, i) => (
                <li key={section.title}>
                  <a href={`#section-${i + 1}`}>
                    <span className={css.number}>{i + 1}.</span>
                    {section.title}
                  </a>
                </li>
              ))}
            </ol>
          </nav>
          <div className={`prose ${css.body}`}>
            <p className={css.intro}>{intro}</p>
            {sections.map((section, i) => (
              <section key={section.title} aria-labelledby={`section-${i + 1}`}>
                <h2 id={`section-${i + 1}`}>
                  {i + 1}. {section.title}
                </h2>
                {section.body}
              </section>
            ))}
            <p className={css.acknowledgment}>{acknowledgment}</p>
          </div>
        </div>
      </Page>
      <Footer />
      <ScrollToTop />
    </>
  );
}
