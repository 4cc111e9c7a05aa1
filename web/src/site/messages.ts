/** What the page and its worker say to each other. */
import type { Trouble } from "../transport";

export interface Part {
  /** Its path in the folder. */
  path: string;
  /** Bytes as they are sent. */
  size: number;
}

/** The first message: where the folder is, and which parts of it make Python run. */
export interface Begin {
  folder: string;
  parts: Record<PartName, Part>;
}

export type PartName = "wasm" | "module" | "library" | "package";

export type ToWorker =
  | { type: "ask"; id: number; path: string; body: string | null; language: string }
  | { type: "connect"; code: string; port: MessagePort };

export type FromWorker =
  | { type: "progress"; share: number }
  | { type: "ready"; lasting: boolean }
  | { type: "failed"; trouble: Trouble; detail: string }
  | { type: "answer"; id: number; text: string };
