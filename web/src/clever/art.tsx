import type { JSX } from "preact";
import { FoxHead } from "../art/logo";
import type { GameArt } from "../game-style";

/** The picture of a Clever game on the start page. */
export const cleverArt: GameArt = {
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

function Fox(): JSX.Element {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: decoration: hidden from screen readers by its parent
    <svg class="art-fox" viewBox="-36 -36 72 72">
      <FoxHead />
    </svg>
  );
}
