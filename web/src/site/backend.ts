/** The backend without a server: a worker that all tabs share. See `../backend.ts`. */
import { observable } from "../observable";
import type { Answer, BackendFailure, BackendState, Pages, Transport } from "../transport";
import type { FromWorker, StartMessage, ToWorker } from "./messages";
import { holdLock, whenReleased } from "./tabs";

/** Whether this page has no server. */
export const SITE: boolean = true;

export const pages: Pages = {
  me: async () => (await import("../me/page")).default,
  daily: async () => (await import("./daily")).default,
};

/** What `foxclover build-site` writes into site.json. */
interface SiteInfo {
  version: string;
  parts: StartMessage["parts"];
}

export const backendState = observable<BackendState>({
  stage: "loading",
  share: 0,
  lasting: true,
  trouble: null,
});

const FOLDER = new URL(".", document.baseURI).href;
/** Answers that are files, available before the worker. */
const FILES = /^\/api\/(games|locale)\b/;

let worker: Worker | MessagePort | null = null;
let lastId = 0;
/** Unanswered questions, by id. */
const pending = new Map<number, { question: ToWorker; resolve: (text: string) => void }>();
const transports = new Set<PortTransport>();
const ownLock = holdLock("page");

const siteInfo: () => Promise<SiteInfo> = cacheSuccess(
  async () => (await (await fetch("site.json")).json()) as SiteInfo,
);

/** Fetch the version of the package. */
export const version = async (): Promise<string> => (await siteInfo()).version;

/** The tables of this page need no network. */
export const probe = (_signal: AbortSignal): Promise<boolean> => Promise.resolve(true);

/** Start the worker, or restart it after a failure. */
export function startBackend(): void {
  if (worker instanceof Worker) {
    worker.terminate();
  }
  const opened = openWorker(() => fail("download"));
  worker = opened;
  backendState.set({ ...backendState.get(), stage: "loading", share: 0, trouble: null });
  opened.onmessage = (event: MessageEvent<FromWorker>) =>
    opened === worker && handleMessage(event.data);
  Promise.all([siteInfo(), ownLock]).then(
    ([{ parts }, lock]) =>
      opened.postMessage({ type: "start", lock, folder: FOLDER, parts } satisfies StartMessage),
    () => fail("download"),
  );
}

/** Return the worker of all tabs; where browsers have none, or no locks, one for this tab. */
function openWorker(onError: () => void): Worker | MessagePort {
  if ("SharedWorker" in self && "locks" in navigator) {
    const shared = new SharedWorker(new URL("./worker.ts", import.meta.url), { type: "module" });
    shared.onerror = onError;
    return shared.port;
  }
  const own = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  own.onerror = onError;
  return own;
}

/** Start another worker after a crash: the tab that it began in may have taken it along. */
function replaceWorker(): void {
  startBackend();
  transports.forEach((transport) => transport.end());
  void ready().then(
    () => pending.forEach(({ question }) => post(question)),
    () => undefined,
  );
}

function fail(trouble: BackendFailure): void {
  backendState.set({ ...backendState.get(), stage: "failed", trouble });
}

function handleMessage(message: FromWorker): void {
  switch (message.type) {
    case "progress":
      return backendState.set({ ...backendState.get(), share: message.share });
    case "ready": {
      const ended = worker;
      whenReleased(message.lock, () => ended === worker && replaceWorker());
      return backendState.set({
        ...backendState.get(),
        stage: "ready",
        share: 1,
        lasting: message.lasting,
      });
    }
    case "failed":
      return fail(message.trouble);
    case "answer":
      pending.get(message.id)?.resolve(message.text);
      pending.delete(message.id);
  }
}

function post(message: ToWorker, ...transfer: Transferable[]): void {
  worker?.postMessage(message, transfer);
}

/** Resolve when the worker is ready. */
function ready(): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (): boolean => {
      const { stage } = backendState.get();
      if (stage === "ready") {
        resolve();
      } else if (stage === "failed") {
        reject(new Error("the worker cannot run"));
      }
      return stage !== "loading";
    };
    if (!check()) {
      const stop = backendState.watch(() => void (check() && stop()));
    }
  });
}

export async function ask(path: string, body: string | null, language: string): Promise<Answer> {
  if (FILES.test(path)) {
    const answer = await fetch(
      `${path.slice(1)}${/\/(layout|tour)$/.test(path) ? `.${language}` : ""}.json`,
    );
    return { ok: answer.ok, content: await answer.json().catch(() => null) };
  }
  await ready();
  lastId += 1;
  const id = lastId;
  const text = await new Promise<string>((resolve) => {
    const question: ToWorker = { type: "ask", id, path, body, language };
    pending.set(id, { question, resolve });
    post(question);
  });
  return JSON.parse(text) as Answer;
}

/** A port to the worker with the interface of a websocket. */
class PortTransport implements Transport {
  readyState: number = WebSocket.CONNECTING;
  onopen: Transport["onopen"] = null;
  onmessage: Transport["onmessage"] = null;
  onclose: Transport["onclose"] = null;
  readonly #port: MessagePort;

  constructor(code: string) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    transports.add(this);
    port1.onmessage = (event: MessageEvent<string | null>) =>
      event.data === null ? this.end() : this.onmessage?.(event as MessageEvent<string>);
    ready().then(
      () => {
        post({ type: "connect", code, port: port2 }, port2);
        this.readyState = WebSocket.OPEN;
        this.onopen?.();
      },
      () => this.end(),
    );
  }

  send(text: string): void {
    this.#port.postMessage(text);
  }

  close(): void {
    this.#port.postMessage(null);
    this.readyState = WebSocket.CLOSING;
  }

  /** The worker ended the connection, or does not run any more. */
  end(): void {
    transports.delete(this);
    this.readyState = WebSocket.CLOSED;
    this.#port.close();
    this.onclose?.();
  }
}

export const openTransport = (code: string): Transport => new PortTransport(code);

function cacheSuccess<T>(load: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | null = null;
  return () => {
    promise ??= load().catch((error: unknown) => {
      promise = null;
      throw error;
    });
    return promise;
  };
}
