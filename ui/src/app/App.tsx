import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ComponentProps, StrictMode } from "react";
import { Router } from "wouter";
import { BASE } from "../kit/base";
import { leave, useShownLocation, useShownSearch } from "../kit/leaving";
import { ToastHost } from "../kit/ui/ToastHost";
import { Boundary } from "./Boundary";
import { Routes } from "./Routes";

/** A page that is opened in place of another, such as the log-in page for an ended session, opens without a question. */
const askFirst: ComponentProps<typeof Router>["aroundNav"] = (navigate, to, options) =>
  options?.replace ? navigate(to, options) : leave(() => navigate(to, options));

/** The whole interface, for the browser and for the build, which renders the landing page (`ssrPath`). */
export function App({ client, ssrPath }: { client: QueryClient; ssrPath?: string }) {
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <Router
          base={BASE}
          hook={useShownLocation}
          searchHook={useShownSearch}
          aroundNav={askFirst}
          {...(ssrPath ? { ssrPath } : {})}
        >
          <Boundary>
            <Routes />
          </Boundary>
        </Router>
        <ToastHost />
      </QueryClientProvider>
    </StrictMode>
  );
}
