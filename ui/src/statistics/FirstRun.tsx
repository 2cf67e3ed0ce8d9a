import type { ReactNode } from "react";
import type { Kpis as Figures } from "../kit/api/types";
import { paths } from "../kit/paths";
import { LinkButton } from "../kit/ui/Button";
import { FiguresWithout } from "./charts/Figures";
import css from "./Dashboard.module.css";
import { Kpis } from "./Kpis";
import { EmptyShelf } from "./shelf/EmptyShelf";

interface StartProps {
  title: string;
  children: ReactNode;
  action: ReactNode;
}

function Start({ title, children, action }: StartProps) {
  return (
    <div className={css.start}>
      <h3 className="h3">{title}</h3>
      <p>{children}</p>
      <div className={css.startAction}>{action}</div>
    </div>
  );
}

/** The dashboard of a library without a book: an empty shelf, and three ways to add the first book. */
export function FirstRun({ figures }: { figures: Figures }) {
  return (
    <>
      <section className={css.firstShelf} aria-labelledby="first-run">
        <EmptyShelf />
        <div className={css.first}>
          <h2 className="h1" id="first-run">
            An empty shelf, and room for a few million words
          </h2>
          <p className={css.lead}>
            Every book you log stands here as a spine: thicker for more words, taller for a better rating. Three ways to
            put the first one up.
          </p>
        </div>
      </section>
      <section className={`section ${css.starts}`} aria-label="Ways to start">
        <Start
          title="Add a book"
          action={
            <LinkButton variant="primary" icon="plus" href={paths.addBook()}>
              Add Book
            </LinkButton>
          }
        >
          Title, author and a date are enough. A word count gives the spine its thickness.
        </Start>
        <Start
          title="Import a CSV"
          action={
            <LinkButton icon="upload" href={paths.import()}>
              Import CSV
            </LinkButton>
          }
        >
          Bring the export of your current reading tracker as it is, or use our template. You check the columns before
          anything is saved.
        </Start>
        <Start
          title="Start a to-be-read list (TBR)"
          action={
            <LinkButton icon="plus" href={paths.addToTbr()}>
              Add to TBR
            </LinkButton>
          }
        >
          Nothing finished yet? Put down what you mean to read next, in the order you mean to read it.
        </Start>
      </section>
      <Kpis figures={figures} today="" />
      <FiguresWithout state="empty" />
    </>
  );
}
