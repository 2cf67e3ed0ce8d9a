import { useSyncExternalStore } from "react";
import { Icon } from "../kit/ui/Icon";
import css from "./OfflineLine.module.css";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Says under the header that what is shown may be old. */
export function OfflineLine() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!online && (
        <div className={css.line}>
          <div className={`wrap ${css.inside}`}>
            <Icon name="offline" />
            <p>Offline. Showing your library as last seen</p>
          </div>
        </div>
      )}
    </div>
  );
}
