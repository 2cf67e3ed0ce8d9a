import { type ReactNode, use, useEffect, useRef } from "react";
import { ServerName } from "../serverName";

interface PageProps {
  /** The document's title; " | " and the name of the server, usually Shelfwise, are appended. */
  title: string;
  /** Use the title without the suffix, for the few pages that are named otherwise. */
  bareTitle?: boolean;
  /** Drawn in place of the page until its data arrives. */
  waiting?: boolean;
  className?: string;
  children: ReactNode;
}

/** How the reader came to this page. A page that the reader goes back to keeps its scroll position. */
let arrived: "load" | "link" | "back" = "load";
let shown = "";
// There is no window while the build renders the landing page.
if (!import.meta.env.SSR) {
  window.addEventListener("popstate", () => {
    // A link to a place within the page fires this event, too, and opens no other page.
    if (window.location.pathname !== shown) arrived = "back";
  });
}

/**
 * The main element of every page. It sets the document's title. After a link it scrolls to the top and focuses the
 * heading, so that a screen reader announces the page.
 */
export function Page({ title, bareTitle, waiting = false, className = "wrap page", children }: PageProps) {
  const main = useRef<HTMLElement>(null);
  const serverName = use(ServerName);

  useEffect(() => {
    document.title = bareTitle ? title : `${title} | ${serverName}`;
  }, [title, bareTitle, serverName]);

  useEffect(() => {
    if (arrived !== "load") {
      if (arrived === "link") window.scrollTo(0, 0);
      const place = main.current?.querySelector<HTMLElement>("h1") ?? main.current;
      if (!waiting && place && !main.current?.contains(document.activeElement)) {
        place.tabIndex = -1;
        place.focus({ preventScroll: true });
      }
    }
    if (waiting) return;
    arrived = "link";
    shown = window.location.pathname;
  }, [waiting]);

  return (
    <main id="main" ref={main} className={className} tabIndex={-1}>
      {children}
    </main>
  );
}
