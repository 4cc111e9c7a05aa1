/**
 * The way to the authority over the tables: here a server. `site/backend.ts` is the same for a folder of files, where a worker of the page
 * takes the server's place; vite.config.ts chooses one of them as `#backend`.
 */
import { LiveSocket } from "./live-socket";
import { observable } from "./observable";
import type { Health } from "./protocol";
import type { Answer, BackendState, Pages, Transport } from "./transport";

/** Whether everything happens in this browser. */
export const SITE: boolean = false;

export const pages: Pages = {
  me: async () => (await import("./me/page")).default,
  daily: async () => (await import("./daily/page")).default,
  dayOver: async () => (await import("./daily/day-over")).DayOver,
};

/** A server that answers is ready. */
export const backendState = observable<BackendState>({
  stage: "ready",
  share: 1,
  lasting: true,
  trouble: null,
});

export function startBackend(): void {
  // the server runs already
}

/** Which version of the game this is. */
export const version = async (): Promise<string> =>
  ((await (await fetch("/api/health")).json()) as Health).version;

/** Asks for something by its path; rejects if nobody answers. */
export async function ask(path: string, body: string | null, language: string): Promise<Answer> {
  const request: RequestInit =
    body === null ? {} : { method: "POST", headers: { "content-type": "application/json" }, body };
  const answer = await fetch(`${path}?lang=${language}`, request);
  const isText = answer.headers.get("content-type")?.startsWith("text/plain") ?? false;
  return {
    ok: answer.ok,
    content: await (isText ? answer.text() : answer.json().catch(() => null)),
  };
}

/** Opens the way to a table. */
export function openTransport(code: string): Transport {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new LiveSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(code)}`);
}
