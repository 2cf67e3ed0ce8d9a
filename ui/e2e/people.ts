import { execFileSync } from "node:child_process";
import type { APIRequestContext, Page } from "@playwright/test";

export const PASSWORD = "a shelf of one's own";

/** The time zone of the readers and of their browsers. */
export const TIME_ZONE = process.env.TIME_ZONE ?? "Europe/Oslo";

/** An address that no account has. */
export function newEmail(name = "reader"): string {
  return `${name}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}@example.org`;
}

/** Signs a new reader up through the API, in the page's own cookie jar. */
export async function signUp(page: Page, name = "Nora Lindqvist"): Promise<string> {
  const email = newEmail();
  const answer = await page.request.post("/api/auth/signup", {
    data: { email, password: PASSWORD, displayName: name, timezone: TIME_ZONE },
  });
  if (!answer.ok()) throw new Error(`${answer.status()}: ${await answer.text()}`);
  return email;
}

/** Runs a command of the program beside the running server, on the same data; `input` is its standard input. */
function command(args: readonly string[], input?: string): void {
  const { BINARY, DATA_DIR } = process.env;
  if (!BINARY || !DATA_DIR) throw new Error("BINARY and DATA_DIR name the program and its data");
  execFileSync(BINARY, [...args, "--data-dir", DATA_DIR], { stdio: "pipe", input });
}

/** Sets a reader's plan on the command line, as an operator does. */
export function setPlan(email: string, plan: "reader" | "shelfwise_plus" | "shelfwise_team"): void {
  command(["plan", "set", email, plan]);
}

/** Makes an operator, which only the command line can do, and signs them in, in the page's own cookie jar. */
export async function beOperator(page: Page, name = "Ida Berg"): Promise<string> {
  const email = newEmail("operator");
  command(["user", "create", email, "--name", name, "--admin"], `${PASSWORD}\n`);
  await logIn(page, email, PASSWORD);
  return email;
}

/** Signs a reader in through the API, in the page's own cookie jar. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  const answer = await page.request.post("/api/auth/login", { data: { email, password } });
  if (!answer.ok()) throw new Error(`${answer.status()}: ${await answer.text()}`);
}

/** GET as JSON, in the page's own session. */
export async function get<T>(request: APIRequestContext, path: string): Promise<T> {
  const answer = await request.get(path);
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Today, for the readers. */
export function today(): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: TIME_ZONE }).format(new Date());
}
