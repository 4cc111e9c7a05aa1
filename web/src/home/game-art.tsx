import type { JSX } from "preact";
import { DieFace } from "../art/die";
import { FoxHead } from "../art/logo";
import { GameStyleContext, pipShapes } from "../game-style";
import type { GameInfo } from "../protocol";

interface Art {
  Emblem: () => JSX.Element;
  /** Indices of colours of the game, and faces. */
  dice: readonly (readonly [number, number])[];
  /** Indices of the two colours of the cloth. */
  clothColours: readonly [number, number];
}

const CLEVER_ART: Art = {
  Emblem: Fox,
  dice: [
    [0, 3],
    [1, 6],
    [2, 2],
    [3, 5],
    [4, 4],
  ],
  clothColours: [0, 4],
};
const ART: Record<string, Art> = {
  clever: CLEVER_ART,
  climb: {
    Emblem: Steps,
    dice: [
      [0, 2],
      [0, 5],
      [1, 4],
      [1, 6],
    ],
    clothColours: [2, 2],
  },
};

/** The dice of a game on a cloth in its colours. */
export function GameArt({ game }: { game: GameInfo }): JSX.Element {
  const { Emblem, dice, clothColours } = ART[game.kind] ?? CLEVER_ART;
  const [cloth, shade] = clothColours.map((index) => game.paints[index]?.colour ?? "");
  return (
    <div
      class={`game-art a-${game.kind}`}
      style={{ "--dye": cloth, "--deeper": shade }}
      aria-hidden="true"
    >
      <Emblem />
      <GameStyleContext.Provider value={{ words: {}, shapes: pipShapes(game.paints) }}>
        <div class="thrown">
          {dice.map(([index, face], at) => {
            const { name = "", colour = "", ink = "" } = game.paints[index] ?? {};
            return (
              <span key={at} class={`throw-${at}`} style={{ "--c": colour, "--on": ink }}>
                <DieFace colour={name} face={face} />
              </span>
            );
          })}
        </div>
      </GameStyleContext.Provider>
    </div>
  );
}

function Fox(): JSX.Element {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: decoration: hidden from screen readers by its parent
    <svg class="art-fox" viewBox="-36 -36 72 72">
      <FoxHead />
    </svg>
  );
}

/** Cards on stairs up to a clover. */
function Steps(): JSX.Element {
  const colours = ["#57ad6c", "#57ad6c", "#e9b93a", "#e9b93a", "#d5543f"];
  const leaf =
    "M0-1C-2-5-11-8-11-13.5-11-18-5-19.5-2-17-1-16-.4-15 0-14 .4-15 1-16 2-17 5-19.5 11-18 11-13.5 11-8 2-5 0-1Z";
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: decoration: hidden from screen readers by its parent
    <svg class="art-steps" viewBox="0 0 200 110">
      {colours.map((colour, at) => (
        <rect
          key={at}
          x={14 + at * 30}
          y={82 - at * 15}
          width="26"
          height="34"
          rx="5"
          fill={colour}
          stroke="#fff8ea"
          stroke-width="3"
        />
      ))}
      <g transform="translate(176 24)" fill="#3c9156">
        {[45, 135, 225, 315].map((angle) => (
          <path key={angle} d={leaf} transform={`rotate(${angle})`} />
        ))}
      </g>
    </svg>
  );
}
