/** SHA-256 and HMAC for pages served without https, where browsers offer no crypto.subtle. Pure. */

const BLOCK = 64;

const primes: number[] = [];
for (let candidate = 2; primes.length < 64; candidate += 1) {
  if (primes.every((prime) => candidate % prime !== 0)) {
    primes.push(candidate);
  }
}

/** Return the first 32 bits of the fractional part of a root. */
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);
const ROUNDS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, message.length * 8);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let start = 0; start < padded.length; start += BLOCK) {
    compress(state, words, view, start);
  }
  const digest = new Uint8Array(32);
  state.forEach((word, at) => new DataView(digest.buffer).setInt32(4 * at, word));
  return digest;
}

function compress(state: Int32Array, words: Int32Array, view: DataView, start: number): void {
  const at = (list: Int32Array, index: number): number => list[index] ?? 0;
  for (let index = 0; index < 64; index += 1) {
    if (index < 16) {
      words[index] = view.getInt32(start + 4 * index);
      continue;
    }
    const near = at(words, index - 15);
    const far = at(words, index - 2);
    const low = rotate(near, 7) ^ rotate(near, 18) ^ (near >>> 3);
    const high = rotate(far, 17) ^ rotate(far, 19) ^ (far >>> 10);
    words[index] = at(words, index - 16) + low + at(words, index - 7) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const first =
      (h +
        (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
        ((e & f) ^ (~e & g)) +
        at(ROUNDS, index) +
        at(words, index)) |
      0;
    const second =
      ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = at(state, index) + word;
  });
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(
    concat(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    concat(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
