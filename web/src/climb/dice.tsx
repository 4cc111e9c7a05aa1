import type { JSX } from "preact";
import { DieFace } from "../art/die";
import { usePrinted } from "../printed";
import { say } from "../words";

const BLUE = 4;
const RED = 3;

/** The seven dice that count for everybody. */
export function Dice({ blue, red, roll, onRoll }: { blue: readonly number[]; red: readonly number[]; roll: string; onRoll: (() => void) | null }): JSX.Element {
  const { words } = usePrinted();
  const shown = [
    ...Array.from({ length: BLUE }, (_, at) => ["blue", blue[at] ?? 0] as const),
    ...Array.from({ length: RED }, (_, at) => ["red", red[at] ?? 0] as const),
  ];
  return (
    <div class="tray large hand">
      <div class={`dice${onRoll ? " waiting" : ""}`}>
        {shown.map(([colour, face], at) => (
          <span key={at} class="die" role="img" aria-label={say(face === 0 ? "page.die.unrolled" : "page.die", { colour: words[colour] ?? colour, face })}>
            <span key={roll} class={`die-body${face > 0 ? " tumble" : ""}`} style={{ "--turn": at }}><DieFace colour={colour} face={face} /></span>
          </span>
        ))}
        {onRoll && <button type="button" class="tray-roll" tabIndex={-1} aria-hidden="true" onClick={onRoll} />}
      </div>
    </div>
  );
}
