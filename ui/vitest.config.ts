import { defineConfig, mergeConfig } from "vitest/config";
import vite from "./vite.config";

/** The unit tests' configuration. It is separate from the build's, because a build is made without the test tools. */
export default mergeConfig(
  vite,
  defineConfig({
    test: {
      environment: "happy-dom",
      include: ["src/**/*.test.{ts,tsx}"],
      setupFiles: ["src/test-setup.ts"],
      env: { TZ: "Pacific/Auckland" },
      // A busy machine renders a whole page slowly.
      testTimeout: 20_000,
      restoreMocks: true,
      unstubGlobals: true,
    },
  }),
);
