/** What the page expects of an authority over the tables, wherever it is. */
import type { ComponentType, JSX } from "preact";

/** Parts of the page about people and days, which only a server knows, each fetched when it is wanted. */
export interface Pages {
  me?: () => Promise<ComponentType>;
  daily?: () => Promise<ComponentType>;
  dayOver?: () => Promise<(props: { day: string }) => JSX.Element | null>;
}

export interface Answer {
  ok: boolean;
  content: unknown;
}

/** What is used of a websocket. */
export interface Transport {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: MessageEvent<string>) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

/** Why there can be no game at all. */
export type Trouble = "webassembly" | "download" | "newer" | "internal";

/** How far the authority is. */
export interface BackendState {
  stage: "loading" | "ready" | "failed";
  /** How much of it has been downloaded. */
  share: number;
  /** Whether saved games outlive the page. */
  lasting: boolean;
  trouble: Trouble | null;
}
