import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";

const KEY = "sk_test_of_the_browser";
const SIGNING = "whsec_of_the_browser";
const DAY = 86_400;
/** Days of each price's period. */
const PRICES: Record<string, number> = {
  plus_monthly: 30,
  plus_annual: 365,
  team_monthly: 30,
  team_annual: 365,
  seat_monthly: 30,
  seat_annual: 365,
};

interface Item {
  id: string;
  quantity: number;
  current_period_end: number;
  price: { id: string };
}
interface Subscription {
  id: string;
  customer: string;
  status: string;
  created: number;
  cancel_at_period_end: boolean;
  ended_at: number | null;
  metadata: Record<string, string>;
  items: { data: Item[] };
}
interface Session {
  id: string;
  customer: string;
  status: string;
  url: string | null;
  subscription: string | null;
  price: string;
  successUrl: string;
  cancelUrl: string;
}

const seconds = () => Math.floor(Date.now() / 1000);

/**
 * A stand-in for the payment provider with pages of its own, and a Shelfwise server that uses it, for the duration of
 * some tests.
 */
export class PaidServer {
  /** The address of Shelfwise. */
  url = "";
  subscriptions = new Map<string, Subscription>();
  private sessions = new Map<string, Session>();
  private provider: Server;
  private program: ChildProcess | undefined;
  private folder = mkdtempSync(join(tmpdir(), "shelfwise-paid-"));
  private base = "";
  private number = 0;
  /** Whether checkouts are refused. */
  broken = false;

  constructor() {
    this.provider = createServer(async (request, response) => {
      const { status, body, location } = await this.answer(request);
      const page = typeof body === "string";
      response.writeHead(status, {
        "content-type": page ? "text/html" : "application/json",
        ...(location && { location }),
      });
      response.end(page ? body : JSON.stringify(body));
    });
  }

  /** Starts both. */
  async start(): Promise<void> {
    const { BINARY } = process.env;
    if (!BINARY) throw new Error("BINARY names the program");
    this.provider.listen(0, "127.0.0.1");
    await once(this.provider, "listening");
    this.base = `http://127.0.0.1:${(this.provider.address() as AddressInfo).port}`;
    const listen = `127.0.0.1:${await freePort()}`;
    this.url = `http://${listen}`;
    const prices = Object.keys(PRICES).map((name) => [
      `SHELFWISE_STRIPE_PRICES_${name.toUpperCase()}`,
      `price_${name}`,
    ]);
    const env = {
      ...process.env,
      ...Object.fromEntries(prices),
      RUST_LOG: "warn",
      SHELFWISE_STRIPE_SECRET_KEY: KEY,
      SHELFWISE_STRIPE_WEBHOOK_SECRET: SIGNING,
      SHELFWISE_STRIPE_API_BASE: this.base,
    };
    this.program = spawn(BINARY, ["serve", "--listen", listen, "--data-dir", this.folder], { env, stdio: "pipe" });
    for await (const line of this.program.stdout ?? []) if (String(line).includes("ready at")) break;
  }

  async stop(): Promise<void> {
    if (this.program) {
      const gone = once(this.program, "exit");
      this.program.kill("SIGTERM");
      await gone;
    }
    this.provider.close();
    this.provider.closeAllConnections();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The one subscription of a test with one buyer. */
  only(): Subscription {
    const [first] = this.subscriptions.values();
    if (!first || this.subscriptions.size > 1) throw new Error(`${this.subscriptions.size} subscriptions`);
    return first;
  }

  /** Changes a subscription, and notifies the server. */
  async change(subscription: Subscription, change: Partial<Subscription>): Promise<void> {
    Object.assign(subscription, change);
    await this.tell(`customer.subscription.${change.status === "canceled" ? "deleted" : "updated"}`, subscription);
  }

  private id(kind: string): string {
    this.number += 1;
    return `${kind}_browser_${this.number}`;
  }

  private async tell(type: string, object: object): Promise<void> {
    const payload = JSON.stringify({ id: this.id("evt"), type, created: seconds(), data: { object } });
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: SIGNING });
    const answer = await fetch(`${this.url}/api/stripe/webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": signature },
      body: payload,
    });
    if (!answer.ok) throw new Error(`${type}: ${answer.status} ${await answer.text()}`);
  }

  private item(id: string, price: string, quantity = 1): Item {
    const days = PRICES[price.replace("price_", "")];
    if (!days) throw new Error(`${price} is no price`);
    return { id, quantity, current_period_end: seconds() + days * DAY, price: { id: price } };
  }

  private async pay(session: Session): Promise<void> {
    const subscription: Subscription = {
      id: this.id("sub"),
      customer: session.customer,
      status: "active",
      created: seconds(),
      cancel_at_period_end: false,
      ended_at: null,
      metadata: {},
      items: { data: [this.item(this.id("si"), session.price)] },
    };
    this.subscriptions.set(subscription.id, subscription);
    Object.assign(session, { status: "complete", url: null, subscription: subscription.id });
    await this.tell("customer.subscription.created", subscription);
    await this.tell("checkout.session.completed", session);
  }

  private update(subscription: Subscription, form: URLSearchParams): Subscription {
    const ends = form.get("cancel_at_period_end");
    if (ends) subscription.cancel_at_period_end = ends === "true";
    const data = subscription.items.data;
    for (let line = 0; form.has(`items[${line}][id]`) || form.has(`items[${line}][price]`); line++) {
      const text = (name: string) => form.get(`items[${line}][${name}]`);
      const place = data.findIndex(({ id }) => id === text("id"));
      const price = text("price") ?? data[place]?.price.id ?? "";
      if (text("deleted")) data.splice(place, 1);
      else
        data[place < 0 ? data.length : place] = this.item(
          text("id") ?? this.id("si"),
          price,
          Number(text("quantity") ?? 1),
        );
    }
    return subscription;
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; body: unknown; location?: string }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const path = new URL(request.url ?? "/", this.base).pathname;
    const [, kind = "", name = ""] = /^\/(pay|portal)\/(.+)$/.exec(path) ?? [];
    if (kind === "portal") return { status: 200, body: `<h1>Portal of ${name}</h1>` };
    const session = this.sessions.get(name);
    if (session && request.method === "POST") {
      await this.pay(session);
      return { status: 303, body: "", location: session.successUrl };
    }
    if (session) {
      const leave = `<a href="${session.cancelUrl}">Leave</a>`;
      return {
        status: 200,
        body: `<h1>Pay ${session.price}</h1><form method="post"><button>Pay</button></form>${leave}`,
      };
    }
    if (request.headers.authorization !== `Bearer ${KEY}`) return refused(401, "");
    return this.call(`${request.method} ${path.replace("/v1/", "")}`, form);
  }

  private call(asked: string, form: URLSearchParams): { status: number; body: unknown } {
    const text = (key: string) => form.get(key) ?? "";
    const id = asked.split("/").at(-1) ?? "";
    const subscription = this.subscriptions.get(id);
    const session = this.sessions.get(asked.split("/")[2] ?? "");
    if (asked === "POST customers") return { status: 200, body: { id: this.id("cus") } };
    if (asked === "POST checkout/sessions") {
      if (this.broken) return refused(500, "");
      const made = this.id("cs");
      const [price, customer] = [text("line_items[0][price]"), text("customer")];
      const opened: Session = {
        id: made,
        customer,
        status: "open",
        url: `${this.base}/pay/${made}`,
        subscription: null,
        price,
        successUrl: text("success_url"),
        cancelUrl: text("cancel_url"),
      };
      this.sessions.set(made, opened);
      return { status: 200, body: opened };
    }
    if (asked.startsWith("GET checkout/sessions/") && session) return { status: 200, body: session };
    if (asked.endsWith("/expire") && session)
      return { status: 200, body: Object.assign(session, { status: "expired" }) };
    if (asked === "POST billing_portal/sessions") {
      return { status: 200, body: { url: `${this.base}/portal/${text("customer")}` } };
    }
    if (!subscription) return refused(404, "resource_missing");
    if (asked.startsWith("POST")) return { status: 200, body: this.update(subscription, form) };
    if (asked.startsWith("DELETE")) Object.assign(subscription, { status: "canceled", ended_at: seconds() });
    return { status: 200, body: subscription };
  }
}

function refused(status: number, code: string) {
  return { status, body: { error: { type: status < 500 ? "invalid_request_error" : "api_error", code } } };
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, "close");
  return port;
}
