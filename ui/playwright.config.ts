import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { BELOW } from "./e2e/below";

const port = process.env.PORT ?? "18080";
const address = `http://127.0.0.1:${port}${BELOW?.path ?? ""}`;
// The proxy has the port, and the server the next.
const own = BELOW ? Number(port) + 1 : port;
const binary = process.env.BINARY;
// The workers read this file again and must use the same folder.
process.env.DATA_DIR ??= mkdtempSync(join(tmpdir(), "shelfwise-e2e-"));
// Where the readers live: no day may begin there during a run.
process.env.TIME_ZONE ??= new Date().getUTCHours() < 20 ? "Europe/Oslo" : "Asia/Tokyo";

/**
 * Runs the tests against the real program: BINARY names it, CHROMIUM the browser. Without BINARY a server must run at
 * BASE_URL. BASE_PATH and PROXY run all tests below a path (e2e/below.ts).
 */
export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/below.ts",
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A test that fails once in a while is a fault, of the product or of the test.
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    baseURL: process.env.BASE_URL ?? (BELOW ? `${address}/` : address),
    locale: "en-US",
    timezoneId: process.env.TIME_ZONE,
    launchOptions: {
      executablePath: process.env.CHROMIUM || undefined,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: binary
    ? {
        command: `"${binary}" serve --listen 127.0.0.1:${own} --data-dir "${process.env.DATA_DIR}"${BELOW ? ` --public-url ${address}` : ""}`,
        url: `http://127.0.0.1:${own}/healthz`,
        // The tests sign more readers up from one address than people do.
        env: { RUST_LOG: "warn", SHELFWISE_LIMITS_SIGN_UPS: "2000" },
        gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
      }
    : undefined,
});
