import type { JSX } from "preact";
import { Icon } from "../art/icons";
import { Sign } from "../art/pips";
import { useGameStyle } from "../game-style";

const ICONS = ["fox", "reroll", "return", "extra"] as const;

/**
 * Split the name of a bonus: an action ("reroll"), "black", or a colour and an entry ("blue x",
 * "orange 4", "pink ?").
 */
function bonusParts(name: string): {
  action: (typeof ICONS)[number] | null;
  colour: string;
  sign: string;
} {
  const action = ICONS.find((known) => known === name) ?? null;
  const [colour = name, sign = "?"] = name.split(" ");
  return { action, colour: action ?? colour, sign: sign === "x" ? "×" : sign };
}

/** A bonus as a small coloured badge. */
export function Bonus({ name, won = false }: { name: string; won?: boolean }): JSX.Element {
  const { words, shapes } = useGameStyle();
  const { action, colour, sign } = bonusParts(name);
  return (
    <span class={`bonus b-${colour}${won ? " won" : ""}`} title={words[name]}>
      {action ? (
        <Icon name={action} />
      ) : (
        <>
          <span aria-hidden="true">{sign}</span>
          {colour in shapes && <Sign colour={colour} />}
        </>
      )}
    </span>
  );
}
