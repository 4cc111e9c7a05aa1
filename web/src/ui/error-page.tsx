import type { JSX } from "preact";
import { Logo } from "../art/logo";
import { HOME } from "../paths";
import { translate } from "../translate";
import { Link } from "./link";

/** An error page with a way on. */
export function ErrorPage({ text }: { text: string }): JSX.Element {
  return (
    <main class="lost">
      <Logo />
      <h1>{translate("page.lost.title")}</h1>
      <p role="alert">{text}</p>
      <Link class="button primary" href={HOME}>
        {translate("page.lost.home")}
      </Link>
      <button type="button" class="button" onClick={() => location.reload()}>
        {translate("page.lost.again")}
      </button>
    </main>
  );
}
