import type { JSX } from "preact";
import { Wax } from "../fair/seal";
import type { JudgedDice } from "../protocol";
import { capitalise } from "../translate";

/** The result of the check of fair or daily dice. */
export function DiceCheck({ dice: { ok, words } }: { dice: JudgedDice }): JSX.Element {
  return (
    <p class={`judged-dice${ok ? "" : " notice"}`} role={ok ? "status" : "alert"}>
      <span class={`seal${ok ? "" : " broken"}`}>
        <Wax broken={!ok} />
      </span>{" "}
      {capitalise(words)}
    </p>
  );
}
