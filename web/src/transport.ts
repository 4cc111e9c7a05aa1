/** The interface of a backend. */
import type { ComponentType, JSX } from "preact";
import type { Today } from "./protocol";

/** Pages and figures that need a server, loaded when they are opened. */
export interface Pages {
  me?: () => Promise<ComponentType>;
  daily?: () => Promise<ComponentType>;
  dayOver?: () => Promise<(props: { day: string }) => JSX.Element | null>;
  /** Today's results. */
  today?: () => Promise<Today>;
}

export interface Answer {
  ok: boolean;
  content: unknown;
}

/** The part of a websocket that the page uses. */
export interface Transport {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: MessageEvent<string>) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

/** Why the backend cannot start. */
export type BackendFailure = "webassembly" | "download" | "newer" | "internal";

/** The progress of the backend. */
export interface BackendState {
  stage: "loading" | "ready" | "failed";
  /** Downloaded share. */
  share: number;
  /** Whether games survive closing the page. */
  lasting: boolean;
  trouble: BackendFailure | null;
}
