import type { JSX } from "preact";
import { DieFace, RollArea } from "../art/die";
import { useGameStyle } from "../game-style";
import { translate } from "../translate";

/** The dice that count for all players. */
export function Dice({
  dice,
  faces,
  roll,
  onRoll,
}: {
  dice: readonly string[];
  faces: readonly number[];
  roll: string;
  onRoll: (() => void) | null;
}): JSX.Element {
  const { words } = useGameStyle();
  const shown = dice.map((colour, at) => [colour, faces[at] ?? 0] as const);
  return (
    <div class="tray large hand">
      <div class={`dice${onRoll ? " waiting" : ""}`}>
        {shown.map(([colour, face], at) => (
          <span
            key={at}
            class="die"
            role="img"
            aria-label={translate(face === 0 ? "page.die.unrolled" : "page.die", {
              colour: words[`${colour} nominative`] ?? colour,
              face,
            })}
          >
            <span
              key={roll}
              class={`die-body${face > 0 ? " tumble" : ""}`}
              style={{ "--turn": at }}
            >
              <DieFace colour={colour} face={face} />
            </span>
          </span>
        ))}
        {onRoll && <RollArea onRoll={onRoll} />}
      </div>
    </div>
  );
}
