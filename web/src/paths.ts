/** Parses and builds the addresses of the page. Pure. */
import { SITE } from "#backend";
import { BASE } from "./base";

/** A part of a review: the moment after a number of moves, or the mistakes. */
export type MomentRef = number | "mistakes";

export type Route =
  | { page: "home" }
  | { page: "transcript" }
  | { page: "unknown" }
  | { page: "me" }
  | { page: "daily" }
  | { page: "tour"; game: string }
  | { page: "puzzles"; game: string | null; id: string | null }
  | { page: "table"; code: string; moment: MomentRef | null };

/** Parse the path of an address, below the path of the page. */
export function parsePath(address: string, base = "/"): Route {
  const path = address.startsWith(base) ? address.slice(base.length - 1) : address;
  if (path === "/") {
    return { page: "home" };
  }
  const name = /^\/(me|daily)\/?$/.exec(path)?.[1];
  if (name === "me" || name === "daily") {
    return { page: name };
  }
  const taught = /^\/how\/([\w-]+)\/?$/.exec(path)?.[1];
  if (taught !== undefined) {
    return { page: "tour", game: taught };
  }
  if (path === "/look") {
    return { page: "transcript" };
  }
  const puzzles = /^\/puzzles(?:\/([\w-]+)(?:\/(\w+))?)?\/?$/.exec(path);
  if (puzzles) {
    return { page: "puzzles", game: puzzles[1] ?? null, id: puzzles[2] ?? null };
  }
  const [, code, moment] = /^\/t\/([^/%]+)(?:\/(\d{1,5}|mistakes)?)?$/.exec(path) ?? [];
  if (code === undefined) {
    return { page: "unknown" };
  }
  return { page: "table", code: code.toLowerCase(), moment: readMoment(moment) };
}

/** Return the code of a table from a pasted code or link. */
export function codeOf(text: string): string {
  const trimmed = text.trim();
  const code = /\/t\/([^/?#\s]+)/.exec(trimmed)?.[1] ?? trimmed;
  return code.replace(/[^0-9a-z]/gi, "").toLowerCase();
}

/** Return the secret of an invitation from a link, if it contains one. */
export function invitationOf(text: string): string {
  return /#([\w-]+)/.exec(text)?.[1] ?? "";
}

/**
 * Parse an address without a server, where all pages are one file: `?t=<code>`, with `m` for the
 * moment, `?me`, `?daily`, `?look`, `?how=<game>` or `?puzzles=<game>`, with `id` for one puzzle.
 */
export function parseQuery(query: string): Route {
  const params = new URLSearchParams(query);
  const code = params.get("t");
  if (code) {
    return {
      page: "table",
      code: code.toLowerCase(),
      moment: readMoment(params.get("m") ?? undefined),
    };
  }
  const taught = params.get("how");
  if (taught) {
    return { page: "tour", game: taught };
  }
  if (params.has("puzzles")) {
    return { page: "puzzles", game: params.get("puzzles") || null, id: params.get("id") };
  }
  if (params.has("me")) {
    return { page: "me" };
  }
  if (params.has("daily")) {
    return { page: "daily" };
  }
  return params.has("look") ? { page: "transcript" } : { page: "home" };
}

function readMoment(text: string | undefined): MomentRef | null {
  return text === "mistakes"
    ? text
    : text !== undefined && /^\d{1,5}$/.test(text)
      ? Number(text)
      : null;
}

export const HOME = BASE;
export const ME_PATH = SITE ? "./?me" : `${BASE}me`;
export const DAILY_PATH = SITE ? "./?daily" : `${BASE}daily`;
export const TRANSCRIPT_PATH = SITE ? "./?look" : `${BASE}look`;
export const tourPath = (game: string): string => `${SITE ? "./?how=" : `${BASE}how/`}${game}`;
export const PUZZLES_PATH = SITE ? "./?puzzles" : `${BASE}puzzles`;
export const puzzlePath = (game: string): string => `${PUZZLES_PATH}${SITE ? "=" : "/"}${game}`;
export const tablePath = (code: string, invitation = ""): string =>
  `${SITE ? "./?t=" : `${BASE}t/`}${code}${invitation === "" ? "" : `#${invitation}`}`;
export const momentPath = (code: string, moment: MomentRef): string =>
  `${tablePath(code)}${SITE ? "&m=" : "/"}${moment}`;
