import { defineConfig } from "vite";

// The page is part of the Python package: the server serves what stands in src/foxclover/web.
export default defineConfig({
  base: "/",
  build: { outDir: "../src/foxclover/web", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
  server: { proxy: { "/api": "http://127.0.0.1:8000", "/ws": { target: "http://127.0.0.1:8000", ws: true, rewriteWsOrigin: true } } },
});
