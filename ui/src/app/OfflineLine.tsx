import { useOffline } from "../kit/offline";
import { Icon } from "../kit/ui/Icon";
import css from "./OfflineLine.module.css";

/** Says below the header that the data may be out of date. */
export function OfflineLine() {
  const offline = useOffline();
  return (
    <div role="status">
      {offline && (
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
