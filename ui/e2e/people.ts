import { execFileSync } from "node:child_process";
import type { APIRequestContext, Page } from "@playwright/test";

export const PASSWORD = "a shelf of one's own";

/** An address that nobody has yet. */
export function newEmail(name = "reader"): string {
  return `${name}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}@example.org`;
}

/** Signs somebody new up through the API, in the page's own cookie jar. */
export async function signUp(page: Page, name = "Nora Lindqvist"): Promise<string> {
  const email = newEmail();
  const answer = await page.request.post("/api/auth/signup", {
    data: { email, password: PASSWORD, displayName: name, timezone: "Europe/Oslo" },
  });
  if (!answer.ok()) throw new Error(`${answer.status()}: ${await answer.text()}`);
  return email;
}

/** Sets somebody's plan as the operator does, at the command line beside the running server. */
export function setPlan(email: string, plan: "reader" | "shelfwise_plus" | "shelfwise_team"): void {
  const { BINARY, DATA_DIR } = process.env;
  if (!BINARY || !DATA_DIR) throw new Error("BINARY and DATA_DIR name the program and its data");
  execFileSync(BINARY, ["plan", "set", email, plan, "--data-dir", DATA_DIR], { stdio: "pipe" });
}

/** GET as JSON, in the page's own session. */
export async function get<T>(request: APIRequestContext, path: string): Promise<T> {
  const answer = await request.get(path);
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Today in the time zone that the tests' readers and browsers live in. */
export function today(): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Oslo" }).format(new Date());
}
