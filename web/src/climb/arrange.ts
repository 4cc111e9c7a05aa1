/** How much room the drawing of a condition takes, counted in dice, so that it can be drawn as large as its card allows. */
import type { TermLayout } from "../protocol";

/** Width and height. */
export type Room = readonly [number, number];

/** Signs and numbers beside the dice: as large as letters of 0.78 dice are. */
const SIGN = 0.65;
const COUNT = 1.2;
const LEAST_SUM = 1.75;
const LINE = 0.8;
const OR = 0.5;

/** How far each step of a staircase lies beside and above the one before. */
export const ASIDE = 0.72;
export const UP = 0.35;

/** Dice that stand beside each other at most, on upright cards and on others. */
export const NARROW = 2;
export const FLAT = 3;

/** What the alternatives of a condition need if their lines are no longer than so many dice, unless one thing alone is. */
export function arrange(terms: readonly (readonly TermLayout[])[], longest: number): Room {
  return lined(
    terms.map((all, at) => {
      const [width, height] = lined(
        all.map((term) => roomOf(term, longest)),
        longest,
      );
      return [at > 0 ? width + OR : width, height];
    }),
    longest,
  );
}

/** Set things in lines, as lines of text are. */
function lined(things: readonly Room[], longest: number): Room {
  const lines: [number, number][] = [];
  for (const [width, height] of things) {
    const line = lines.at(-1);
    if (line && line[0] + width <= longest) {
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

function roomOf({ kind, dice: { length } }: TermLayout, longest: number): Room {
  const narrow = longest < FLAT;
  switch (kind) {
    case "exact":
      return [1, 1];
    case "least":
      return length === 1 ? [1 + SIGN, 1] : narrow ? [1 + SIGN, 1 + LINE] : [COUNT + 1 + SIGN, 1];
    case "equal":
      return [Math.min(length, longest), Math.ceil(length / longest)];
    case "run":
      return [1 + ASIDE * (length - 1), 1 + UP * (length - 1)];
    case "sum":
      return narrow ? [LEAST_SUM, 1 + LINE] : [SIGN + 1 + LEAST_SUM, 1];
  }
}
