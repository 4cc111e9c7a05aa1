import type { JSX } from "preact";
import { Logo } from "../art/logo";
import { HOME } from "../paths";
import { go } from "../route";
import { translate } from "../translate";

/** An error page with a way on. */
export function ErrorPage({ text }: { text: string }): JSX.Element {
  return (
    <main class="lost">
      <Logo />
      <h1>{translate("page.lost.title")}</h1>
      <p role="alert">{text}</p>
      <button type="button" class="button primary" onClick={() => go(HOME)}>
        {translate("page.lost.home")}
      </button>
      <button type="button" class="button" onClick={() => location.reload()}>
        {translate("page.lost.again")}
      </button>
    </main>
  );
}
