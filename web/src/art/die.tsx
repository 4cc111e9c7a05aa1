import type { JSX } from "preact";
import { useGameStyle } from "../game-style";
import { PIP_PLACES, PIP_SHAPES } from "./pips";
import "./die.css";

/** A die; face 0 shows only the sign of its colour. */
export function DieFace({ colour, face }: { colour: string; face: number }): JSX.Element {
  const { shapes } = useGameStyle();
  const shape = PIP_SHAPES[shapes[colour] ?? colour];
  return (
    <svg class={`die-face c-${colour}`} viewBox="0 0 100 100" aria-hidden="true">
      <rect class="die-side" x="4" y="7" width="92" height="91" rx="22" />
      <rect class="die-top" x="4" y="3" width="92" height="90" rx="22" />
      <rect class="die-shine" x="9" y="7" width="82" height="80" rx="18" />
      <g class="die-pips" fill="currentColor">
        {face === 0 ? (
          <g transform="translate(50 48) scale(2)" opacity="0.45">
            {shape}
          </g>
        ) : (
          (PIP_PLACES[face] ?? []).map(([x, y]) => (
            <g key={`${x}-${y}`} transform={`translate(${x} ${y - 2})`}>
              {shape}
            </g>
          ))
        )}
      </g>
    </svg>
  );
}

/** Clicking the dice rolls them; the keyboard and screen readers use the button of the prompt. */
export function RollArea({ onRoll }: { onRoll: () => void }): JSX.Element {
  return (
    <button type="button" class="tray-roll" tabIndex={-1} aria-hidden="true" onClick={onRoll} />
  );
}
