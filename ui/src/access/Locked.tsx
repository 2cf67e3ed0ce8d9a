import type { ReactNode } from "react";
import type { Feature } from "../kit/api/types";
import { useCan } from "./subscription";

interface LockedProps {
  feature: Feature;
  /** Shown instead of the children when the plan lacks the feature. */
  locked: ReactNode;
  children: ReactNode;
}

/**
 * Shows the children when the plan includes the feature, and `locked` when it does not. The server enforces the plan in
 * any case.
 */
export function Locked({ feature, locked, children }: LockedProps) {
  return useCan()(feature) ? children : locked;
}
