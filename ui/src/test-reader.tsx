import { QueryClientProvider } from "@tanstack/react-query";
import { configure, render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import type { ReactNode } from "react";
import { signedIn, signedOut } from "./access/viewer";
import type { CurrentSubscription, Preferences, Site, User } from "./kit/api/types";
import { createQueryClient } from "./kit/query";
import { ToastHost } from "./kit/ui/ToastHost";

// The code of a toast or a page is read from the disk at its first use, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

/** A signed-in reader with the server's answers, for tests of pages. */
export const NORA: User = {
  id: 1,
  displayName: "Nora Lindqvist",
  email: "nora@example.org",
  role: "user",
  stripeCustomerId: null,
  createdAt: "2025-01-01T00:00:00Z",
};

export const PREFERENCES: Preferences = {
  theme: null,
  brightness: 100,
  contrast: 100,
  sepia: 0,
  grayscale: 0,
  defaultStatsView: "words",
  defaultFormat: "Print",
  autoDetectReread: false,
  betaFeaturesEnabled: false,
  shareWithTeam: false,
  timezone: "Europe/Amsterdam",
  hemisphere: null,
  ratingStep: 1,
  streak: "off",
  goalPace: true,
  dayStartsAt: 0,
  finishByItself: false,
};

export const READER: CurrentSubscription = {
  subscription: {
    plan: "reader",
    status: "active",
    currentPeriodEnd: null,
    billingInterval: null,
    cancelAtPeriodEnd: false,
    source: "none",
  },
  team: null,
  limits: { bookLimit: 150, bookCount: 112, historyMonths: 11 },
  features: [],
  billingEnabled: false,
};

export const PLUS: CurrentSubscription = {
  ...READER,
  subscription: { ...READER.subscription, plan: "shelfwise_plus", source: "operator" },
  limits: { bookLimit: null, bookCount: 412, historyMonths: null },
  features: [
    "unlimited_books",
    "unlimited_history",
    "advanced_charts",
    "format_analytics",
    "author_analytics",
    "custom_themes",
    "custom_defaults",
    "beta_features",
  ],
};

/** A family's server: everyone has everything, and new readers come by invitation. */
export const PRIVATE: Site = {
  instance: "private",
  name: "The Okafor shelf",
  signup: "invite",
  signupProviders: [],
  passwordLogin: true,
  proxyLogin: false,
  loginRedirect: null,
  mail: false,
  billing: false,
  demo: false,
  planSwitcher: true,
  shares: true,
  lookup: [],
  offlineCatalogue: false,
  operator: "Chidi Okafor",
  contact: "chidi@okafor.example",
  governingLaw: null,
};

/** Every word that a private server must not show. */
export const OF_PLANS = /upgrade|billing|pricing|premium|subscription|\$/i;

/** The answers of a server without payments and teams. A test adds its own answers before them. */
export const ANSWERS = [
  http.get("*/api/auth/me", () => HttpResponse.json({ user: NORA })),
  http.get("*/api/preferences", () => HttpResponse.json({ preferences: PREFERENCES })),
  http.get("*/api/subscriptions/current", () => HttpResponse.json(READER)),
  http.get("*/api/site", () => HttpResponse.json({ signup: "open", operator: "Ida", contact: "ida@example.org" })),
  http.get("*/api/account/tokens", () => HttpResponse.json({ data: [] })),
  http.get("*/api/teams/current", () => HttpResponse.json({ team: null })),
  http.get("*/api/tbr", () => HttpResponse.json({ data: [{}, {}, {}] })),
  http.get("*/api/*", () => HttpResponse.json({ error: "Not here.", code: "not_found" }, { status: 404 })),
];

/** Renders a page for Nora, or for another user. */
export function renderAs(user: User | null, page: ReactNode) {
  const client = createQueryClient(signedOut);
  if (user) signedIn(client, user);
  else signedOut(client);
  return render(
    <QueryClientProvider client={client}>
      {page}
      <ToastHost />
    </QueryClientProvider>,
  );
}

/** Waits for a toast. Its title is in the page a second time, for screen readers. */
export function toastSays(title: string): Promise<HTMLElement> {
  return screen.findByText(title, { selector: "[data-state] *" });
}
