import type { JSX } from "preact";
import { DieFace } from "../art/die";
import { FoxHead } from "../art/logo";
import { pipShapes, Printed } from "../printed";
import type { GameInfo } from "../protocol";

/** Which dice of a family lie there, by their place among the colours, and what they show. */
const THROWN: Record<string, readonly (readonly [number, number])[]> = {
  clever: [[0, 3], [1, 6], [2, 2], [3, 5], [4, 4]],
  climb: [[0, 2], [0, 5], [1, 4], [1, 6]],
};

/** The dice of a game, thrown on a cloth. */
export function GameArt({ game }: { game: GameInfo }): JSX.Element {
  return (
    <div class={`game-art a-${game.kind} a-${game.key}`} aria-hidden="true">
      {game.kind === "climb" ? <Steps /> : <svg class="art-fox" viewBox="-36 -36 72 72"><FoxHead /></svg>}
      <Printed.Provider value={{ words: {}, shapes: pipShapes(game.paints) }}>
        <div class="thrown">
          {(THROWN[game.kind] ?? []).map(([paint, face], at) => {
            const { name = "", colour = "", ink = "" } = game.paints[paint] ?? {};
            return <span key={at} class={`throw-${at}`} style={{ "--c": colour, "--on": ink }}><DieFace colour={name} face={face} /></span>;
          })}
        </div>
      </Printed.Provider>
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
