/** The server's HTTP side. */
import type { CreateTable, GamesAnswer, JoinTable, Layout, Looked, PlayOn, Reason, Refusal, TableCreated, TableInfo, TableJoined } from "./protocol";
import { say, spoken } from "./words";

/** A refusal with a sentence for people; `offline` when the server did not answer at all. */
export class ApiError extends Error {
  constructor(
    readonly reason: Reason | "offline",
    words: string,
  ) {
    super(words);
  }
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const request: RequestInit = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(`${path}?lang=${spoken.get().language}`, request);
  } catch {
    throw new ApiError("offline", say("page.error.offline"));
  }
  const content: unknown = await answer.json().catch(() => null);
  if (!answer.ok || content === null) {
    const refusal = content as Refusal | null;
    throw new ApiError(refusal?.reason ?? "internal", refusal?.words ?? say("page.error.server"));
  }
  return content as T;
}

export const fetchGames = (): Promise<GamesAnswer> => ask("/api/games");
export const fetchTable = (table: string): Promise<TableInfo> => ask(`/api/tables/${encodeURIComponent(table)}`);
export const createTable = (wish: CreateTable): Promise<TableCreated> => ask("/api/tables", wish);
export const joinTable = (table: string, wish: JoinTable): Promise<TableJoined> => ask(`/api/tables/${encodeURIComponent(table)}/join`, wish);
export const lookAt = (transcript: string): Promise<Looked> => ask("/api/transcripts", { transcript });
export const playOn = (wish: PlayOn): Promise<TableCreated> => ask("/api/tables/from-transcript", wish);
export const transcriptAddress = (table: string): string => `/api/tables/${encodeURIComponent(table)}/transcript`;

/** A finished game as text, or what everybody may know of one that is on. */
export async function fetchTranscript(table: string): Promise<string> {
  const answer = await fetch(transcriptAddress(table)).catch(() => null);
  if (!answer?.ok) {
    throw new ApiError("offline", say("page.error.offline"));
  }
  return answer.text();
}

const layouts = new Map<string, Promise<Layout>>();

/** What is printed never changes while the page is open, save its words with the language. */
export function fetchLayout(game: string, language: string): Promise<Layout> {
  const key = `${language} ${game}`;
  const known = layouts.get(key);
  if (known) {
    return known;
  }
  const coming = ask<Layout>(`/api/games/${encodeURIComponent(game)}/layout`);
  layouts.set(key, coming);
  coming.catch(() => layouts.delete(key));
  return coming;
}
