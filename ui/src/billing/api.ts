import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";

/** The plans with their prices, as the operator of this server shows them. */
export const plansQuery = queryOptions({
  queryKey: keys.plans,
  queryFn: ({ signal }) => api.get("/api/plans", { signal }),
  select: ({ data }) => data,
});

/** Cancels at the end of the paid period. A plan that an operator has set ends at once, and nearly every answer depends on it. */
export function useCancelSubscription() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post("/api/subscriptions/cancel", { immediate: false }),
    onSettled: () => {
      client.invalidateQueries();
    },
  });
}

/** Opens the payment provider's portal for cards and invoices. It leads back to the current page. */
export function useBillingPortal() {
  return useMutation({
    mutationFn: () => api.post("/api/subscriptions/billing-portal", { returnUrl: window.location.href }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}
