/** Computes the size of a drawn condition, in dice, so that it fills its card. */
import type { TermLayout } from "../protocol";

/** Width and height. */
export type Size = readonly [number, number];

/** Widths and heights of the signs and numbers beside dice, whose letters are 0.78 dice high. */
const SIGN = 0.65;
const COUNT = 1.2;
const SUM = 1.75;
const LINE = 0.8;
const SEPARATOR = 0.5;

/** Horizontal and vertical offset of each die of a run. */
export const ASIDE = 0.72;
export const UP = 0.35;

/** Largest number of dice in a line, on upright cards and on others. */
export const NARROW = 2;
export const FLAT = 3;

/** Return the size of a condition whose lines are at most `lineLength` dice long. */
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

/** Wrap boxes into lines, as text is wrapped. */
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
