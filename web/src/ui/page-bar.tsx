import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { Logo } from "../art/logo";
import { HOME } from "../paths";
import { translate, withMoreTexts } from "../translate";
import { LazyDialog } from "./lazy";
import { Link } from "./link";

const loadSettings = withMoreTexts(async () => (await import("./page-settings")).PageSettings);

/** The bar of all pages except tables: links and settings. */
export function PageBar({ children }: { children?: ComponentChildren }): JSX.Element {
  return (
    <header class="home-bar">
      {children}
      <SettingsButton />
    </header>
  );
}

/** Opens the settings of the page. */
export function SettingsButton(): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button small quiet" onClick={() => setOpen(true)}>
        <Icon name="gear" /> <span>{translate("page.settings")}</span>
      </button>
      {open && <LazyDialog load={loadSettings} props={{ onClose: () => setOpen(false) }} />}
    </>
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
