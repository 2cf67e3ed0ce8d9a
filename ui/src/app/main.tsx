import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../kit/styles/fonts.css";
import "../kit/styles/tokens.css";
import "../kit/styles/base.css";
import { signedOut } from "../access/viewer";
import { installWorker } from "../kit/offline";
import { createQueryClient } from "../kit/query";
import { startTheme } from "../kit/theme";
import { ToastHost } from "../kit/ui/ToastHost";
import { Boundary } from "./Boundary";
import { Routes } from "./Routes";

// Dialogs and menus lock scrolling with a style element of their own, which the policy lets pass by this nonce only.
const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce) setNonce(nonce);

startTheme();

const client = createQueryClient(signedOut);
// What was asked for before the worker listened is asked for again, so that it is kept.
if (import.meta.env.PROD) installWorker(() => client.invalidateQueries());

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Boundary>
          <Routes />
        </Boundary>
        <ToastHost />
      </QueryClientProvider>
    </StrictMode>,
  );
}
