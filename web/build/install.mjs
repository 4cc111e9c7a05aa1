/** A Vite plugin that makes the page installable: icons, a manifest and a service worker. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { circle, outlines, png, turned } from "./picture.mjs";

const PAPER = [0xfa, 0xf4, 0xe8];
const LOGO = 60; // half the width of the favicon
const MASKED = 80; // the same with a margin for masks
const ICONS = [
  { file: "icon-192.png", size: 192, reach: LOGO, ground: null, purpose: "any" },
  { file: "icon-512.png", size: 512, reach: LOGO, ground: null, purpose: "any" },
  { file: "icon-masked-512.png", size: 512, reach: MASKED, ground: PAPER, purpose: "maskable" },
  { file: "icon-apple-180.png", size: 180, reach: 70, ground: PAPER, purpose: "" },
];

/** Parse the shapes of the favicon. */
function shapesOf(svg) {
  const colour = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  return [...svg.matchAll(/<(path|circle)\b([^>]*)>/g)].flatMap(([, kind, inside]) => {
    const attributes = Object.fromEntries(
      [...inside.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const outline =
      kind === "circle"
        ? circle(+attributes.cx, +attributes.cy, +attributes.r)
        : outlines(attributes.d);
    const turns = attributes.transform ? [45, 135, 225, 315] : [0]; // one leaf is drawn four times
    return turns.map((degrees) => ({
      outline: turned(outline, degrees),
      colour: colour(attributes.fill),
    }));
  });
}

const MANIFEST = {
  name: "Fox & Clover",
  short_name: "Fox & Clover",
  start_url: ".",
  scope: ".", // no id: it would be relative to the host, the same for all apps of one host
  display: "standalone",
  background_color: "#faf4e8",
  theme_color: "#faf4e8",
  categories: ["games"],
  icons: [
    { src: "favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
    ...ICONS.filter(({ purpose }) => purpose).map(({ file, size, purpose }) => ({
      src: file,
      sizes: `${size}x${size}`,
      type: "image/png",
      purpose,
    })),
  ],
};

export function installable(base, served) {
  return {
    name: "installable",
    apply: "build",
    enforce: "post",
    transformIndexHtml: () => [
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
        const emit = (fileName, source) => this.emitFile({ type: "asset", fileName, source });
        const favicon = readFileSync(new URL("../public/favicon.svg", import.meta.url), "utf8");
        const shapes = shapesOf(favicon);
        for (const { file, size, reach, ground } of ICONS) {
          emit(file, png(size, reach, ground, shapes));
        }
        emit("manifest.webmanifest", JSON.stringify(MANIFEST));
        const contents = [
          ["favicon.svg", favicon],
          ...["theme.js", "supported.js"].map((name) => [
            name,
            readFileSync(new URL(`../public/${name}`, import.meta.url), "utf8"),
          ]),
          ...Object.values(bundle).map((output) => [
            output.fileName,
            output.type === "chunk" ? output.code : output.source,
          ]),
        ];
        const files = Object.fromEntries(
          contents.map(([name, content]) => [
            name,
            createHash("sha256").update(content).digest("hex").slice(0, 12),
          ]),
        );
        const template = readFileSync(new URL("service-worker.js", import.meta.url), "utf8");
        emit(
          "service-worker.js",
          template.replace("FACTS_OF_THE_PAGE", JSON.stringify({ served, files })),
        );
      },
    },
  };
}
