import { createContext, type ReactNode, use } from "react";
import { createPortal } from "react-dom";

const Place = createContext<HTMLElement | null>(null);

/** The element in the team page's head that holds the actions of the current tab. */
export const HeadPlace = Place.Provider;

/** Renders a tab's actions in the head of the page. The tab owns the actions; the head stays when the tab changes. */
export function HeadActions({ children }: { children: ReactNode }) {
  const place = use(Place);
  return place && createPortal(children, place);
}
