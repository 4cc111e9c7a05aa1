/** What a draw of sealed dice must be (docs/fair-dice.md). Pure. */
import type { StirredSalt } from "../protocol";
import { fromHex, hmac, joined, sha256, toHex } from "./sha256";

const encoder = new TextEncoder();
const WORDS = 2 ** 32;
const ROLL = /^([a-z]\d)+$/;

/** The parts of a hash are joined by one byte. */
function hash(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const separator = Uint8Array.of(0x0a);
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  return sha256(joined(...bytes.flatMap((part, at) => (at === 0 ? [part] : [separator, part]))));
}

/** The secret before this one. */
export const secretBefore = (title: string, secret: string): string => toHex(hash("chain", title, fromHex(secret)));

export const emptyCup = (title: string): Uint8Array => hash("cup", title);

export const stirred = (cup: Uint8Array, { seat, salt }: StirredSalt): Uint8Array => hash("salt", cup, Uint8Array.of(seat), fromHex(salt));

/** The generator of a draw: gives 32 random bits at each call. */
export function generator(secret: string, cup: Uint8Array): () => number {
  const drawn = hmac(fromHex(secret), cup);
  const words = new DataView(drawn.buffer);
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => words.getUint32(at, true)) as [number, number, number, number];
  return () => {
    const result = (a + b + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = (b ^ (b >>> 9)) >>> 0;
    b = Math.imul(c, 9) >>> 0;
    c = (((c << 21) | (c >>> 11)) + result) >>> 0;
    return result;
  };
}

export function below(next: () => number, count: number): number {
  let product = next() * count;
  while (product % WORDS < WORDS % count) {
    product = next() * count;
  }
  return Math.floor(product / WORDS);
}

/** Digits to base 6 as faces, the lowest first. */
function faces(number: number, dice: number): number[] {
  return Array.from({ length: dice }, (_, at) => 1 + (Math.floor(number / 6 ** at) % 6));
}

/** Whether a draw is what the generator gives: a roll, or one of several things in the order they are counted in. */
export function isDrawn(text: string, among: readonly string[] | null, next: () => number): boolean {
  const seven = /^B(\d{4}) R(\d{3})$/.exec(text);
  if (seven) {
    const all = faces(below(next, 6 ** 7), 7).reverse();
    return all.slice(0, 4).sort().join("") === seven[1] && all.slice(4).sort().join("") === seven[2];
  }
  if (ROLL.test(text)) {
    const shown = text.replace(/[a-z]/g, "");
    return faces(below(next, 6 ** shown.length), shown.length).join("") === shown;
  }
  return among !== null && among[below(next, among.length)] === text;
}
