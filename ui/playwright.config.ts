import { defineConfig } from "@playwright/test";

/** Drives the real binary: BASE_URL names a running server, CHROMIUM the browser to use. */
export default defineConfig({
  testDir: "e2e",
  use: {
    baseURL: process.env.BASE_URL ?? "http://127.0.0.1:8080",
    launchOptions: { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] },
  },
});
