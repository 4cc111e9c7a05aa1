/** Names, pips and colours of a game, for the components that draw it. */
import { createContext, type JSX } from "preact";
import { useContext, useLayoutEffect } from "preact/hooks";
import { PIP_SHAPES } from "./art/pips";
import { memory } from "./memory";
import { useSelected } from "./observable";
import type { Layout, Swatch } from "./protocol";

export interface GameStyle {
  /** Names of colours, bonuses and parts of the score. */
  words: Readonly<Record<string, string>>;
  /** The predefined colour whose shape of pips each colour has. */
  shapes: Readonly<Record<string, string>>;
}

/** The picture of a game on the start page. */
export interface GameArt {
  Emblem: (props: { paints: readonly Swatch[] }) => JSX.Element;
  /** Indices of colours of the game, and faces. */
  dice: readonly (readonly [number, number])[];
  /** Indices of the two colours of the cloth. */
  clothColours: readonly [number, number];
}

export const GameStyleContext = createContext<GameStyle>({ words: {}, shapes: {} });

export function useGameStyle(): GameStyle {
  return useContext(GameStyleContext);
}

/** Give colours of custom sheets shapes of pips that the sheet does not use otherwise. */
export function pipShapes(paints: readonly Swatch[]): Record<string, string> {
  const names = paints.map((swatch) => swatch.name);
  const spare = Object.keys(PIP_SHAPES).filter((shape) => !names.includes(shape));
  return Object.fromEntries(
    names.map((name) => [name, name in PIP_SHAPES ? name : (spare.shift() ?? "yellow")]),
  );
}

/** Lighter and darker colours of a game's colour, which depend on the theme. */
const TINTS = [
  "--tint:color-mix(in oklab,var(--c) 15%,var(--card))",
  "--edge:color-mix(in oklab,var(--c) 70%,var(--card))",
  "--deep:color-mix(in oklab,var(--c) 38%,var(--ink))",
].join(";");

/**
 * Colours and their inks that differ for everybody, also with deuteranopia, protanopia or
 * tritanopia; the tests simulate these.
 */
export const DISTINCT_COLOURS: Readonly<Record<string, readonly [colour: string, ink: string]>> = {
  yellow: ["#edc15f", "#1d1813"],
  orange: ["#c9762b", "#1d1813"],
  green: ["#005210", "#fffdf6"],
  blue: ["#2d68e5", "#fffdf6"],
  purple: ["#350351", "#fffdf6"],
  silver: ["#9aa6b0", "#1d1813"],
  pink: ["#ae4581", "#fffdf6"],
  red: ["#c3675b", "#1d1813"],
};

/** Define the classes of a game's colours while a component is shown. */
export function useColours(layout: Layout | null | undefined): void {
  const distinct = useSelected(memory, (settings) => settings.distinct);
  useLayoutEffect(
    () => (layout ? applyColours(layout.paints, distinct) : undefined),
    [layout, distinct],
  );
}

function applyColours(paints: readonly Swatch[], distinct: boolean): () => void {
  const rules = paints.map(({ name, ...printed }) => {
    const [colour, ink] = (distinct && DISTINCT_COLOURS[name]) || [printed.colour, printed.ink];
    const known = CSS.escape(name);
    return `.c-${known},.k-${known},.b-${known}{--c:${colour};--on:${ink}} .c-${known},.k-${known}{${TINTS}}`;
  });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join(""));
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}
