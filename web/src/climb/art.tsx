import type { JSX } from "preact";
import type { GameArt } from "../game-style";

/** The picture of Geht noch was? on the start page. */
export const climbArt: GameArt = {
  Emblem: Steps,
  dice: [
    [0, 2],
    [0, 5],
    [1, 4],
    [1, 6],
  ],
  clothColours: [2, 2],
};

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
