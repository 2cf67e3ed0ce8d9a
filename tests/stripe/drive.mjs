// Stripe's own client for Node.js against the provider of the tests, and its own signature against our webhook.
// Prints what came of it as one JSON object; tests/it/outside/billing_outside.rs says what that must be.
import { createRequire } from "node:module";

const [stripeModule, base, key, signing, webhook, event] = process.argv.slice(2);
const Stripe = createRequire(stripeModule)("stripe");
const { hostname: host, port } = new URL(base);
const client = (apiKey) => new Stripe(apiKey, { host, port, protocol: "http", maxNetworkRetries: 0, telemetry: false });
const stripe = client(key);

/** What kind of error a call ends in. */
async function refusal(call) {
  try {
    await call();
    return null;
  } catch (error) {
    return [error.type, error.code ?? "", error.statusCode];
  }
}

const said = {};
const once = { idempotencyKey: "one-customer" };
const customer = await stripe.customers.create({ email: "nora@example.org" }, once);
said.sameCustomer = (await stripe.customers.create({ email: "nora@example.org" }, once)).id === customer.id;
said.otherForm = await refusal(() => stripe.customers.create({ email: "other@example.org" }, once));

const page = {
  mode: "subscription",
  customer: customer.id,
  line_items: [{ price: "price_team_monthly", quantity: 1 }],
  success_url: "http://127.0.0.1:8080/account",
  subscription_data: { metadata: { shelfwise_plan: "shelfwise_team" } },
};
const left = await stripe.checkout.sessions.create(page);
said.expired = (await stripe.checkout.sessions.expire(left.id)).status;
said.expiredTwice = await refusal(() => stripe.checkout.sessions.expire(left.id));
const session = await stripe.checkout.sessions.create(page);
said.open = [session.object, session.status, session.subscription];
const paid = await fetch(session.url, { redirect: "manual" });
said.ledTo = [paid.status, paid.headers.get("location")];
const complete = await stripe.checkout.sessions.retrieve(session.id);
said.complete = [complete.status, complete.url];

let subscription = await stripe.subscriptions.retrieve(complete.subscription);
const line = subscription.items.data[0];
said.subscription = [subscription.status, subscription.metadata.shelfwise_plan, line.price.id, typeof line.current_period_end];
subscription = await stripe.subscriptions.update(subscription.id, {
  items: [{ id: line.id }, { price: "price_seat_monthly", quantity: 3 }],
  cancel_at_period_end: true,
  proration_behavior: "always_invoice",
  payment_behavior: "error_if_incomplete",
});
const seats = subscription.items.data[1];
said.changed = [subscription.cancel_at_period_end, subscription.items.data.length, seats.price.id, seats.quantity];
said.listed = (await stripe.subscriptions.list({ limit: 1 })).data.length;
said.portal = (await stripe.billingPortal.sessions.create({ customer: customer.id, return_url: page.success_url })).url;
said.canceled = (await stripe.subscriptions.cancel(subscription.id, { prorate: true, invoice_now: true })).status;
said.canceledTwice = await refusal(() => stripe.subscriptions.cancel(subscription.id));

said.noCustomer = await refusal(() => stripe.checkout.sessions.create({ ...page, customer: "cus_nobody" }));
said.noSubscription = await refusal(() => stripe.subscriptions.retrieve("sub_none"));
said.noPrice = await refusal(() => stripe.prices.retrieve("price_none"));
said.wrongKey = await refusal(() => client("sk_test_wrong").customers.retrieve(customer.id));

// The event as its own library signs it, sent to our server.
const now = Math.floor(Date.now() / 1000);
const header = (secret, timestamp) => stripe.webhooks.generateTestHeaderString({ payload: event, secret, timestamp });
async function send(signature) {
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  return (await fetch(webhook, { method: "POST", headers, body: event })).status;
}
said.forged = await send(header("whsec_of_somebody_else", now));
said.old = await send(header(signing, now - 301));
said.signed = await send(header(signing, now));
console.log(JSON.stringify(said));
