import type { ComponentChildren, JSX } from "preact";
import { LanguageChoice, ThemeChoice } from "./settings";

/** The top of every page but the tables: a way elsewhere, language and appearance. */
export function PageBar({ children }: { children?: ComponentChildren }): JSX.Element {
  return (
    <header class="home-bar">
      {children}
      <LanguageChoice />
      <ThemeChoice />
    </header>
  );
}
