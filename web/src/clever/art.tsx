import type { JSX } from "preact";
import { FoxHead } from "../art/logo";
import type { GameArt } from "../game-style";
import type { Swatch } from "../protocol";

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

/** A fox; two of them behind a silver platter where the game has a silver die. */
function Fox({ paints }: { paints: readonly Swatch[] }): JSX.Element {
  const silver = paints.find(({ name }) => name === "silver")?.colour;
  return silver === undefined ? (
    // biome-ignore lint/a11y/noSvgWithoutTitle: decoration: hidden from screen readers by its parent
    <svg class="art-fox" viewBox="-36 -36 72 72">
      <FoxHead />
    </svg>
  ) : (
    // biome-ignore lint/a11y/noSvgWithoutTitle: decoration: hidden from screen readers by its parent
    <svg class="art-fox pair" viewBox="-62 -40 124 80">
      <g transform="translate(26 -6) rotate(9) scale(0.82)">
        <FoxHead />
      </g>
      <g transform="translate(-22 -4) rotate(-7)">
        <FoxHead />
      </g>
      <ellipse cx="2" cy="29" rx="56" ry="9" fill={silver} stroke="#fff8ea" stroke-width="3" />
      <ellipse cx="2" cy="27" rx="44" ry="5" fill="#fff8ea" opacity="0.55" />
    </svg>
  );
}
