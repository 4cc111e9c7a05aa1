/** What is read off dice and cards, and how it is written. Pure. */
import { familyOf } from "../family";
import type { CardLayout, Layout } from "../protocol";

/** The faces read off the dice so far, 0 for none, and the die that comes next. */
export interface Read {
  faces: readonly number[];
  at: number;
}

export function withFace({ faces, at }: Read, face: number): Read {
  const next = faces.map((old, place) => (place === at ? face : old));
  return { faces: next, at: Math.max(0, next.indexOf(0)) };
}

/** Goes back by one die. */
export function unread({ faces, at }: Read): Read {
  const last = Math.max(0, at - 1);
  return { faces: faces.map((old, place) => (place === last ? 0 : old)), at: last };
}

/** Bare faces are read in the order of the dice. */
export const rollText = (faces: readonly number[]): string => faces.join("");

/** Who begins, counted from 1, if the text is a lot; else 0. */
export const lotOf = (text: string): number => Number(/^begins (\d+)$/.exec(text)?.[1] ?? 0);

export function cardOf(text: string, layout: Layout): CardLayout | null {
  const name = /^card (\d+b?)$/.exec(text)?.[1];
  return familyOf(layout).cards(layout).find((card) => card.name === name) ?? null;
}
