/** Requests to the server, or to the backend that replaces it. */
import { ask as askBackend } from "#backend";
import type {
  CreateTable,
  GamesAnswer,
  JoinTable,
  Layout,
  Looked,
  OwnTable,
  PlayOn,
  Reason,
  Refusal,
  TableCreated,
  TableInfo,
  TableJoined,
  Tour,
} from "./protocol";
import { locale, translate } from "./translate";

/** An error with a message for the user; `offline` if the server did not answer. */
export class ApiError extends Error {
  constructor(
    readonly reason: Reason | "offline",
    words: string,
  ) {
    super(words);
  }
}

export async function askServer<T>(path: string, body?: unknown): Promise<T> {
  const { ok, content } = await askBackend(
    path,
    body === undefined ? null : JSON.stringify(body),
    locale.get().language,
  ).catch(() => {
    throw new ApiError("offline", translate("page.error.offline"));
  });
  if (!ok || content === null) {
    const refusal = content as Refusal | null;
    throw new ApiError(
      refusal?.reason ?? "internal",
      refusal?.words ?? translate("page.error.server"),
    );
  }
  return content as T;
}

/** Fetch the catalogue with the rules of all games. */
export const fetchRules = (language: string): Promise<Record<string, string>> =>
  askServer(`/api/locale/${language}/rules`);
export const fetchTable = (table: string): Promise<TableInfo> =>
  askServer(`/api/tables/${encodeURIComponent(table)}`);
/** Fetch a table with the seats of these tokens. */
export const fetchOwnTable = (table: string, tokens: readonly string[]): Promise<OwnTable> =>
  askServer(`/api/tables/${encodeURIComponent(table)}`, { tokens });
export const createTable = (request: CreateTable): Promise<TableCreated> =>
  askServer("/api/tables", request);
export const joinTable = (table: string, request: JoinTable): Promise<TableJoined> =>
  askServer(`/api/tables/${encodeURIComponent(table)}/join`, request);
export const checkTranscript = (transcript: string): Promise<Looked> =>
  askServer("/api/transcripts", { transcript });
export const playOn = (request: PlayOn): Promise<TableCreated> =>
  askServer("/api/tables/from-transcript", request);
export const fetchTranscript = (table: string): Promise<string> =>
  askServer(transcriptAddress(table));
export const transcriptAddress = (table: string): string =>
  `/api/tables/${encodeURIComponent(table)}/transcript`;

const cache = new Map<string, Promise<unknown>>();

/** Fetch something once; again only after a failure. */
function fetchOnce<T>(path: string, key = path): Promise<T> {
  const cached = cache.get(key);
  if (cached) {
    return cached as Promise<T>;
  }
  const promise = askServer<T>(path);
  cache.set(key, promise);
  promise.catch(() => cache.delete(key));
  return promise;
}

/** Fetch the offered games; they do not change while the page is open. */
export const fetchGames = (): Promise<GamesAnswer> => fetchOnce("/api/games");

/** Fetch the scripted round of a game. */
export const fetchTour = (game: string, language: string): Promise<Tour> =>
  fetchOnce(`/api/games/${encodeURIComponent(game)}/tour`, `${language} ${game} tour`);

/** Fetch the layout of a game; only its texts change, with the language. */
export const fetchLayout = (game: string, language: string): Promise<Layout> =>
  fetchOnce(`/api/games/${encodeURIComponent(game)}/layout`, `${language} ${game}`);
