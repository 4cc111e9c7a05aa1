import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { installable } from "./build/install.mjs";

const SERVED = { base: "/", outDir: "../src/foxclover/web" };
const FOLDER = { base: "./", outDir: "../src/foxclover/site/page" };

// The page is part of the Python package: the server serves what stands in src/foxclover/web, and `foxclover build-site` writes a folder that
// needs no server from src/foxclover/site (`--mode site`).
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
    build: { outDir, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
    // Some hosts leave out what begins with "_", as the name would that Vite gives to what is empty in browsers.
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
