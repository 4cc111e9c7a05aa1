import type { JSX } from "preact";
import { DieFace } from "../art/die";
import { FoxHead } from "../art/logo";

const DICE: Record<string, readonly (readonly [string, number])[]> = {
  "ganz-schoen-clever": [["yellow", 3], ["blue", 6], ["green", 2], ["orange", 5], ["purple", 4]],
  "doppelt-so-clever": [["silver", 4], ["yellow", 1], ["blue", 5], ["green", 3], ["pink", 6]],
  "geht-noch-was": [["blue", 2], ["blue", 5], ["red", 4], ["red", 6]],
};

/** The dice of a game, thrown on a cloth. */
export function GameArt({ game }: { game: string }): JSX.Element {
  return (
    <div class={`game-art a-${game}`} aria-hidden="true">
      {game === "geht-noch-was" ? <Steps /> : <svg class="art-fox" viewBox="-36 -36 72 72"><FoxHead /></svg>}
      <div class="thrown">
        {(DICE[game] ?? []).map(([colour, face], at) => <span key={at} class={`throw-${at}`}><DieFace colour={colour} face={face} /></span>)}
      </div>
    </div>
  );
}

/** Cards climbing a stair to the clover. */
function Steps(): JSX.Element {
  const colours = ["#57ad6c", "#57ad6c", "#e9b93a", "#e9b93a", "#d5543f"];
  const leaf = "M0-1C-2-5-11-8-11-13.5-11-18-5-19.5-2-17-1-16-.4-15 0-14 .4-15 1-16 2-17 5-19.5 11-18 11-13.5 11-8 2-5 0-1Z";
  return (
    <svg class="art-steps" viewBox="0 0 200 110">
      {colours.map((colour, at) => (
        <rect key={at} x={14 + at * 30} y={82 - at * 15} width="26" height="34" rx="5" fill={colour} stroke="#fff8ea" stroke-width="3" />
      ))}
      <g transform="translate(176 24)" fill="#3c9156">
        {[45, 135, 225, 315].map((angle) => <path key={angle} d={leaf} transform={`rotate(${angle})`} />)}
      </g>
    </svg>
  );
}
