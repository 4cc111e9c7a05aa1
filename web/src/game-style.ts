/** What is printed on the sheets or cards of a game, for whoever draws a part of them. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { PIP_SHAPES } from "./art/pips";
import type { Layout, Swatch } from "./protocol";

export interface GameStyle {
  /** What colours, bonuses and parts of the score are called. */
  words: Readonly<Record<string, string>>;
  /** Of which known colour the pips of a colour have the shape. */
  shapes: Readonly<Record<string, string>>;
}

export const GameStyleContext = createContext<GameStyle>({ words: {}, shapes: {} });

export function useGameStyle(): GameStyle {
  return useContext(GameStyleContext);
}

/** Colours that a sheet brings get shapes of pips that no other colour of it has. */
export function pipShapes(paints: readonly Swatch[]): Record<string, string> {
  const names = paints.map((swatch) => swatch.name);
  const spare = Object.keys(PIP_SHAPES).filter((shape) => !names.includes(shape));
  return Object.fromEntries(
    names.map((name) => [name, name in PIP_SHAPES ? name : (spare.shift() ?? "yellow")]),
  );
}

/** Paints everything that bears the class of a colour, until the returned function is called. */
export function applyColours(layout: Layout): () => void {
  const rules = layout.paints.map(({ name, colour, ink }) => {
    const known = CSS.escape(name);
    return `.c-${known},.k-${known},.b-${known}{--c:${colour};--on:${ink}}`;
  });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join(""));
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}
