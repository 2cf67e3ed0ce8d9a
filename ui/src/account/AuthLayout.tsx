import type { ReactNode } from "react";
import { paths } from "../kit/paths";
import { SpineRun } from "../kit/spine/SpineRun";
import { SAMPLE_BOOKS } from "../kit/spine/sample";
import { Brand } from "../kit/ui/Brand";
import { Page } from "../kit/ui/Page";
import { ThemeButton } from "../kit/ui/ThemeButton";
import css from "./AuthLayout.module.css";

interface AuthLayoutProps {
  /** The heading. It is also the document's title unless `named` is given. */
  title: string;
  named?: string;
  children: ReactNode;
  /** One line below the shelf board: a link to the other form. */
  after: ReactNode;
}

const LEFT = [...SAMPLE_BOOKS].reverse();
const RIGHT = SAMPLE_BOOKS.slice(4);
const BELOW = SAMPLE_BOOKS.slice(31);

/** The layout of the sign-in forms: the form is the cover of a book that faces forward among spines. */
export function AuthLayout({ title, named = title, children, after }: AuthLayoutProps) {
  return (
    <div className={css.page}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className={`wrap ${css.bar}`}>
        <Brand href={paths.landing()} />
        <ThemeButton />
      </header>
      <Page title={named} className={css.shelf}>
        <div className={css.row}>
          <div className={css.spines}>
            <SpineRun books={LEFT} width={1400} height={300} scale={0.34} align="right" slice pad={20} />
          </div>
          <section className={css.book} aria-labelledby="auth-title">
            <h1 className="h1" id="auth-title">
              {title}
            </h1>
            {children}
          </section>
          <div className={css.spines}>
            <SpineRun books={RIGHT} width={1400} height={300} scale={0.34} slice pad={20} />
          </div>
        </div>
        <div className={css.mini}>
          <SpineRun books={BELOW} width={360} height={74} scale={0.145} pad={6} />
        </div>
        <div className={css.board} />
        <p className={css.after}>{after}</p>
      </Page>
    </div>
  );
}
