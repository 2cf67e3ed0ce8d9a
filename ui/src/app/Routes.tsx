import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useViewer } from "../access/viewer";
import { paths } from "../kit/paths";
import { Opening } from "./Opening";
import { PublicShell } from "./PublicShell";

type Load = () => Promise<{ default: ComponentType }>;

interface PageRoute {
  path: string;
  /** `visitor`: whoever is signed in is sent on. `reader`: signed in. `operator`: an admin. */
  door: "anyone" | "visitor" | "reader" | "operator";
  /** Draws its own frame, without the header. */
  bare?: boolean;
  load: Load;
  Page: LazyExoticComponent<ComponentType>;
}

function page(path: string, door: PageRoute["door"], load: Load, { bare = false } = {}): PageRoute {
  return { path, door, load, bare, Page: lazy(load) };
}

const ROUTES: readonly PageRoute[] = [
  page("/", "visitor", () => import("../site/LandingPage")),
  page("/login", "visitor", () => import("../account/LoginPage"), { bare: true }),
  page("/signup", "visitor", () => import("../account/SignupPage"), { bare: true }),
  page("/forgot-password", "anyone", () => import("../account/ForgotPasswordPage"), { bare: true }),
  page("/reset-password/:token", "anyone", () => import("../account/ResetPasswordPage"), { bare: true }),
  page("/invite/:token", "anyone", () => import("../teams/InvitePage"), { bare: true }),
  page("/pricing", "anyone", () => import("../site/pricing/PricingPage")),
  page("/privacy", "anyone", () => import("../site/PrivacyPage")),
  page("/terms", "anyone", () => import("../site/TermsPage")),
  page("/dashboard", "reader", () => import("../statistics/DashboardPage")),
  page("/add-book", "reader", () => import("../library/add-book/AddBookPage")),
  page("/tbr", "reader", () => import("../library/tbr/TbrPage")),
  page("/import", "reader", () => import("../library/import/ImportPage")),
  page("/account", "reader", () => import("../account/AccountPage")),
  page("/team", "reader", () => import("../teams/TeamPage")),
  page("/admin", "operator", () => import("../admin/AdminPage")),
];

const NOT_FOUND = page("*", "anyone", () => import("../site/NotFoundPage"));

const loadShell = () => import("./Shell");
const Shell = lazy(loadShell);

/** Which page an address shows, and who may see it. */
export function Routes() {
  return (
    <Switch>
      {ROUTES.map((route) => (
        <Route key={route.path} path={route.path}>
          <Guarded route={route} />
        </Route>
      ))}
      <Route>
        <Guarded route={NOT_FOUND} />
      </Route>
    </Switch>
  );
}

function Guarded({ route }: { route: PageRoute }) {
  const { user, loading } = useViewer();
  // The page's code is fetched while the server is asked who this is, not after. A failure shows when it is drawn.
  route.load().catch(() => undefined);
  if (route.door === "reader" || route.door === "operator") loadShell().catch(() => undefined);

  if (loading) return <Opening />;
  if (route.door === "visitor" && user) return <Redirect to={paths.dashboard()} replace />;
  if (route.door === "reader" || route.door === "operator") {
    if (!user) return <Redirect to={paths.login()} replace />;
    if (route.door === "operator" && user.role !== "admin") return <Redirect to={paths.dashboard()} replace />;
  }
  return (
    <Framed bare={route.bare} signedIn={user !== null}>
      <route.Page />
    </Framed>
  );
}

/** A page within its header. The header stays while the next page's code is fetched. */
function Framed({ bare, signedIn, children }: { bare?: boolean; signedIn: boolean; children: ReactNode }) {
  const Frame = signedIn ? Shell : PublicShell;
  if (signedIn) loadShell().catch(() => undefined);
  return (
    <Suspense fallback={<Opening />}>
      {bare ? (
        children
      ) : (
        <Frame>
          <Suspense fallback={<Opening bare />}>{children}</Suspense>
        </Frame>
      )}
    </Suspense>
  );
}
