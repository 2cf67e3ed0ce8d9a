import Markdown from "markdown-to-jsx/react";
import { type ComponentProps, Fragment } from "react";
import { useSite } from "../access/site";
import { paths } from "../kit/paths";
import { Link } from "../kit/ui/Link";
import { Page } from "../kit/ui/Page";
import { Footer } from "./Footer";
import css from "./LegalPage.module.css";
import { legalText } from "./legalText";
import { ScrollToTop } from "./ScrollToTop";

const Anchor = ({ href = "", title: _, ...props }: ComponentProps<"a">) =>
  href.startsWith("/") ? <Link href={href} {...props} /> : <a href={href} {...props} />;

/** An operator may put a text of his own in the place of ours. It can't bring HTML. */
const OPTIONS = {
  wrapper: Fragment,
  forceBlock: true,
  disableParsingRawHTML: true,
  overrides: { a: Anchor },
} as const;

/** A policy: a table of contents beside numbered sections, and a box at the end, which is a quotation in the text. */
export function LegalPage({ text }: { text: string }) {
  const { data: site } = useSite();
  const { title, updated, intro, sections } = legalText(text, site);
  return (
    <>
      <Page title={title}>
        <Link className={css.back} href={paths.landing()}>
          Back to home
        </Link>
        <div className="page-head">
          <div>
            <h1 className="h1">{title}</h1>
            {updated && <p className="aside-text">{updated}</p>}
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
            <div className={css.intro}>
              <Markdown options={OPTIONS}>{intro}</Markdown>
            </div>
            {sections.map((section, i) => (
              <section key={section.title} aria-labelledby={`section-${i + 1}`}>
                <h2 id={`section-${i + 1}`}>
                  {i + 1}. {section.title}
                </h2>
                <Markdown options={OPTIONS}>{section.body}</Markdown>
              </section>
            ))}
          </div>
        </div>
      </Page>
      <Footer />
      <ScrollToTop />
    </>
  );
}
