import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { compressed } from "./build/compress";
import { installable } from "./build/install";

// relative, since the server writes the path of its address into index.html
const SERVED = { base: "./", outDir: "../src/foxclover/web" };
const FOLDER = { base: "./", outDir: "../src/foxclover/site/page" };

/** The oldest browsers with `light-dark()` and popovers; see public/supported.js. */
const OLDEST = ["chrome123", "edge123", "firefox125", "safari17.5"];

/** Everything such a module needs is one file: it compresses better than several. */
const FILES = { page: "src/main.tsx", table: "src/table/page.tsx" };
/** Modules of several files that are hardly larger than a response's headers. */
const SMALL = {
  page: ["src/ui/settings.tsx"],
  table: ["src/me/identity.ts", "src/table/sheet-panel.tsx"],
};

interface Graph {
  getModuleInfo: (id: string) => { importedIds: string[] } | null;
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Return the file that a module belongs to; null for one that is loaded later. */
function fileOf(id: string, graph: Graph): string | null {
  const loaded = (...files: string[]): boolean => withImports(files.map(pathOf), graph).has(id);
  if (loaded(FILES.page, ...SMALL.page)) {
    return "page";
  }
  return loaded(FILES.table, ...SMALL.table) ? "table" : null;
}

/** Return modules and what they import, directly or through others, except lazily. */
function withImports(modules: readonly string[], graph: Graph): Set<string> {
  const found = new Set(modules);
  for (const id of found) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) {
      found.add(imported);
    }
  }
  return found;
}

// The page is part of the Python package: the server serves src/foxclover/web, and
// `foxclover build-site` copies src/foxclover/site (`--mode site`), which needs no server.
export default defineConfig(({ mode }) => {
  const { base, outDir } = mode === "site" ? FOLDER : SERVED;
  return {
    base,
    plugins: [installable(base, mode !== "site"), ...(mode === "site" ? [] : [compressed()])],
    resolve: {
      alias: {
        "#backend": fileURLToPath(
          new URL(mode === "site" ? "src/site/backend.ts" : "src/backend.ts", import.meta.url),
        ),
      },
    },
    // Breakpoints have names, see src/styles/breakpoints.css.
    css: { transformer: "lightningcss" as const, lightningcss: { drafts: { customMedia: true } } },
    build: {
      outDir,
      emptyOutDir: true,
      target: OLDEST,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false }, // without it, files are loaded one after the other
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: fileOf }] } } },
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
