import { readdirSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Lists as `files.json` what the service worker takes along: the page, `public/`, and every asset that all readers need. */
function listFiles(): Plugin {
  return {
    name: "list-files",
    apply: "build",
    generateBundle(_, bundle) {
      const assets = Object.keys(bundle).filter((name) => name.startsWith("assets/") && !name.includes("-latin-ext-"));
      const files = readdirSync(new URL("public", import.meta.url)).filter((name) => name !== "sw.js");
      const source = JSON.stringify(["/", ...[...files, ...assets].map((name) => `/${name}`)]);
      this.emitFile({ type: "asset", fileName: "files.json", source });
    },
  };
}

export default defineConfig({
  plugins: [react(), listFiles()],
  // The server replaces the placeholder in every answer of index.html by that answer's nonce.
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    assetsDir: "assets",
    // Every hashed file stays a file: the policy has no data: for styles or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "vendor",
              test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|@tanstack\/(react-query|query-core))\//,
            },
          ],
        },
      },
    },
  },
  server: { host: "127.0.0.1", proxy: { "/api": "http://127.0.0.1:8080" } },
});
