import type { Query } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { createRoot, hydrateRoot } from "react-dom/client";
import "../kit/styles/fonts.css";
import "../kit/styles/tokens.css";
import "../kit/styles/base.css";
import { logOutDone } from "../access/logout";
import { checkSession, followOtherTabs, shownToAnother, signedOut } from "../access/viewer";
import { installWorker } from "../kit/offline";
import { paths } from "../kit/paths";
import { createQueryClient } from "../kit/query";
import { startTheme } from "../kit/theme";
import { App } from "./App";
import { fetchPage } from "./Routes";

// Dialogs and menus lock scrolling with a style element, which the Content-Security-Policy allows only with this nonce.
const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce) setNonce(nonce);

startTheme();

const client = createQueryClient(checkSession, shownToAnother);
followOtherTabs(client);
// Answers that arrived before the worker was active are fetched again, so that the worker caches them. The answer
// "no one is signed in" is not.
const isKept = ({ state }: Query) => state.data !== null;
if (import.meta.env.PROD) installWorker(() => client.invalidateQueries({ predicate: isKept }));

async function start(root: HTMLElement) {
  const app = <App client={client} />;
  if (root.dataset.drawn === undefined) {
    createRoot(root).render(app);
    return;
  }
  // The server sends the landing page, rendered by the build, when it knows that no one is signed in. The page stays as
  // it is, with working links, until all its code is loaded.
  signedOut(client);
  logOutDone();
  await fetchPage(paths.landing());
  hydrateRoot(root, app);
}

const root = document.getElementById("root");
if (root) start(root);
