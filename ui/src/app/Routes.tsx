import { type ComponentType, type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { useLogOutPending } from "../access/logout";
import { forgetPage, isFromProvider, pageToReturnTo, rememberPage } from "../access/returning";
import { useIsPrivate, useSite } from "../access/site";
import { useViewer } from "../access/viewer";
import { paths } from "../kit/paths";
import { ServerName } from "../kit/serverName";
import { Loading } from "./Loading";
import { type LazyComponent, lazyComponent, useLazyComponent } from "./lazyPage";
import { PublicShell } from "./PublicShell";

type Load = () => Promise<{ default: ComponentType }>;

interface PageRoute {
  path: string;
  /**
   * `visitor`: a signed-in reader is redirected to the dashboard. `reader`: requires a session. `operator`: requires
   * the role admin.
   */
  audience: "anyone" | "visitor" | "reader" | "operator";
  /** The page draws its own frame, without the header. */
  bare?: boolean;
  page: LazyComponent<object>;
}

function page(path: string, audience: PageRoute["audience"], load: Load, { bare = false } = {}): PageRoute {
  return { path, audience, bare, page: lazyComponent(load) };
}

/** An address that leads to the page which has what was there, or is a part of it. */
const movedTo =
  (to: string): Load =>
  async () => ({ default: () => <Redirect to={to} replace /> });

const LOGIN = page("/login", "visitor", () => import("../account/LoginPage"), { bare: true });

const ROUTES: readonly PageRoute[] = [
  page("/", "visitor", () => import("../site/LandingPage")),
  LOGIN,
  page("/signup", "visitor", () => import("../account/SignupPage"), { bare: true }),
  page("/forgot-password", "anyone", () => import("../account/ForgotPasswordPage"), { bare: true }),
  page("/reset-password/:token", "anyone", () => import("../account/ResetPasswordPage"), { bare: true }),
  page("/setup/:code?", "anyone", () => import("../account/SetupPage"), { bare: true }),
  page("/invite/:token", "anyone", () => import("../teams/InvitePage"), { bare: true }),
  page("/pricing", "anyone", () => import("../site/pricing/PricingPage")),
  page("/privacy", "anyone", () => import("../site/PrivacyPage")),
  page("/terms", "anyone", () => import("../site/TermsPage")),
  page("/dashboard", "reader", () => import("../statistics/DashboardPage")),
  page("/reading", "reader", () => import("../reading/ReadingPage")),
  page("/years/:period", "reader", () => import("../reading/years/YearsPage")),
  page("/add-book", "reader", () => import("../library/add-book/AddBookPage")),
  page("/book/:id", "reader", () => import("../library/book/BookPage")),
  page("/tbr", "reader", () => import("../library/tbr/TbrPage")),
  page("/search", "reader", () => import("../find/SearchPage")),
  page("/quotes", "reader", movedTo(paths.search({ tab: "quotes" }))),
  page("/series/:name?", "reader", () => import("../library/shelves/SeriesPage")),
  page("/tags/:name?", "reader", () => import("../library/shelves/TagsPage")),
  page("/import/history", "reader", () => import("../library/import/history/HistoryPage")),
  page("/import/changes", "reader", movedTo(paths.history())),
  page("/import/fill-in", "reader", movedTo(paths.history())),
  page("/import", "reader", () => import("../library/import/ImportPage")),
  page("/account/export", "reader", () => import("../account/export/ExportPage")),
  page("/account/elsewhere", "reader", movedTo(paths.export())),
  page("/devices", "reader", () => import("../devices/DevicesPage")),
  page("/account", "reader", () => import("../account/AccountPage")),
  page("/team", "reader", () => import("../teams/TeamPage")),
  page("/admin", "operator", () => import("../admin/AdminPage")),
];

/** A private server shows its log-in page at the root, and has no prices. */
const PRIVATE_ROUTES: readonly PageRoute[] = ROUTES.filter(({ path }) => path !== paths.pricing()).map((route) =>
  route.path === paths.landing() ? { ...LOGIN, path: route.path } : route,
);

const NOT_FOUND = page("*", "anyone", () => import("../site/NotFoundPage"));

/** Fetches the code of the page at an address without parameters, so that it is drawn at once. */
export async function fetchPage(path: string): Promise<void> {
  await ROUTES.find((route) => route.path === path)?.page.fetch();
}

const SHELL = lazyComponent<{ children: ReactNode }>(() => import("./Shell"));

const LOG_OUT_FAILED = lazyComponent(() => import("../account/LogOutFailed"));

/** Selects the page for the address, and checks who may see it. */
export function Routes() {
  const logOutPending = useLogOutPending();
  const LogOutFailed = useLazyComponent(LOG_OUT_FAILED, logOutPending);
  const { data: site } = useSite();
  const isPrivate = useIsPrivate();
  const waiting = useWaiting();
  if (logOutPending) return LogOutFailed ? <LogOutFailed /> : <Loading />;
  const routes = isPrivate ? PRIVATE_ROUTES : ROUTES;
  return (
    <ServerName value={site?.name ?? "Shelfwise"}>
      <Switch>
        {routes.map((route) => (
          <Route key={route.path} path={route.path}>
            <Guarded route={route} waiting={waiting} />
          </Route>
        ))}
        <Route>
          <Guarded route={NOT_FOUND} waiting={waiting} />
        </Route>
      </Switch>
    </ServerName>
  );
}

/**
 * Whether it is still unknown who is signed in, or whether the server is private. A server that can't be asked counts as
 * public. The landing page that the build renders is drawn without waiting: only public servers where anyone can sign up send it.
 */
function useWaiting(): boolean {
  const { loading } = useViewer();
  const { data: site, errorUpdateCount } = useSite();
  const [isDrawn] = useState(!loading);
  return loading || (!isDrawn && site === undefined && errorUpdateCount === 0);
}

/** Leads to the log-in page, which leads back to this page. */
function ToLogin() {
  const [, navigate] = useLocation();
  useLayoutEffect(() => {
    rememberPage();
    navigate(paths.login(), { replace: true });
  }, [navigate]);
  return null;
}

function Guarded({ route, waiting }: { route: PageRoute; waiting: boolean }) {
  const { user } = useViewer();
  const forReaders = route.audience === "reader" || route.audience === "operator";
  // The page's code is fetched while the server is asked who is signed in and what it offers. So is the frame's code, if it is likely to
  // be needed.
  const Page = useLazyComponent(route.page);
  const Shell = useLazyComponent(SHELL, forReaders || user !== null);
  const hasArrived = forReaders && user !== null && !waiting;
  useEffect(() => {
    if (hasArrived) forgetPage();
  }, [hasArrived]);

  if (waiting) return <Loading />;
  if (route.audience === "visitor" && user) {
    const back = route.page === LOGIN.page ? pageToReturnTo(user.id) : null;
    return <Redirect to={back ?? paths.dashboard()} replace />;
  }
  if (user && isFromProvider() && route.path === paths.dashboard()) {
    const back = pageToReturnTo(user.id);
    if (back && !back.startsWith(paths.dashboard())) return <Redirect to={back} replace />;
  }
  if (forReaders) {
    if (!user) return <ToLogin />;
    if (route.audience === "operator" && user.role !== "admin") return <Redirect to={paths.dashboard()} replace />;
  }
  const Frame = user ? Shell : PublicShell;
  if (route.bare) return Page ? <Page /> : <Loading />;
  if (!Frame) return <Loading />;
  // The header stays while the code of the next page, or a lazy part of it, is fetched.
  return (
    <Frame>
      <Suspense fallback={<Loading bare />}>{Page ? <Page /> : <Loading bare />}</Suspense>
    </Frame>
  );
}
