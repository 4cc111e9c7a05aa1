import type { JSX } from "preact";
import { DieFace } from "../art/die";
import { artOf } from "../family";
import { GameStyleContext, pipShapes } from "../game-style";
import type { GameInfo } from "../protocol";

/** The dice of a game on a cloth in its colours. */
export function GameArt({ game }: { game: GameInfo }): JSX.Element {
  const { Emblem, dice, clothColours } = artOf(game.kind);
  const [cloth, shade] = clothColours.map((index) => game.paints[index]?.colour ?? "");
  return (
    <div
      class={`game-art a-${game.kind}`}
      style={{ "--dye": cloth, "--deeper": shade }}
      aria-hidden="true"
    >
      <Emblem paints={game.paints} />
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
