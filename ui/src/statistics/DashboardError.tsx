import { useOffline } from "../kit/offline";
import { Button } from "../kit/ui/Button";
import { NotFetched } from "../kit/ui/Fetched";
import css from "./Dashboard.module.css";
import { type Filter, isFiltered } from "./filters/filter";

/** Shown instead of the dashboard when its numbers could not be loaded. */
export function DashboardError({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={css.error} role="alert">
      <svg width="132" height="76" viewBox="0 0 132 76" aria-hidden="true">
        <g transform="rotate(78 46 70)">
          <rect className={css.ghost} x="34" y="10" width="14" height="58" rx="1.5" />
        </g>
        <rect className={css.ghost} x="8.5" y="10.5" width="16" height="61" rx="1.5" />
        <rect className={css.ghost} x="104.5" y="18.5" width="12" height="53" rx="1.5" />
        <rect className={css.board} x="0" y="72" width="132" height="3" />
      </svg>
      <h1 className="h2">Error Loading Dashboard</h1>
      <p>Failed to load your books. Please try refreshing the page.</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

/** Says above the last answer that the requested filter could not be answered. */
export function SearchFailed({ shown, onRetry }: { shown: Filter; onRetry: () => void }) {
  const isOffline = useOffline();
  return (
    <NotFetched className={css.searchFailed} onRetry={onRetry}>
      {isOffline ? "You are offline, so the page could not be filtered." : "The page could not be filtered."}{" "}
      {isFiltered(shown) ? "Showing the last result." : "Showing all your books."}
    </NotFetched>
  );
}
