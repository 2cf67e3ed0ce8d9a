import { lazy, Suspense, useSyncExternalStore } from "react";
import { toasts } from "./toast";

const Toaster = lazy(() => import("./Toaster"));

/** The place where toasts appear, rendered once. The code that draws them is fetched with the first toast. */
export function ToastHost() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.now, toasts.now);
  if (shown.length === 0) return null;
  return (
    <Suspense>
      <Toaster shown={shown} />
    </Suspense>
  );
}
