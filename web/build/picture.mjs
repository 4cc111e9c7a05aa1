/** Renders SVG paths of lines and cubic curves, such as the logo, into a PNG. */
import { deflateSync } from "node:zlib";

const FINE = 4; // samples per pixel in each direction
const CURVE = 12; // segments per curve

/** Return the closed outlines of a path of absolute M, L, H, V, C and Z commands. */
export function outlines(path) {
  const found = [];
  let points = [];
  let at = [0, 0];
  for (const [, letter, numbers] of path.matchAll(/([MLHVCZ])([^MLHVCZ]*)/g)) {
    const given = (numbers.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    if (letter === "M") {
      points = [];
      found.push(points);
    }
    if (letter === "H" || letter === "V") {
      at = letter === "H" ? [given[0], at[1]] : [at[0], given[0]];
      points.push(at);
    } else if (letter === "C") {
      for (let n = 0; n < given.length; n += 6) {
        const from = at;
        const [a, b, c, d, e, f] = given.slice(n, n + 6);
        for (let piece = 1; piece <= CURVE; piece += 1) {
          const t = piece / CURVE;
          const mix = (p, q, r, s) =>
            p * (1 - t) ** 3 + 3 * q * t * (1 - t) ** 2 + 3 * r * t ** 2 * (1 - t) + s * t ** 3;
          points.push([mix(from[0], a, c, e), mix(from[1], b, d, f)]);
        }
        at = [e, f];
      }
    } else {
      for (let n = 0; n < given.length; n += 2) {
        at = [given[n], given[n + 1]];
        points.push(at);
      }
    }
  }
  return found;
}

export function circle(x, y, radius) {
  return [
    Array.from({ length: 48 }, (_, n) => [
      x + radius * Math.cos((n * Math.PI) / 24),
      y + radius * Math.sin((n * Math.PI) / 24),
    ]),
  ];
}

export function turned(shape, degrees) {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return shape.map((points) => points.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos]));
}

/**
 * Render shapes with colours (`[r, g, b]`) and opacities into a square PNG.
 * `reach` is half the width of the shown area, `ground` its background colour or null.
 */
export function png(size, reach, ground, shapes) {
  const pixels = new Float64Array(size * size * 4);
  for (let at = 0; ground && at < pixels.length; at += 4) {
    pixels.set([...ground, 1], at);
  }
  const scale = (size * FINE) / (2 * reach);
  for (const { outline, colour, opacity = 1 } of shapes) {
    const covered = new Uint8Array(size * size);
    const edges = outline.flatMap((points) =>
      points.map((point, n) => [point, points[(n + 1) % points.length]]),
    );
    for (let line = 0; line < size * FINE; line += 1) {
      const y = (line + 0.5) / scale - reach;
      const crossings = edges
        .filter(([[, from], [, to]]) => from <= y !== to <= y)
        .map(([[x1, y1], [x2, y2]]) => (x1 + ((y - y1) / (y2 - y1)) * (x2 - x1) + reach) * scale)
        .sort((a, b) => a - b);
      for (let n = 0; n + 1 < crossings.length; n += 2) {
        for (
          let x = Math.max(0, Math.round(crossings[n]));
          x < Math.min(size * FINE, Math.round(crossings[n + 1]));
          x += 1
        ) {
          covered[Math.floor(line / FINE) * size + Math.floor(x / FINE)] += 1;
        }
      }
    }
    covered.forEach((count, at) => {
      const share = (opacity * count) / FINE ** 2;
      const below = pixels[at * 4 + 3] * (1 - share);
      if (share > 0) {
        colour.forEach((value, n) => {
          pixels[at * 4 + n] = (value * share + pixels[at * 4 + n] * below) / (share + below);
        });
        pixels[at * 4 + 3] = share + below;
      }
    });
  }
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let y = 0; y < size; y += 1) {
    for (let n = 0; n < size * 4; n += 1) {
      const value = pixels[y * size * 4 + n];
      rows[y * (size * 4 + 1) + 1 + n] = Math.round(n % 4 === 3 ? value * 255 : value);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 6, 0, 0, 0], 8); // 8 bits per channel, RGBA
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(kind, content) {
  const named = Buffer.concat([Buffer.from(kind, "latin1"), content]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(content.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(checksum(named), named.length + 4);
  return whole;
}

function checksum(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    }
  }
  return ~sum >>> 0;
}
