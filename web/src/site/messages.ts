/** Messages between the page and its worker. */
import type { BackendFailure } from "../transport";

interface Part {
  /** Its path in the folder. */
  path: string;
  /** Size of the download in bytes. */
  size: number;
}

/** The first message: the address of the folder and the parts that run Python. */
export interface StartMessage {
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
  | { type: "failed"; trouble: BackendFailure; detail: string }
  | { type: "answer"; id: number; text: string };
