/**
 * The backend of the page: a server. `site/backend.ts` has the same exports for pages without a
 * server, where a worker runs the tables; vite.config.ts chooses one of them as `#backend`.
 */
import { BASE, serverPath } from "./base";
import { LiveSocket } from "./live-socket";
import { observable } from "./observable";
import type { Health } from "./protocol";
import type { Answer, BackendState, Pages, Transport } from "./transport";

/** Whether this page has no server. */
export const SITE: boolean = false;

export const pages: Pages = {
  me: async () => (await import("./me/page")).default,
  daily: async () => (await import("./daily/page")).default,
  dayOver: async () => (await import("./daily/day-over")).DayOver,
  today: async () => (await import("./daily/api")).fetchToday(),
};

/** A server is always ready. */
export const backendState = observable<BackendState>({
  stage: "ready",
  share: 1,
  lasting: true,
  trouble: null,
});

export function startBackend(): void {
  // the server is already running
}

const HEALTH = "/api/health";

/** Fetch the version of the package. */
export const version = async (): Promise<string> =>
  ((await (await fetch(serverPath(HEALTH))).json()) as Health).version;

/** Return whether the server answers. */
export const probe = async (signal: AbortSignal): Promise<boolean> =>
  (await fetch(serverPath(HEALTH), { cache: "no-store", signal })).ok;

/** Send a request; rejects if the server does not answer. */
export async function ask(path: string, body: string | null, language: string): Promise<Answer> {
  const request: RequestInit =
    body === null ? {} : { method: "POST", headers: { "content-type": "application/json" }, body };
  const answer = await fetch(`${serverPath(path)}?lang=${language}`, request);
  const isText = answer.headers.get("content-type")?.startsWith("text/plain") ?? false;
  return {
    ok: answer.ok,
    content: await (isText ? answer.text() : answer.json().catch(() => null)),
  };
}

/** Open a connection to a table. */
export function openTransport(code: string): Transport {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new LiveSocket(`${scheme}://${location.host}${BASE}ws/${encodeURIComponent(code)}`);
}
