/** A card's condition drawn as little dice. */
import type { JSX } from "preact";
import { PIP_PLACES, PIP_SHAPES } from "../art/pips";
import type { TermLayout } from "../protocol";

type Terms = readonly (readonly TermLayout[])[];

const COLOURS: Record<string, string> = { B: "blue", R: "red", W: "any" };
/** Dice of equal value carry the same sign, another one for each group. */
const EQUAL_SIGNS = ["pink", "red", "orange"] as const;

export function Condition({ terms }: { terms: Terms }): JSX.Element {
  return (
    <span class="condition" style={{ "--widest": widest(terms), "--lines": lines(terms) }} aria-hidden="true">
      {terms.map((all, at) => (
        <span key={at} class="either">
          {at > 0 && <span class="or">/</span>}
          {all.map((term, index) => <Term key={index} term={term} sign={EQUAL_SIGNS[index % EQUAL_SIGNS.length] ?? "pink"} />)}
        </span>
      ))}
    </span>
  );
}

/** Dice that stand in one line at least; the more, the smaller all are drawn. */
function widest(terms: Terms): number {
  const dice = terms.flat().map((term) => (term.kind === "run" || term.kind === "equal" ? Math.min(term.dice.length, LONGEST[term.kind]) : term.kind === "exact" ? 1 : term.dice.length > 1 ? 2.8 : 2));
  return Math.max(2, ...dice);
}

/** Groups of dice that do not fit beside each other. */
function lines(terms: Terms): number {
  return Math.max(1, terms.flat().filter((term) => term.dice.length > 1 && (term.kind === "run" || term.kind === "equal")).length);
}

const LONGEST = { run: 7, equal: 3 } as const;

function Term({ term, sign }: { term: TermLayout; sign: string }): JSX.Element {
  const [first = "W"] = term.dice;
  const colour = COLOURS[first] ?? "any";
  switch (term.kind) {
    case "exact":
      return <MiniDie colour={colour} face={term.value} />;
    case "least":
      return <span class="term">{term.dice.length > 1 && <b>{term.dice.length}×</b>}<MiniDie colour={colour} face={term.value} /><b>+</b></span>;
    case "equal":
      return <span class="term joined">{[...term.dice].map((die, at) => <MiniDie key={at} colour={COLOURS[die] ?? "any"} sign={sign} />)}</span>;
    case "run":
      return <span class="term stairs" style={{ "--steps": term.dice.length }}>{[...term.dice].map((die, at) => <span key={at} style={{ "--step": at }}><MiniDie colour={COLOURS[die] ?? "any"} /></span>)}</span>;
    case "sum":
      return <span class="term sum-term"><span class="term"><b>Σ</b><MiniDie colour={colour} /></span><b>≥{term.value}</b></span>;
  }
}

function MiniDie({ colour, face = 0, sign }: { colour: string; face?: number; sign?: string }): JSX.Element {
  return (
    <svg class={`mini-die c-${colour}`} viewBox="0 0 100 100">
      <rect x="5" y="5" width="90" height="90" rx="20" />
      {(PIP_PLACES[face] ?? []).map(([x, y]) => <circle key={`${x}-${y}`} cx={x} cy={y} r="10" />)}
      {sign && <g transform="translate(50 50) scale(2.3)" fill="currentColor">{PIP_SHAPES[sign]}</g>}
    </svg>
  );
}
