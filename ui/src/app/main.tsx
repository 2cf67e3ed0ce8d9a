import type { Query } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { createRoot, hydrateRoot } from "react-dom/client";
import "../kit/styles/fonts.css";
import "../kit/styles/tokens.css";
import "../kit/styles/base.css";
import { logOutDone } from "../access/logout";
import { signedOut } from "../access/viewer";
import { installWorker } from "../kit/offline";
import { paths } from "../kit/paths";
import { createQueryClient } from "../kit/query";
import { startTheme } from "../kit/theme";
import { App } from "./App";
import { fetchPage } from "./Routes";

// Dialogs and menus lock scrolling with a style element of their own, which the policy lets pass by this nonce only.
const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce) setNonce(nonce);

startTheme();

const client = createQueryClient(signedOut);
// What was asked for before the worker listened is asked for again, so that it is kept. Nobody's being here is not.
const isKept = ({ state }: Query) => state.data !== null;
if (import.meta.env.PROD) installWorker(() => client.invalidateQueries({ predicate: isKept }));

async function start(root: HTMLElement) {
  const app = <App client={client} />;
  if (!root.hasChildNodes()) {
    createRoot(root).render(app);
    return;
  }
  // The landing page, drawn by the build, comes where the server knows that nobody is signed in. It stays as it is, its links
  // working, until all its code is there.
  signedOut(client);
  logOutDone();
  await fetchPage(paths.landing());
  hydrateRoot(root, app);
}

const root = document.getElementById("root");
if (root) start(root);
