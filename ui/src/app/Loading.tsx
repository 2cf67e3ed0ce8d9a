import { paths } from "../kit/paths";
import { Topbar } from "../kit/ui/Topbar";
import { Spinner } from "../kit/ui/Waiting";
import css from "./Loading.module.css";

/**
 * Shown while the server is asked who is signed in, or while a page's code is fetched (`bare`: the header is shown
 * already).
 */
export function Loading({ bare }: { bare?: boolean }) {
  return (
    <>
      {!bare && <Topbar home={paths.landing()} />}
      <main id="main" className={css.waiting} aria-busy="true">
        <h1 className="vh">Shelfwise</h1>
        <Spinner>Opening your library</Spinner>
      </main>
    </>
  );
}
