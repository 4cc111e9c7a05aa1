import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { installable } from "./build/install.mjs";

// relative, since the server writes the path of its address into index.html
const SERVED = { base: "./", outDir: "../src/foxclover/web" };
const FOLDER = { base: "./", outDir: "../src/foxclover/site/page" };

/** The oldest browsers with `light-dark()`, `:has()` and size containers; see public/supported.js. */
const OLDEST = ["chrome123", "edge123", "firefox121", "safari17.5"];

// The page is part of the Python package: the server serves src/foxclover/web, and
// `foxclover build-site` copies src/foxclover/site (`--mode site`), which needs no server.
export default defineConfig(({ mode }) => {
  const { base, outDir } = mode === "site" ? FOLDER : SERVED;
  return {
    base,
    plugins: [installable(base, mode !== "site")],
    resolve: {
      alias: {
        "#backend": fileURLToPath(
          new URL(mode === "site" ? "src/site/backend.ts" : "src/backend.ts", import.meta.url),
        ),
      },
    },
    build: {
      outDir,
      emptyOutDir: true,
      target: OLDEST,
      assetsInlineLimit: 0,
      // Everything the first page needs is one file: it compresses better than several.
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: "page", tags: ["$initial" as const] }] } },
      },
    },
    // Some hosts omit files that start with "_", as a chunk of Vite would.
    worker: {
      format: "es" as const,
      rolldownOptions: { output: { chunkFileNames: "assets/worker-part-[hash].js" } },
    },
    server: {
      proxy: {
        "/api": "http://127.0.0.1:8000",
        "/ws": { target: "http://127.0.0.1:8000", ws: true, rewriteWsOrigin: true },
      },
    },
  };
});
