import type { ReactNode } from "react";
import { NotFetched } from "../../kit/ui/NotFetched";
import { Page } from "../../kit/ui/Page";
import { Spinner } from "../../kit/ui/Waiting";

interface ListPageProps {
  /** The title: a plural. */
  title: "Series" | "Tags";
  /** What the list has, in a few words. */
  about: string;
  /** The way to the other list. */
  action: ReactNode;
  /** The query of the list. */
  list: { data?: readonly unknown[]; isError: boolean; refetch: () => unknown };
  /** Stands in the place of a list without an entry. */
  empty: ReactNode;
  /** The list, once it is fetched. */
  children: ReactNode;
}

/** The page of all series or all tags, with its states. */
export function ListPage({ title, about, action, list, empty, children }: ListPageProps) {
  const { data, isError, refetch } = list;
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
      {!data && !isError && <Spinner>{`Fetching your ${name}`}</Spinner>}
      {isError && <NotFetched onRetry={refetch}>{`Your ${name} could not be loaded.`}</NotFetched>}
      {data?.length === 0 && empty}
      {children}
    </Page>
  );
}
