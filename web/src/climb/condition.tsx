/** The condition of a card, drawn with small dice. */
import type { JSX } from "preact";
import { PIP_PLACES, PIP_SHAPES } from "../art/pips";
import type { TermLayout } from "../protocol";
import { ASIDE, arrange, FLAT, NARROW, UP } from "./arrange";

type Terms = readonly (readonly TermLayout[])[];

const COLOURS: Record<string, string> = { B: "blue", R: "red", W: "any" };
/** Dice of equal value have the same sign, a different one for each group. */
const EQUAL_SIGNS = ["pink", "red", "orange"] as const;

export function Condition({ terms }: { terms: Terms }): JSX.Element {
  const [narrowWide, narrowHigh] = arrange(terms, NARROW);
  const [flatWide, flatHigh] = arrange(terms, FLAT);
  return (
    <span
      class="condition"
      style={{
        "--narrow-wide": narrowWide,
        "--narrow-high": narrowHigh,
        "--flat-wide": flatWide,
        "--flat-high": flatHigh,
      }}
      aria-hidden="true"
    >
      {terms.map((all, at) => (
        <span key={at} class="either">
          {at > 0 && <span class="or">/</span>}
          {all.map((term, index) => (
            <Term
              key={index}
              term={term}
              sign={EQUAL_SIGNS[index % EQUAL_SIGNS.length] ?? "pink"}
            />
          ))}
        </span>
      ))}
    </span>
  );
}

function Term({ term, sign }: { term: TermLayout; sign: string }): JSX.Element {
  const [first = "W"] = term.dice;
  const colour = COLOURS[first] ?? "any";
  switch (term.kind) {
    case "exact":
      return <MiniDie colour={colour} face={term.value} />;
    case "least":
      return (
        <span class="term wrapped">
          {term.dice.length > 1 && <b>{term.dice.length}×</b>}
          <span class="term">
            <MiniDie colour={colour} face={term.value} />
            <b>+</b>
          </span>
        </span>
      );
    case "equal":
      return (
        <span class="term wrapped">
          {[...term.dice].map((die, at) => (
            <MiniDie key={at} colour={COLOURS[die] ?? "any"} sign={sign} />
          ))}
        </span>
      );
    case "run":
      return (
        <span
          class="term stairs"
          style={{ "--steps": term.dice.length, "--aside": ASIDE, "--up": UP }}
        >
          {[...term.dice].map((die, at) => (
            <span key={at} style={{ "--step": at }}>
              <MiniDie colour={COLOURS[die] ?? "any"} />
            </span>
          ))}
        </span>
      );
    case "sum":
      return (
        <span class="term wrapped">
          <span class="term">
            <b>Σ</b>
            <MiniDie colour={colour} />
          </span>
          <b>≥{term.value}</b>
        </span>
      );
  }
}

function MiniDie({
  colour,
  face = 0,
  sign,
}: {
  colour: string;
  face?: number;
  sign?: string;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: decoration: hidden from screen readers by its parent
    <svg class={`mini-die c-${colour}`} viewBox="0 0 100 100">
      <rect x="5" y="5" width="90" height="90" rx="20" />
      {(PIP_PLACES[face] ?? []).map(([x, y]) => (
        <circle key={`${x}-${y}`} cx={x} cy={y} r="10" />
      ))}
      {sign && (
        <g transform="translate(50 50) scale(2.3)" fill="currentColor">
          {PIP_SHAPES[sign]}
        </g>
      )}
    </svg>
  );
}
