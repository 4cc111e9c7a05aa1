/** The authority over the tables in this browser: a worker that takes the place of a server. See `../backend.ts`. */
import { observable } from "../observable";
import type { Answer, BackendState, Pages, Transport, Trouble } from "../transport";
import type { Begin, FromWorker, ToWorker } from "./messages";

/** Whether everything happens in this browser. */
export const SITE: boolean = true;

/** No page that needs a server. */
export const pages: Pages = {};

/** What `foxclover build-site` tells about the folder. */
interface SiteFacts {
  version: string;
  parts: Begin["parts"];
}

export const backendState = observable<BackendState>({
  stage: "loading",
  share: 0,
  lasting: true,
  trouble: null,
});

const FOLDER = new URL(".", document.baseURI).href;
/** Answers that are files: they are there before the worker is. */
const FILES = /^\/api\/(games|locale)\b/;

let worker: Worker | null = null;
let asked = 0;
const waiting = new Map<number, (text: string) => void>();

const siteFacts: () => Promise<SiteFacts> = once(
  async () => (await (await fetch("site.json")).json()) as SiteFacts,
);

/** Which version of the game this is. */
export const version = async (): Promise<string> => (await siteFacts()).version;

/** Starts the worker, or starts it anew after it has failed. */
export function begin(): void {
  worker?.terminate();
  const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker = started;
  backendState.set({ ...backendState.get(), stage: "loading", share: 0, trouble: null });
  started.onmessage = (event: MessageEvent<FromWorker>) => take(event.data);
  started.onerror = () => fail("download");
  siteFacts().then(
    ({ parts }) => started.postMessage({ folder: FOLDER, parts } satisfies Begin),
    () => fail("download"),
  );
}

function fail(trouble: Trouble): void {
  backendState.set({ ...backendState.get(), stage: "failed", trouble });
}

function take(message: FromWorker): void {
  switch (message.type) {
    case "progress":
      return backendState.set({ ...backendState.get(), share: message.share });
    case "ready":
      return backendState.set({
        ...backendState.get(),
        stage: "ready",
        share: 1,
        lasting: message.lasting,
      });
    case "failed":
      return fail(message.trouble);
    case "answer":
      waiting.get(message.id)?.(message.text);
      waiting.delete(message.id);
  }
}

function tell(message: ToWorker, ...handed: Transferable[]): void {
  worker?.postMessage(message, handed);
}

/** Resolves when the worker can be asked. */
function ready(): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): boolean => {
      const { stage } = backendState.get();
      if (stage === "ready") {
        resolve();
      } else if (stage === "failed") {
        reject(new Error("the worker cannot run"));
      }
      return stage !== "loading";
    };
    if (!look()) {
      const stop = backendState.watch(() => void (look() && stop()));
    }
  });
}

export async function ask(path: string, body: string | null, language: string): Promise<Answer> {
  if (FILES.test(path)) {
    const answer = await fetch(
      `${path.slice(1)}${path.endsWith("/layout") ? `.${language}` : ""}.json`,
    );
    return { ok: answer.ok, content: await answer.json().catch(() => null) };
  }
  await ready();
  asked += 1;
  const id = asked;
  const text = await new Promise<string>((resolve) => {
    waiting.set(id, resolve);
    tell({ type: "ask", id, path, body, language });
  });
  return JSON.parse(text) as Answer;
}

/** A port that behaves like a websocket. */
class PortWire implements Transport {
  readyState: number = WebSocket.CONNECTING;
  onopen: Transport["onopen"] = null;
  onmessage: Transport["onmessage"] = null;
  onclose: Transport["onclose"] = null;
  private readonly port: MessagePort;

  constructor(code: string) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    port1.onmessage = (event: MessageEvent<string | null>) =>
      event.data === null ? this.end() : this.onmessage?.(event as MessageEvent<string>);
    ready().then(
      () => {
        tell({ type: "connect", code, port: port2 }, port2);
        this.readyState = WebSocket.OPEN;
        this.onopen?.();
      },
      () => this.end(),
    );
  }

  send(text: string): void {
    this.port.postMessage(text);
  }

  close(): void {
    this.port.postMessage(null);
    this.readyState = WebSocket.CLOSING;
  }

  private end(): void {
    this.readyState = WebSocket.CLOSED;
    this.port.close();
    this.onclose?.();
  }
}

export const openTransport = (code: string): Transport => new PortWire(code);

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let coming: Promise<T> | null = null;
  return () => {
    coming ??= work().catch((error: unknown) => {
      coming = null;
      throw error;
    });
    return coming;
  };
}
