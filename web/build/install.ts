/** A Vite plugin that makes the page installable: a manifest, a policy and a service worker. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { Plugin } from "vite";

const PUBLIC = new URL("../public/", import.meta.url);

/** An app store shows these, and the page does not need them. */
const SCREENSHOTS = [
  { src: "screenshot-wide.png", sizes: "1280x800", form_factor: "wide" },
  { src: "screenshot-narrow.png", sizes: "720x1480", form_factor: "narrow" },
] as const;

const MANIFEST = {
  name: "Fox & Clover",
  short_name: "Fox & Clover",
  description:
    "Ganz schön clever, Doppelt so clever and Geht noch was?: three dice games for you, your friends and your computer.",
  start_url: ".",
  scope: ".", // no id: it would be relative to the host, the same for all apps of one host
  display: "standalone",
  background_color: "#faf4e8",
  theme_color: "#faf4e8",
  categories: ["games"],
  icons: [
    { src: "favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
    { src: "icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
    { src: "icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
    { src: "icon-masked-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
  ],
  screenshots: SCREENSHOTS.map((screenshot) => ({ ...screenshot, type: "image/png" })),
};

/**
 * What a server sends as a header (`POLICY` in server/http/app.py), for hosts that send none.
 * It covers the page; the worker, which compiles WebAssembly, has its own.
 */
const POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'";

const hashOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex").slice(0, 12);

export function installable(base: string, served: boolean): Plugin {
  return {
    name: "installable",
    apply: "build",
    enforce: "post",
    transformIndexHtml: () => [
      ...(served
        ? []
        : [
            {
              tag: "meta",
              attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
              injectTo: "head-prepend" as const,
            },
          ]),
      {
        tag: "link",
        attrs: { rel: "manifest", href: `${base}manifest.webmanifest` },
        injectTo: "head",
      },
      {
        tag: "link",
        attrs: { rel: "apple-touch-icon", href: `${base}icon-apple-180.png` },
        injectTo: "head",
      },
    ],
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const emit = (fileName: string, source: string): string =>
          this.emitFile({ type: "asset", fileName, source });
        emit("manifest.webmanifest", JSON.stringify(MANIFEST));
        const contents: [name: string, content: string | Uint8Array][] = [
          ...readdirSync(PUBLIC)
            .filter((name) => !SCREENSHOTS.some(({ src }) => src === name))
            .map((name): [string, Uint8Array] => [name, readFileSync(new URL(name, PUBLIC))]),
          ...Object.values(bundle).map((output): [string, string | Uint8Array] => [
            output.fileName,
            output.type === "chunk" ? output.code : output.source,
          ]),
        ];
        const files = Object.fromEntries(
          contents.map(([name, content]) => [name, hashOf(content)]),
        );
        const template = readFileSync(new URL("service-worker.js", import.meta.url), "utf8");
        emit(
          "service-worker.js",
          template.replace(
            /const FACTS = .*;/,
            () => `const FACTS = ${JSON.stringify({ served, files })};`,
          ),
        );
      },
    },
  };
}
