import type { ReactNode } from "react";
import { Fetched } from "../../kit/ui/Fetched";
import { Page } from "../../kit/ui/Page";

interface ListPageProps {
  /** The title: a plural. */
  title: "Series" | "Tags";
  /** What the list has, in a few words. */
  about: string;
  /** The way to the other list. */
  action: ReactNode;
  /** The query of the list. */
  list: { data: readonly unknown[] | undefined; error: unknown; refetch: () => unknown };
  /** Stands in the place of a list without an entry. */
  empty: ReactNode;
  /** The list, once it is fetched. */
  children: ReactNode;
}

/** The page of all series or all tags, with its states. */
export function ListPage({ title, about, action, list, empty, children }: ListPageProps) {
  const name = title.toLowerCase();
  return (
    <Page title={title}>
      <div className="page-head">
        <div>
          <h1 className="h1">{title}</h1>
          <p className="aside-text">{about}</p>
        </div>
        <div className="page-head-actions">{action}</div>
      </div>
      <Fetched query={list} waiting={`Fetching your ${name}`} failed={`Your ${name} could not be loaded.`}>
        {(data) => data.length === 0 && empty}
      </Fetched>
      {children}
    </Page>
  );
}
