import { useQuery } from "@tanstack/react-query";
import { useSubscription } from "../../access/subscription";
import { useToday } from "../../access/today";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { BackLink } from "../../kit/ui/BackLink";
import { LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { Fetched } from "../../kit/ui/Fetched";
import { Folds } from "../../kit/ui/Fold";
import { Item, Items } from "../../kit/ui/Items";
import { Page } from "../../kit/ui/Page";
import { tbrQuery } from "../../library/tbr/api";
import { programsQuery } from "./api";
import css from "./Export.module.css";
import { isOwn } from "./model";
import { OwnFile } from "./OwnFile";
import { ProgramFold } from "./ProgramFold";

/** Every way out: everything, spreadsheets, and the files of other programs with what each has no place for. */
export default function ExportPage() {
  const today = useToday();
  const programs = useQuery(programsQuery);
  const books = useSubscription().data?.limits.bookCount;
  const { data: items } = useQuery({ ...tbrQuery, select: ({ data }) => data.length });
  return (
    <Page title="Export">
      <BackLink href={paths.account("connections")}>Account</BackLink>
      <div className="page-head">
        <h1 className="h1">Export</h1>
      </div>
      <div className={`narrow ${css.parts}`}>
        <section className={`panel ${css.everything}`} aria-labelledby="everything">
          <div>
            <h2 className="h2" id="everything">
              Everything
            </h2>
            <p className="hint">
              A zip with your books, days, goals, list, covers and preferences, and the original rows of what you
              imported. Another Shelfwise reads it without loss.
            </p>
          </div>
          <OwnFile variant="primary" path="/api/account/export" file={`shelfwise-export-${today}.zip`}>
            Complete export
          </OwnFile>
        </section>
        <section aria-labelledby="spreadsheets" className="panel">
          <h2 className="h2" id="spreadsheets">
            Spreadsheets
          </h2>
          <Items bare>
            <Item
              icon="file"
              title="Books"
              hint={`${books === undefined ? "Your books" : counted(books, "book")}, a row for each read. Import reads it back.`}
              action={
                <OwnFile
                  size="compact"
                  path="/api/account/export/books.csv"
                  file={`shelfwise-books-${today}.csv`}
                  nothing={books === 0 && "You don't have any books to export"}
                >
                  Export data
                </OwnFile>
              }
            />
            <Item
              icon="file"
              title="To be read"
              hint={`${items === undefined ? "Your list" : counted(items, "book")}, in your order`}
              action={
                <OwnFile
                  size="compact"
                  path="/api/account/export/tbr.csv"
                  file={`shelfwise-tbr-${today}.csv`}
                  nothing={items === 0 && "You don't have any TBR items to export"}
                >
                  Export TBR
                </OwnFile>
              }
            />
          </Items>
        </section>
        {books === 0 && items === 0 && (
          <Empty title="Nothing to export yet" action={<LinkButton href={paths.addBook()}>Add Book</LinkButton>}>
            Other programs have a place here once there is a book.
          </Empty>
        )}
        {books !== undefined && items !== undefined && books + items > 0 && (
          <section aria-labelledby="programs" className={`panel ${css.programs}`}>
            <h2 className="h2" id="programs">
              Other programs
            </h2>
            <Fetched
              query={programs}
              waiting="Counting what fits"
              failed="The list of what other programs have a place for could not be loaded."
            >
              {(all) => (
                <Folds>
                  {all
                    .filter((one) => !isOwn(one))
                    .map((program) => (
                      <ProgramFold key={program.format} program={program} books={books} items={items} />
                    ))}
                </Folds>
              )}
            </Fetched>
          </section>
        )}
      </div>
    </Page>
  );
}
