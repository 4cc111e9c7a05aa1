import { describe, expect, it } from "vitest";
import { DISTINCT_COLOURS } from "../src/game-style";

type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

/** Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB. */
const VISIONS: Record<string, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const WHITE = "#fdf8ec";
const PRINTED = { yellow: "#f2c335", blue: "#3a74c4", green: "#2f8049", orange: "#ee8434" };
/** Colours that are next to each other: dice, areas and cards of each game. */
const GAMES = [
  ["yellow", "blue", "green", "orange", "purple", "white"],
  ["silver", "yellow", "blue", "green", "pink", "white"],
  ["green", "yellow", "red", "blue", "white"],
];
/** Distance in OKLab, times 100, at which colours are clearly different. */
const CLEARLY = 12;
const READABLE = 4.5; // WCAG 2.2, 1.4.3

function linear(colour: string): Vector {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function times([x, y, z]: Matrix, vector: Vector): Vector {
  return [dot(x, vector), dot(y, vector), dot(z, vector)];
}

/** Return a colour in OKLab, as it is seen. */
function seen(colour: string, vision: Matrix): Vector {
  const [red, green, blue] = times(vision, linear(colour)).map((channel) =>
    Math.min(1, Math.max(0, channel)),
  ) as unknown as Vector;
  const [l, m, s] = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    [red, green, blue],
  ).map(Math.cbrt) as unknown as Vector;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [l, m, s],
  );
}

function distance(a: string, b: string, vision: Matrix): number {
  const [first, second] = [seen(a, vision), seen(b, vision)];
  return 100 * Math.hypot(...first.map((value, at) => value - (second[at] ?? 0)));
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [a, b]
    .map((colour) => dot([0.2126, 0.7152, 0.0722], linear(colour)) + 0.05)
    .sort((x, y) => y - x);
  return light / dark;
}

const colourOf = (name: string): string => DISTINCT_COLOURS[name]?.[0] ?? WHITE;

describe.each(Object.entries(VISIONS))(
  "colours that everybody can distinguish: %s",
  (_, vision) => {
    it.each(GAMES)("are clearly different: %s, %s, %s, %s, %s", (...names) => {
      for (const [at, one] of names.entries()) {
        for (const other of names.slice(at + 1)) {
          const apart = distance(colourOf(one), colourOf(other), vision);
          expect(apart, `${one} and ${other}`).toBeGreaterThan(CLEARLY);
        }
      }
    });
  },
);

it("some printed colours look alike with deuteranopia", () => {
  const { deuteranopia = VISIONS["normal"] as Matrix } = VISIONS;
  expect(distance(PRINTED.yellow, PRINTED.orange, deuteranopia)).toBeLessThan(CLEARLY);
});

it.each(Object.entries(DISTINCT_COLOURS))("text on %s is readable", (_, [colour, ink]) => {
  expect(contrast(colour, ink)).toBeGreaterThanOrEqual(READABLE);
});
