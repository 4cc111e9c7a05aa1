import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { Logo } from "../art/logo";
import { HOME } from "../paths";
import { translate } from "../translate";
import { Link } from "./link";
import { PageSettings } from "./page-settings";

/** The bar of all pages except tables: links and settings. */
export function PageBar({ children }: { children?: ComponentChildren }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <header class="home-bar">
      {children}
      <button type="button" class="button small quiet" onClick={() => setOpen(true)}>
        <Icon name="gear" /> <span>{translate("page.settings")}</span>
      </button>
      {open && <PageSettings onClose={() => setOpen(false)} />}
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
