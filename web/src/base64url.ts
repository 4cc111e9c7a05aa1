/** Bytes as text of letters, digits, "-" and "_" (RFC 4648, without padding). */

export function toBase64url(bytes: Iterable<number>): string {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return the bytes of a text; throws if it is none. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}
