/** Addresses of the page, and what people paste. Pure. */

/** What of a finished game is looked at: the moment after so many moves, or the mistakes made in it. */
export type Moment = number | "mistakes";

export type Route = { page: "home" } | { page: "look" } | { page: "nowhere" } | { page: "table"; code: string; moment: Moment | null };

export function parsePath(path: string): Route {
  if (path === "/") {
    return { page: "home" };
  }
  if (path === "/look") {
    return { page: "look" };
  }
  const [, code, moment] = /^\/t\/([^/%]+)(?:\/(\d{1,5}|mistakes)?)?$/.exec(path) ?? [];
  if (code === undefined) {
    return { page: "nowhere" };
  }
  return { page: "table", code: code.toLowerCase(), moment: moment === undefined ? null : moment === "mistakes" ? moment : Number(moment) };
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

export const momentPath = (code: string, moment: Moment): string => `/t/${code}/${moment}`;

export const tablePath = (code: string, invitation = ""): string => `/t/${code}${invitation === "" ? "" : `#${invitation}`}`;
