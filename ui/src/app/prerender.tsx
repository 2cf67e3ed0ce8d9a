import { renderToString } from "react-dom/server";
import { Router } from "wouter";
import { viewerQuery } from "../access/viewer";
import { paths } from "../kit/paths";
import { createQueryClient } from "../kit/query";
import { TITLE } from "../site/LandingPage";
import { App } from "./App";
import { Loading } from "./Loading";
import { fetchPage } from "./Routes";

/** What the build renders: the landing page with its title, and what a reader sees while a page's code is fetched. */
export interface Prerendered {
  title: string;
  landing: string;
  loading: string;
}

/** Renders the landing page as a visitor first sees it (`landing.ts`), and the beginning of a reader's first page (`first-visits.ts`). */
export async function prerender(): Promise<Prerendered> {
  const path = paths.landing();
  const client = createQueryClient(() => undefined);
  client.setQueryData(viewerQuery.queryKey, () => null);
  await fetchPage(path);
  const landing = renderToString(<App client={client} ssrPath={path} />);
  client.clear();
  const loading = renderToString(
    <Router ssrPath={paths.dashboard()}>
      <Loading />
    </Router>,
  );
  return { title: TITLE, landing, loading };
}
