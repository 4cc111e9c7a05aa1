/** How much room the drawing of a condition takes, counted in dice, so that it can be drawn as large as its card allows. */
import type { TermLayout } from "../protocol";

/** Width and height. */
export type Size = readonly [number, number];

/** Signs and numbers beside the dice: as large as letters of 0.78 dice are. */
const SIGN = 0.65;
const COUNT = 1.2;
const SUM = 1.75;
const LINE = 0.8;
const SEPARATOR = 0.5;

/** How far each step of a staircase lies beside and above the one before. */
export const ASIDE = 0.72;
export const UP = 0.35;

/** Dice that stand beside each other at most, on upright cards and on others. */
export const NARROW = 2;
export const FLAT = 3;

/** What the alternatives of a condition need if their lines are no longer than so many dice, unless one thing alone is. */
export function arrange(terms: readonly (readonly TermLayout[])[], lineLength: number): Size {
  return wrapLines(
    terms.map((group, at) => {
      const [width, height] = wrapLines(
        group.map((term) => sizeOf(term, lineLength)),
        lineLength,
      );
      return [at > 0 ? width + SEPARATOR : width, height];
    }),
    lineLength,
  );
}

/** Set things in lines, as lines of text are. */
function wrapLines(sizes: readonly Size[], lineLength: number): Size {
  const lines: [number, number][] = [];
  for (const [width, height] of sizes) {
    const line = lines.at(-1);
    if (line && line[0] + width <= lineLength) {
      line[0] += width;
      line[1] = Math.max(line[1], height);
    } else {
      lines.push([width, height]);
    }
  }
  return [
    Math.max(...lines.map(([width]) => width)),
    lines.reduce((sum, [, height]) => sum + height, 0),
  ];
}

function sizeOf({ kind, dice: { length } }: TermLayout, lineLength: number): Size {
  const narrow = lineLength < FLAT;
  switch (kind) {
    case "exact":
      return [1, 1];
    case "least":
      return length === 1 ? [1 + SIGN, 1] : narrow ? [1 + SIGN, 1 + LINE] : [COUNT + 1 + SIGN, 1];
    case "equal":
      return [Math.min(length, lineLength), Math.ceil(length / lineLength)];
    case "run":
      return [1 + ASIDE * (length - 1), 1 + UP * (length - 1)];
    case "sum":
      return narrow ? [SUM, 1 + LINE] : [SIGN + 1 + SUM, 1];
  }
}
