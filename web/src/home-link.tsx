import type { JSX } from "preact";
import { Logo } from "./art/logo";
import { HOME } from "./paths";
import { go } from "./route";
import { translate } from "./translate";

/** The way back to the start, on every other page. */
export function HomeLink(): JSX.Element {
  return (
    <a
      class="home-link"
      href={HOME}
      aria-label={translate("page.home.back")}
      onClick={(event) => {
        event.preventDefault();
        go(HOME);
      }}
    >
      <Logo />
    </a>
  );
}
