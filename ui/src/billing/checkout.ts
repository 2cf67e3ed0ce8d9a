import { useIsMutating, useMutation } from "@tanstack/react-query";
import { api, errorMessage } from "../kit/api/client";
import type { Interval } from "../kit/api/types";
import { BASE } from "../kit/base";
import { toast } from "../kit/ui/toast";

interface Order {
  plan: "shelfwise_plus" | "shelfwise_team";
  billingInterval: Interval;
  teamName?: string;
}

const CHECKOUT = ["checkout"] as const;

/**
 * Starts a checkout: the browser goes to the address that the server returns. Every card is `busy` while one checkout
 * is starting.
 */
export function useCheckout() {
  const { mutate, mutateAsync, isSuccess } = useMutation({
    mutationKey: CHECKOUT,
    mutationFn: (order: Order) => {
      const address = window.location.origin + BASE;
      const returns = { successUrl: `${address}/account?success=true`, cancelUrl: `${address}/pricing?canceled=true` };
      return api.post("/api/subscriptions/checkout", { ...order, ...returns });
    },
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) =>
      toast({ title: "Error", description: errorMessage(error, "Failed to start checkout"), destructive: true }),
  });
  const busy = useIsMutating({ mutationKey: CHECKOUT }) > 0 || isSuccess;
  return { start: mutate, startAsync: mutateAsync, busy };
}
