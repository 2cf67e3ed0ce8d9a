import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { subscriptionQuery } from "../access/subscription";
import { api } from "../kit/api/client";

/** The plans with their prices, as the operator of this server shows them. */
export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: ({ signal }) => api.get("/api/plans", { signal }),
  select: ({ data }) => data,
});

/** Cancels at the end of what was paid for; a plan that the operator set ends at once. */
export function useCancelSubscription() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post("/api/subscriptions/cancel", { immediate: false }),
    onSettled: () => client.invalidateQueries({ queryKey: subscriptionQuery.queryKey }),
  });
}

/** Where the payment provider shows cards and invoices; it leads back to the page that one comes from. */
export function useBillingPortal() {
  return useMutation({
    mutationFn: () => api.post("/api/subscriptions/billing-portal", { returnUrl: window.location.href }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}
