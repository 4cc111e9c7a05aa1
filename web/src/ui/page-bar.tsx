import type { ComponentChildren, JSX } from "preact";
import { Logo } from "../art/logo";
import { HOME } from "../paths";
import { translate } from "../translate";
import { Link } from "./link";
import { LanguageChoice, ThemeChoice } from "./settings";

/** The bar of all pages except tables: links, language and theme. */
export function PageBar({ children }: { children?: ComponentChildren }): JSX.Element {
  return (
    <header class="home-bar">
      {children}
      <LanguageChoice />
      <ThemeChoice />
    </header>
  );
}

/** The link back to the start page. */
export function HomeLink(): JSX.Element {
  return (
    <Link class="home-link" href={HOME} aria-label={translate("page.home.back")}>
      <Logo />
    </Link>
  );
}
