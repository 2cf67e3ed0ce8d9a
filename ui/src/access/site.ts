import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";

/** What this server offers to everybody, signed in or not. */
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

/** Whether pages offer to sign up: always on a public server, on a private one only while sign-up is open. */
export function useOffersSignUp(): boolean {
  const { data: site } = useSite();
  return site?.instance !== "private" || site.signup === "open";
}
