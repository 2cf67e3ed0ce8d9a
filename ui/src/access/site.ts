import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import { paths } from "../kit/paths";

/** What this server offers to everyone, signed in or not. */
export const siteQuery = queryOptions({
  queryKey: keys.site,
  queryFn: ({ signal }) => api.get("/api/site", { signal }),
});

export function useSite() {
  return useQuery(siteQuery);
}

/**
 * Whether this is a private server, where every reader has every feature and nothing is said about plans and prices.
 * Every part that shows a plan asks here. False until the server has answered; the pages wait for that (`app/Routes`).
 */
export function useIsPrivate(): boolean {
  return useSite().data?.instance === "private";
}

/** The page after a log-out. It does not send the browser on to a sign-in provider, which would sign the reader in again. */
export function useAfterLogOut(): string {
  return useSite().data?.loginRedirect ? paths.login({ stay: true }) : paths.landing();
}

/** Whether people sign in with a password. True until the server has answered. */
export function usePasswordLogin(): boolean {
  return useSite().data?.passwordLogin !== false;
}

/**
 * Whether pages offer to sign up: where anyone can make an account with a password, or through a provider. True until the server
 * has answered.
 */
export function useOffersSignUp(): boolean {
  const { signup = "open", passwordLogin, signupProviders = [] } = useSite().data ?? {};
  return signupProviders.length > 0 || (signup === "open" && passwordLogin !== false);
}
