/** Computes the draws of provably fair dice (docs/fair-dice-spec.md). Pure. */
import { concat, fromHex, hmac, sha256, toHex } from "./sha256";

const encoder = new TextEncoder();
const WORDS = 2 ** 32;
const ROLL = /^([a-z]\d)+$/;
const SEVEN = /^B(\d{4}) R(\d{3})$/;
const PLATTER_DICE = 3;
export const MARK_DIGITS = 32;
/** Number of secrets in a chain. */
export const CHAIN_LENGTH = 256;

/** Hash the parts, joined by one byte. */
function hash(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const separator = Uint8Array.of(0x0a);
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  return sha256(concat(...bytes.flatMap((part, at) => (at === 0 ? [part] : [separator, part]))));
}

/** Return the previous secret of the chain. */
export const secretBefore = (context: string, secret: string): string =>
  toHex(hash("chain", context, fromHex(secret)));

/** Return the entropy pool before any salt was mixed in. */
export const firstPool = (context: string): Uint8Array => hash("pool", context);

export const mixSalt = (pool: Uint8Array, seat: number, salt: string): Uint8Array =>
  hash("salt", pool, Uint8Array.of(seat), fromHex(salt));

/** Return the fingerprint of a draw; `next` is the commitment published with it, if any. */
export const drawMark = (pool: Uint8Array, text: string, next: string): string =>
  toHex(hash("mark", pool, text, fromHex(next))).slice(0, MARK_DIGITS);

/** Return the generator of a draw: each call yields 32 random bits. */
export function generator(secret: string, pool: Uint8Array): () => number {
  const words = new DataView(hmac(fromHex(secret), pool).buffer);
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => words.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  return () => {
    const result = (a + b + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = (b ^ (b >>> 9)) >>> 0;
    b = Math.imul(c, 9) >>> 0;
    c = (((c << 21) | (c >>> 11)) + result) >>> 0;
    return result;
  };
}

/** Draw a number below `count` without bias. */
export function randomBelow(next: () => number, count: number): number {
  let product = next() * count;
  while (product % WORDS < WORDS % count) {
    product = next() * count;
  }
  return Math.floor(product / WORDS);
}

/** Return the digits of a number to base 6 as faces, lowest digit first. */
function faces(number: number, dice: number): number[] {
  return Array.from({ length: dice }, (_, at) => 1 + (Math.floor(number / 6 ** at) % 6));
}

export const isRoll = (text: string): boolean => ROLL.test(text) || SEVEN.test(text);

/** Whether a roll is what the generator yields; dice must be in the order of the sheet. */
export function matchesRoll(text: string, letters: string, next: () => number): boolean {
  const seven = SEVEN.exec(text);
  if (seven) {
    const all = faces(randomBelow(next, 6 ** 7), 7).reverse();
    return (
      all.slice(0, 4).sort().join("") === seven[1] && all.slice(4).sort().join("") === seven[2]
    );
  }
  const rolled = [...letters].filter((letter) => text.includes(letter));
  const shown = faces(randomBelow(next, 6 ** rolled.length), rolled.length);
  return rolled.map((letter, at) => letter + shown[at]).join("") === text;
}

/** The outcomes when the start player is drawn. */
export const startPlayerDraws = (players: number): string[] =>
  Array.from({ length: players }, (_, seat) => `begins ${seat + 1}`);

/**
 * Return the possible platters if dice are tied for the three lowest, in the order of the rules.
 */
export function platterDraws(roll: string): string[] {
  const dice = [...roll.matchAll(/([a-z])(\d)/g)].map(([, letter = "", face = ""]) => ({
    letter,
    face: Number(face),
  }));
  const third = dice.map(({ face }) => face).sort((a, b) => a - b)[PLATTER_DICE - 1] ?? 0;
  const ways: string[] = [];
  for (let mask = 0; mask < 2 ** dice.length; mask += 1) {
    const served = dice.filter((_, at) => (mask >> at) & 1);
    const lowest = dice.every(({ face }, at) => (face < third ? (mask >> at) & 1 : true));
    if (served.length === PLATTER_DICE && lowest && served.every(({ face }) => face <= third)) {
      ways.push(`=${served.map(({ letter }) => letter).join("")}`);
    }
  }
  return ways;
}
