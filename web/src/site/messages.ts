/** Messages between pages and the worker. */
import type { BackendFailure } from "../transport";

interface Part {
  /** Its path in the folder. */
  path: string;
  /** Size of the download in bytes. */
  size: number;
}

/** The first message: the address of the folder and the parts that run Python. */
export interface StartMessage {
  type: "start";
  /** A lock that the page holds while it is open, or null where there are no locks. */
  lock: string | null;
  folder: string;
  parts: Record<PartName, Part>;
}

export type PartName = "wasm" | "module" | "library" | "package";

export type ToWorker =
  | StartMessage
  | { type: "ask"; id: number; path: string; body: string | null; language: string }
  | { type: "connect"; code: string; port: MessagePort };

export type FromWorker =
  | { type: "progress"; share: number }
  | { type: "ready"; lasting: boolean; lock: string | null }
  | { type: "failed"; trouble: BackendFailure; detail: string }
  | { type: "answer"; id: number; text: string };
