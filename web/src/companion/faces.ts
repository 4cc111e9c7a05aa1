/** What is read off dice and cards, and how it is written. Pure. */
import { familyOf } from "../family";
import type { CardLayout, Layout } from "../protocol";

/** The faces read off the dice so far, 0 for none, and the die that comes next. */
export interface TypedRoll {
  faces: readonly number[];
  at: number;
}

/** Sets a die and goes on to the next that is open; where none is, the last one can be set again, which sends the roll once more. */
export function addFace({ faces, at }: TypedRoll, face: number): TypedRoll {
  const next = faces.map((previous, index) => (index === at ? face : previous));
  return { faces: next, at: next.includes(0) ? next.indexOf(0) : at };
}

/** Goes back by one die. */
export function removeLastFace({ faces, at }: TypedRoll): TypedRoll {
  const last = Math.max(0, at - 1);
  return { faces: faces.map((previous, index) => (index === last ? 0 : previous)), at: last };
}

/** Bare faces are read in the order of the dice. */
export const rollText = (faces: readonly number[]): string => faces.join("");

export function cardOf(text: string, layout: Layout): CardLayout | null {
  const name = /^card (\d+b?)$/.exec(text)?.[1];
  return (
    familyOf(layout)
      .cards(layout)
      .find((card) => card.name === name) ?? null
  );
}
