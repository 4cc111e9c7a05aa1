/** Addresses of the page, and what people paste. Pure. */

export type Route = { page: "home" } | { page: "table"; code: string };

export function parsePath(path: string): Route {
  const code = /^\/t\/([^/]+)\/?$/.exec(path)?.[1];
  return code === undefined ? { page: "home" } : { page: "table", code: decodeURIComponent(code).toLowerCase() };
}

/** A short code out of what people paste: the code itself or a whole link. */
export function codeOf(text: string): string {
  const trimmed = text.trim();
  const code = /\/t\/([^/?#\s]+)/.exec(trimmed)?.[1] ?? trimmed;
  return code.replace(/[^0-9a-z]/gi, "").toLowerCase();
}

export const tablePath = (code: string): string => `/t/${code}`;
