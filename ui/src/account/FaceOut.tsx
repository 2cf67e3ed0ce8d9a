import type { ReactNode } from "react";
import { paths } from "../kit/paths";
import { Brand } from "../kit/ui/Brand";
import { Page } from "../kit/ui/Page";
import { ThemeButton } from "../kit/ui/ThemeButton";
import css from "./FaceOut.module.css";

interface FaceOutProps {
  /** The heading, and the document's title unless `named` says otherwise. */
  title: string;
  named?: string;
  children: ReactNode;
  /** One line below the board: the other door. */
  after: ReactNode;
}

/** The page of every door: a book that stands face out among spines, its cover the form. */
export function FaceOut({ title, named = title, children, after }: FaceOutProps) {
  return (
    <div className={css.door}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className={`wrap ${css.bar}`}>
        <Brand href={paths.landing()} />
        <ThemeButton />
      </header>
      <Page title={named} className={css.shelf}>
        <div className={css.row}>
          <section className={css.book} aria-labelledby="door-title">
            <h1 className="h1" id="door-title">
              {title}
            </h1>
            {children}
          </section>
        </div>
        <div className={css.board} />
        <p className={css.after}>{after}</p>
      </Page>
    </div>
  );
}
