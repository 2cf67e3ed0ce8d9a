import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { ToastHost } from "../kit/ui/ToastHost";
import { Boundary } from "./Boundary";
import { Routes } from "./Routes";

/** The whole interface, for the browser and for the build, which renders the landing page. */
export function App({ client }: { client: QueryClient }) {
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <Boundary>
          <Routes />
        </Boundary>
        <ToastHost />
      </QueryClientProvider>
    </StrictMode>
  );
}
