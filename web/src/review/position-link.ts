/**
 * Games up to a position as transcripts, and positions as text (docs/notation.md). Links contain
 * them after "#", which is never sent to a server.
 */

import { fromBase64url, toBase64url } from "../base64url";

/** Lines without a move: comments, and rollers, salts and secrets of fair dice. */
const NOT_A_MOVE = /^\s*(?:#|$|roll |salt |seal:)/;

/**
 * Return the transcript of the first `moves` moves, without the lines between them and the next.
 */
export function transcriptUpTo(transcript: string, moves: number): string {
  const lines = transcript.split("\n");
  const head = lines.indexOf("") + 1;
  const kept = lines.slice(0, head);
  let count = 0;
  for (const line of lines.slice(head)) {
    if (count === moves) {
      break;
    }
    kept.push(line);
    count += NOT_A_MOVE.test(line) ? 0 : 1;
  }
  return `${kept.join("\n").trimEnd()}\n${moves === 0 ? "\n" : ""}`;
}

const readAll = (stream: ReadableStream<Uint8Array>): Promise<ArrayBuffer> =>
  new Response(stream).arrayBuffer();

/** The name of a game, and a word. */
const POSITION = /^[\s_]*[a-z0-9-]+[\s_]+[a-z0-9]+:\S/i;

/** Return whether a text begins as a position does. */
export const isPosition = (text: string): boolean => POSITION.test(text);

/** Return a link with a position that people can read. */
export function readableLink(page: string, position: string): string {
  const words = position.trim().replace(/\s+/g, "_");
  // Programs that turn texts into links leave these signs out at the end.
  return `${page}#${words.replace(/[()!*?]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
}

/** Return a link with the whole game up to a position. */
export async function gameLink(page: string, text: string): Promise<string> {
  const bytes = new Uint8Array(
    await readAll(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))),
  );
  return `${page}#${toBase64url(bytes)}`;
}

const LONGEST_CODE = 200_000;
/** The longest text that the page reads as a transcript. */
export const LONGEST_TEXT = 1_000_000;

/** Read a stream until it is longer than any transcript: a short link can unpack to gigabytes. */
async function readText(stream: ReadableStream<Uint8Array>): Promise<string | null> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return new Blob(parts).text();
    }
    length += value.length;
    if (length > LONGEST_TEXT) {
      await reader.cancel();
      return null;
    }
    parts.push(new Uint8Array(value));
  }
}

/**
 * Return the transcript or the position in a link; null if there is none, or it is damaged or too
 * long.
 */
export async function gameInLink(link: string): Promise<string | null> {
  const code = /#(\S+)$/.exec(link.trim())?.[1];
  if (code === undefined || code.length > LONGEST_CODE) {
    return null;
  }
  try {
    const position = decodeURIComponent(code).replaceAll("_", " ");
    if (isPosition(position)) {
      return position;
    }
    const bytes = fromBase64url(code);
    return await readText(
      new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")),
    );
  } catch {
    return null;
  }
}
