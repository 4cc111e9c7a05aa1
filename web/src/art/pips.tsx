/** Every colour of die has its own shape of pips: players need not distinguish colours. */
import type { JSX } from "preact";
import { useGameStyle } from "../game-style";

export const PIP_SHAPES: Record<string, JSX.Element> = {
  yellow: <circle r="9.5" />,
  blue: <rect x="-8.5" y="-8.5" width="17" height="17" rx="3" />,
  green: (
    <g>
      <circle cx="-5" cy="-5" r="5.6" />
      <circle cx="5" cy="-5" r="5.6" />
      <circle cx="-5" cy="5" r="5.6" />
      <circle cx="5" cy="5" r="5.6" />
    </g>
  ),
  orange: (
    <path d="M0-10.5 10.5 8h-21Z" stroke-width="3" stroke="currentColor" stroke-linejoin="round" />
  ),
  purple: <path d="M0-12.5 10.5 0 0 12.5-10.5 0Z" />,
  white: <circle r="7.2" fill="none" stroke="currentColor" stroke-width="5" />,
  silver: <path d="M-5.5-9.6h11L11 0 5.5 9.6h-11L-11 0Z" />,
  pink: (
    <path d="M0 11C-9 4-12-1-10.5-5.5-8.5-10.5-2.5-10.5 0-5 2.5-10.5 8.5-10.5 10.5-5.5 12-1 9 4 0 11Z" />
  ),
  red: <path d="M0-12 3.2-4.2 11.5-3.6 5.2 1.8 7.2 10 0 5.6-7.2 10-5.2 1.8-11.5-3.6-3.2-4.2Z" />,
};

const LEFT = 27;
const MIDDLE = 50;
const RIGHT = 73;

/** Positions of the pips of each face, on a die of 100 x 100. */
export const PIP_PLACES: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[MIDDLE, MIDDLE]],
  [
    [LEFT, LEFT],
    [RIGHT, RIGHT],
  ],
  [
    [LEFT, LEFT],
    [MIDDLE, MIDDLE],
    [RIGHT, RIGHT],
  ],
  [
    [LEFT, LEFT],
    [RIGHT, LEFT],
    [LEFT, RIGHT],
    [RIGHT, RIGHT],
  ],
  [
    [LEFT, LEFT],
    [RIGHT, LEFT],
    [MIDDLE, MIDDLE],
    [LEFT, RIGHT],
    [RIGHT, RIGHT],
  ],
  [
    [LEFT, LEFT],
    [RIGHT, LEFT],
    [LEFT, MIDDLE],
    [RIGHT, MIDDLE],
    [LEFT, RIGHT],
    [RIGHT, RIGHT],
  ],
];

/** The sign of a colour: one of its pips. */
export function Sign({ colour }: { colour: string }): JSX.Element {
  const { shapes } = useGameStyle();
  return (
    <svg class={`sign c-${colour}`} viewBox="-14 -14 28 28" aria-hidden="true" fill="currentColor">
      {PIP_SHAPES[shapes[colour] ?? colour]}
    </svg>
  );
}
