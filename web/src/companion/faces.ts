/** The entered faces and their notation. Pure. */

/** The faces entered so far, 0 for none, and the selected die. */
export interface TypedRoll {
  faces: readonly number[];
  at: number;
}

/**
 * Set the selected die and select the next open one. If there is none, the last stays selected:
 * setting it again sends the roll again.
 */
export function addFace({ faces, at }: TypedRoll, face: number): TypedRoll {
  const next = faces.map((previous, index) => (index === at ? face : previous));
  return { faces: next, at: next.includes(0) ? next.indexOf(0) : at };
}

/** Clear the previous die and select it. */
export function removeLastFace({ faces, at }: TypedRoll): TypedRoll {
  const last = Math.max(0, at - 1);
  return { faces: faces.map((previous, index) => (index === last ? 0 : previous)), at: last };
}

/** Return a roll in notation: faces in the order of the dice. */
export const rollText = (faces: readonly number[]): string => faces.join("");
