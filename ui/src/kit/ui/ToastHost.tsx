import { lazy, Suspense, useSyncExternalStore } from "react";
import { toasts } from "./toast";

const Toaster = lazy(() => import("./Toaster"));

/** Where toasts appear, once in the program. The drawing of them is fetched when there is one for the first time. */
export function ToastHost() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.now, toasts.now);
  if (shown.length === 0) return null;
  return (
    <Suspense>
      <Toaster shown={shown} />
    </Suspense>
  );
}
