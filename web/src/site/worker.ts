/**
 * Runs the server's Python code in Pyodide and passes messages between it and the pages: all tabs
 * where browsers share workers, else one.
 */
import {
  type CreateModule,
  loadPyodide,
  type Pyodide,
  type PyodideModule,
  type SnapshotOptions,
  version,
} from "pyodide";
import type { BackendFailure } from "../transport";
import { compileKernel } from "./kernel";
import type { FromWorker, PartName, StartMessage, ToWorker } from "./messages";
import { openSnapshots, type SnapshotStore } from "./snapshot";
import { openStore, type Store } from "./store";
import { holdLock, openTabs, whenReleased } from "./tabs";
import { untar } from "./tar";

interface TableConnection {
  receive(text: string): void;
  close(): void;
}

interface Site {
  /** Undefined is None in Python; null is not. */
  answer(path: string, body: string | undefined, language: string): Promise<string>;
  connect(code: string, send: (text: string) => void, ended: () => void): TableConnection;
}

const HOME = "/foxclover";
/** Pyodide requires a list of packages: none are used. */
const NO_PACKAGES = {
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten", python: "3.14", version },
  packages: {},
};

/** The port of a page, or the worker itself if it belongs to one page. */
type Page = Pick<MessagePort, "onmessage"> & { postMessage(message: FromWorker): void };

const pages = new Set<Page>();

class SiteError extends Error {
  constructor(
    readonly trouble: BackendFailure,
    detail: unknown,
  ) {
    super(String(detail));
  }
}

interface Started {
  site: Site;
  store: Store;
}

let started: Promise<Started> | null = null;
/** Held while this worker runs: pages notice its end. */
const ownLock = holdLock("worker");

/** Answer the messages of a page until it is closed. */
function serve(page: Page): void {
  const connections = new Set<TableConnection>();
  page.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
    if (data.type === "start") {
      pages.add(page);
      void startFor(page, data);
      whenReleased(data.lock, () => {
        pages.delete(page);
        connections.forEach((connection) => connection.close());
      });
    } else {
      void started?.then(({ site }) => handleMessage(site, data, page, connections));
    }
  };
}

/** Start Python unless it runs already. */
async function startFor(page: Page, message: StartMessage): Promise<void> {
  try {
    started ??= startSite(message);
    const { store } = await started;
    page.postMessage({ type: "ready", lasting: store.lasting, lock: await ownLock });
  } catch (error) {
    started = null; // the page can try again
    const trouble = error instanceof SiteError ? error.trouble : "internal";
    page.postMessage({ type: "failed", trouble, detail: String(error) });
  }
}

if ("onconnect" in self) {
  self.onconnect = ({ ports: [port] }: MessageEvent) => port && serve(port);
} else {
  serve(self as Page);
}

async function startSite(message: StartMessage): Promise<Started> {
  if (typeof WebAssembly !== "object") {
    throw new SiteError("webassembly", "no WebAssembly");
  }
  const { folder, parts } = message;
  const snapshots = openSnapshots(message);
  const [content, snapshot, store] = await Promise.all([
    download(folder, parts),
    snapshots?.load() ?? null,
    openStore().catch((error) => Promise.reject(new SiteError("newer", error))),
  ]);
  const python = await startPython(folder, content, snapshots, snapshot);
  python.registerJsModule("foxclover_host", {
    compile_kernel: compileKernel,
    store,
    tabs: openTabs(),
  });
  const site = python.runPython("from foxclover.site.browser import start; start()") as Site;
  return { site, store };
}

/** Start Python with all modules imported: from its snapshot, or anew and make one. */
async function startPython(
  folder: string,
  content: Record<PartName, ArrayBuffer>,
  snapshots: SnapshotStore | null,
  snapshot: ArrayBuffer | null,
): Promise<Pyodide> {
  if (snapshot) {
    try {
      const python = await runPyodide(folder, content, { _loadSnapshot: snapshot });
      unpack(python, content.package); // the snapshot contains no files
      return python;
    } catch (error) {
      console.warn("The snapshot of Python is unusable.", error);
      await snapshots?.remove();
    }
  }
  const python = await runPyodide(folder, content, { _makeSnapshot: snapshots !== null });
  unpack(python, content.package);
  python.runPython(
    `import sys; sys.path.insert(0, "${HOME}"); from foxclover.site.browser import preload; preload()`,
  );
  if (snapshots) {
    void snapshots.save(python.makeMemorySnapshot());
  }
  return python;
}

function unpack(python: Pyodide, archive: ArrayBuffer): void {
  for (const [path, content] of untar(archive)) {
    python.FS.mkdirTree(`${HOME}/${path.slice(0, path.lastIndexOf("/"))}`);
    python.FS.writeFile(`${HOME}/${path}`, content, { canOwn: true });
  }
}

/** Download all parts and report the progress. */
async function download(
  folder: string,
  parts: StartMessage["parts"],
): Promise<Record<PartName, ArrayBuffer>> {
  const total = Object.values(parts).reduce((sum, part) => sum + part.size, 0);
  let received = 0;
  let reported = 0;
  const fetched = Object.entries(parts).map(async ([name, part]) => {
    const answer = await fetch(new URL(part.path, folder));
    if (!answer.ok || !answer.body) {
      throw new Error(`${part.path}: ${answer.status}`);
    }
    const counted = answer.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          received += chunk.length;
          const share = Math.min(1, received / total);
          if (share - reported > 0.01 || share === 1) {
            reported = share;
            pages.forEach((page) => page.postMessage({ type: "progress", share }));
          }
          controller.enqueue(chunk);
        },
      }),
    );
    const plain = part.path.endsWith(".gz")
      ? counted.pipeThrough(new DecompressionStream("gzip"))
      : counted;
    return [name, await new Response(plain).arrayBuffer()] as const;
  });
  try {
    return Object.fromEntries(await Promise.all(fetched)) as Record<PartName, ArrayBuffer>;
  } catch (error) {
    throw new SiteError("download", error);
  }
}

/** Run Pyodide from the downloaded parts; its own requests for them are answered locally. */
async function runPyodide(
  folder: string,
  content: Record<PartName, ArrayBuffer>,
  options: SnapshotOptions,
): Promise<Pyodide> {
  const wasm = new URL("pyodide.asm.wasm", folder).href;
  const library = new URL("python_stdlib.zip", folder).href;
  const originalFetch = self.fetch;
  self.fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (address === wasm) {
      return Promise.resolve(
        new Response(content.wasm, { headers: { "content-type": "application/wasm" } }),
      );
    }
    return address === library
      ? Promise.resolve(new Response(content.library))
      : originalFetch(input, init);
  };
  const script = URL.createObjectURL(new Blob([content.module], { type: "text/javascript" }));
  try {
    const { default: createModule } = (await import(/* @vite-ignore */ script)) as {
      default: CreateModule;
    };
    const createPyodideModule: CreateModule = async (settings) => {
      const module = await createModule(settings);
      growMemory(module, options._loadSnapshot?.byteLength ?? 0);
      return module;
    };
    return await loadPyodide({
      indexURL: folder,
      stdLibURL: library,
      lockFileContents: NO_PACKAGES,
      packageBaseUrl: folder,
      createPyodideModule,
      ...options,
    });
  } finally {
    URL.revokeObjectURL(script);
    self.fetch = originalFetch;
  }
}

/** Make room for a snapshot: Pyodide restores only what fits the memory that it starts with. */
function growMemory(module: PyodideModule, size: number): void {
  if (module.HEAP8.length < size) {
    module._free(module._malloc(size));
  }
}

function handleMessage(
  site: Site,
  message: Exclude<ToWorker, StartMessage>,
  page: Page,
  connections: Set<TableConnection>,
): void {
  if (message.type === "ask") {
    void site
      .answer(message.path, message.body ?? undefined, message.language)
      .then((text) => page.postMessage({ type: "answer", id: message.id, text }));
    return;
  }
  const { port } = message;
  const connection = site.connect(
    message.code,
    (text) => port.postMessage(text),
    () => {
      connections.delete(connection);
      port.postMessage(null);
    },
  );
  connections.add(connection);
  port.onmessage = (event: MessageEvent<string | null>) =>
    event.data === null ? connection.close() : connection.receive(event.data);
}
