import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { PLAN_NAMES, subscriptionQuery } from "../access/subscription";
import { Alert } from "../kit/ui/Alert";
import css from "./Account.module.css";

/** Milliseconds between two checks of a payment that is being confirmed. */
const ASKS_AGAIN = 5_000;

/**
 * What the reader sees after coming back from the checkout. The payment provider's message may arrive later than the
 * reader.
 */
export function CheckoutReturn() {
  const { data } = useQuery({
    ...subscriptionQuery,
    refetchInterval: ({ state }) => (state.data?.subscription.plan === "reader" ? ASKS_AGAIN : false),
  });
  const plan = data?.subscription.plan;
  const before = useRef(plan);
  const client = useQueryClient();
  useEffect(() => {
    // Nearly every answer depends on the plan, and some were given while the payment was not confirmed.
    if (before.current === "reader" && plan !== "reader") client.invalidateQueries();
    before.current = plan;
  }, [plan, client]);
  if (!plan) return null;
  if (plan === "reader") {
    return (
      <Alert kind="note" className={css.note}>
        Your payment is being confirmed. The plan changes here as soon as it is, usually within a minute.
      </Alert>
    );
  }
  return (
    <Alert kind="ok" className={css.note}>
      <strong>Welcome to {PLAN_NAMES[plan]}</strong>
      Your payment has arrived, and the plan is active.
    </Alert>
  );
}
