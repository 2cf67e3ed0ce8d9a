import type { ReactNode } from "react";
import type { Feature } from "../kit/api/types";
import { useCan } from "./subscription";

interface LockedProps {
  feature: Feature;
  /** In place of the children where the plan lacks the feature. */
  locked: ReactNode;
  children: ReactNode;
}

/** Shows what the plan includes, and something else where it does not. The server refuses in any case. */
export function Locked({ feature, locked, children }: LockedProps) {
  return useCan()(feature) ? children : locked;
}
