/** Which dice are rolled, and how what they show is written. Pure. */
import type { CardLayout, Layout, View } from "../protocol";

/** The colours of the dice that are rolled now, in the order in which their faces are written. */
export function colourDice(view: View, layout: Layout): string[] {
  if (layout.kind === "climb") {
    return layout.dice;
  }
  return layout.dice.flatMap((die, at) => (view.kind === "clever" && view.dice[at]?.lies === "hand" ? [die.name] : []));
}

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
  return (layout.kind === "climb" && layout.cards.find((card) => card.name === name)) || null;
}

/** The dice that a text such as `=ybo` names by their letters: colours and faces. */
export function servedDice(text: string, layout: Layout, view: View): [string, number][] {
  if (layout.kind !== "clever" || view.kind !== "clever") {
    return [];
  }
  return layout.dice.flatMap((die, at) => (text.includes(die.letter) ? [[die.name, view.dice[at]?.face ?? 0] as [string, number]] : []));
}
