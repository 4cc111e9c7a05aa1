/**
 * The path of the page on its host: `/`, or the path of `--public-url` such as `/games/`. The server
 * writes it into the page. Without a server it is `./`, since all pages are one file.
 */
export const BASE: string = globalThis.document?.documentElement.dataset["base"] ?? "/";

/** Return the address of a path of the server, such as `/api/games`. */
export const serverPath = (path: string): string => BASE + path.slice(1);
