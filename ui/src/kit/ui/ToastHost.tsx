import { useSyncExternalStore } from "react";
import { lazyPart } from "./lazyPart";
import { toasts } from "./toast";

const Toaster = lazyPart(() => import("./Toaster").then((all) => all.default));

/** The place where toasts appear, rendered once. The code that draws them is fetched with the first toast. */
export function ToastHost() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.now, toasts.now);
  return shown.length > 0 && <Toaster shown={shown} />;
}
