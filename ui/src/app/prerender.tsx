import { renderToString } from "react-dom/server";
import { Router } from "wouter";
import { viewerQuery } from "../access/viewer";
import { paths } from "../kit/paths";
import { createQueryClient } from "../kit/query";
import { TITLE } from "../site/LandingPage";
import { App } from "./App";
import { fetchPage } from "./Routes";

/** Renders the landing page as a visitor first sees it. The build (`landing.ts`) puts it into a page of its own. */
export async function prerender(): Promise<{ title: string; html: string }> {
  const path = paths.landing();
  const client = createQueryClient(() => undefined);
  client.setQueryData(viewerQuery.queryKey, () => null);
  await fetchPage(path);
  const html = renderToString(
    <Router ssrPath={path}>
      <App client={client} />
    </Router>,
  );
  client.clear();
  return { title: TITLE, html };
}
