/** Addresses of the page, and what people paste. Pure. */
import { SITE } from "#authority";

export type Route = { page: "home" } | { page: "nowhere" } | { page: "me" } | { page: "table"; code: string };

export function parsePath(path: string): Route {
  if (path === "/") {
    return { page: "home" };
  }
  if (/^\/me\/?$/.test(path)) {
    return { page: "me" };
  }
  const code = /^\/t\/([^/%]+)\/?$/.exec(path)?.[1];
  return code === undefined ? { page: "nowhere" } : { page: "table", code: code.toLowerCase() };
}

/** A short code out of what people paste: the code itself or a whole link. */
export function codeOf(text: string): string {
  const trimmed = text.trim();
  const code = /\/t\/([^/?#\s]+)/.exec(trimmed)?.[1] ?? trimmed;
  return code.replace(/[^0-9a-z]/gi, "").toLowerCase();
}

/** The secret that lets one sit down, if the text is a whole link that has one. */
export function invitationOf(text: string): string {
  return /#([\w-]+)/.exec(text)?.[1] ?? "";
}

/** The same from a folder, where every address is the same file: `?t=<code>`. */
export function parseQuery(query: string): Route {
  const code = new URLSearchParams(query).get("t");
  return code ? { page: "table", code: code.toLowerCase() } : { page: "home" };
}

export const HOME = SITE ? "./" : "/";
export const tablePath = (code: string, invitation = ""): string => `${SITE ? "./?t=" : "/t/"}${code}${invitation === "" ? "" : `#${invitation}`}`;
