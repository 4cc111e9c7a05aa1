import type { JSX } from "preact";
import { Icon } from "../art/icons";
import { observable, useObservable } from "../observable";
import { translate } from "../translate";

/** The event of Chromium browsers that offers an installation; TypeScript does not declare it. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

const offered = observable<InstallEvent | null>(null);

/** Keep the browser's offer to install the page, for the button; call this at the start. */
export function watchInstallation(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault(); // no banner of the browser
    offered.set(event as InstallEvent);
  });
  addEventListener("appinstalled", () => offered.set(null));
}

/** A button that installs the page as an app, where the browser offers it. */
export function InstallButton(): JSX.Element | null {
  const event = useObservable(offered);
  const install = (): void => {
    offered.set(null); // an offer can be used once
    void event?.prompt();
  };
  return (
    event && (
      <button type="button" class="button small install-button" onClick={install}>
        <Icon name="download" /> {translate("page.install")}
      </button>
    )
  );
}
