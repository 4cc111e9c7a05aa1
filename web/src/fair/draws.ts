/** What a draw of sealed dice must be (docs/fair-dice.md). Pure. */
import { fromHex, hmac, joined, sha256, toHex } from "./sha256";

const encoder = new TextEncoder();
const WORDS = 2 ** 32;
const ROLL = /^([a-z]\d)+$/;
const SEVEN = /^B(\d{4}) R(\d{3})$/;
const SERVED = 3;
export const MARK_DIGITS = 32;
/** Secrets of a chain. */
export const CHAIN_LENGTH = 256;

/** The parts of a hash are joined by one byte. */
function hash(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const separator = Uint8Array.of(0x0a);
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  return sha256(joined(...bytes.flatMap((part, at) => (at === 0 ? [part] : [separator, part]))));
}

/** The secret before this one. */
export const secretBefore = (context: string, secret: string): string =>
  toHex(hash("chain", context, fromHex(secret)));

/** The entropy pool into which nobody has mixed anything. */
export const firstPool = (context: string): Uint8Array => hash("pool", context);

export const mixed = (pool: Uint8Array, seat: number, salt: string): Uint8Array =>
  hash("salt", pool, Uint8Array.of(seat), fromHex(salt));

/** By which a draw is known again; `next` is the commitment that came with it, if any. */
export const markOf = (pool: Uint8Array, text: string, next: string): string =>
  toHex(hash("mark", pool, text, fromHex(next))).slice(0, MARK_DIGITS);

/** The generator of a draw: gives 32 random bits at each call. */
export function generator(secret: string, pool: Uint8Array): () => number {
  const drawn = hmac(fromHex(secret), pool);
  const words = new DataView(drawn.buffer);
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

export const isRoll = (text: string): boolean => ROLL.test(text) || SEVEN.test(text);

/** Whether a roll is what the generator gives; dice are written by their letters in the order of the sheet, so that no face can change its die. */
export function isRolled(text: string, letters: string, next: () => number): boolean {
  const seven = SEVEN.exec(text);
  if (seven) {
    const all = faces(below(next, 6 ** 7), 7).reverse();
    return (
      all.slice(0, 4).sort().join("") === seven[1] && all.slice(4).sort().join("") === seven[2]
    );
  }
  const rolled = [...letters].filter((letter) => text.includes(letter));
  const shown = faces(below(next, 6 ** rolled.length), rolled.length);
  return rolled.map((letter, at) => letter + shown[at]).join("") === text;
}

/** What a lot is drawn among. */
export const lots = (players: number): string[] =>
  Array.from({ length: players }, (_, seat) => `begins ${seat + 1}`);

/** In which ways tied dice of a roll can be among the three lowest, in the order of the rules. */
export function platters(roll: string): string[] {
  const dice = [...roll.matchAll(/([a-z])(\d)/g)].map(([, letter = "", face = ""]) => ({
    letter,
    face: Number(face),
  }));
  const third = dice.map(({ face }) => face).sort((a, b) => a - b)[SERVED - 1] ?? 0;
  const ways: string[] = [];
  for (let mask = 0; mask < 2 ** dice.length; mask += 1) {
    const served = dice.filter((_, at) => (mask >> at) & 1);
    const lowest = dice.every(({ face }, at) => (face < third ? (mask >> at) & 1 : true));
    if (served.length === SERVED && lowest && served.every(({ face }) => face <= third)) {
      ways.push(`=${served.map(({ letter }) => letter).join("")}`);
    }
  }
  return ways;
}
