import { defineConfig, mergeConfig } from "vitest/config";
import vite from "./vite.config";

/** Unit tests. Apart from the build's own config, because a build is made without the test tools. */
export default mergeConfig(
  vite,
  defineConfig({
    test: {
      environment: "happy-dom",
      include: ["src/**/*.test.{ts,tsx}"],
      setupFiles: ["src/test-setup.ts"],
      env: { TZ: "Pacific/Auckland" },
      // A machine that does other things besides draws a whole page slowly.
      testTimeout: 20_000,
      restoreMocks: true,
      unstubGlobals: true,
    },
  }),
);
