/** A Vite plugin that compresses scripts and styles once, better than a server does on the fly. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Plugin } from "vite";

/** Write `FILE.br` beside each script and style sheet; `read_files` in server/http finds them. */
export function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle({ dir = "" }, bundle) {
      for (const output of Object.values(bundle)) {
        if (/^assets\/.*\.(js|css)$/.test(output.fileName)) {
          const content = output.type === "chunk" ? output.code : output.source;
          writeFileSync(join(dir, `${output.fileName}.br`), brotliCompressSync(content));
        }
      }
    },
  };
}
