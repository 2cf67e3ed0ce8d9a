import { createContext, type ReactNode, use } from "react";
import { createPortal } from "react-dom";

const Place = createContext<HTMLElement | null>(null);

/** Where the head of the team's page keeps the actions of the tab that is shown. */
export const HeadPlace = Place.Provider;

/** The actions of a tab, in the head of the page: the tab owns them, the head stays when the tab changes. */
export function HeadActions({ children }: { children: ReactNode }) {
  const place = use(Place);
  return place && createPortal(children, place);
}
