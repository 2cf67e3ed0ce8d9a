import { type ReactNode, useEffect, useRef } from "react";

interface PageProps {
  /** The document's title; " | Shelfwise" follows it. */
  title: string;
  /** The title as it stands, for the few pages that are named otherwise. */
  bareTitle?: boolean;
  className?: string;
  children: ReactNode;
}

/** How the reader came to this page: pages that one goes back to keep their place. */
let arrived: "load" | "link" | "back" = "load";
let shown = "";
// The build draws the landing page where there is no window.
if (!import.meta.env.SSR) {
  window.addEventListener("popstate", () => {
    // A link to a place within the page counts as such an event too, and leads nowhere else.
    if (window.location.pathname !== shown) arrived = "back";
  });
}

/**
 * The main part of every page. Sets the title; after a link was followed it starts at the top, with the focus on the
 * heading, so that a screen reader tells where one is.
 */
export function Page({ title, bareTitle, className = "wrap page", children }: PageProps) {
  const main = useRef<HTMLElement>(null);

  useEffect(() => {
    document.title = bareTitle ? title : `${title} | Shelfwise`;
  }, [title, bareTitle]);

  useEffect(() => {
    if (arrived !== "load") {
      if (arrived === "link") window.scrollTo(0, 0);
      const place = main.current?.querySelector<HTMLElement>("h1") ?? main.current;
      if (place && !main.current?.contains(document.activeElement)) {
        place.tabIndex = -1;
        place.focus({ preventScroll: true });
      }
    }
    arrived = "link";
    shown = window.location.pathname;
  }, []);

  return (
    <main id="main" ref={main} className={className} tabIndex={-1}>
      {children}
    </main>
  );
}
