import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { backendState, startBackend } from "#backend";
import { formatPercent } from "../format";
import { useObservable } from "../observable";
import { translate } from "../translate";

/** The state of a backend without a server: progress, errors, and whether games are saved. */
export function BackendBar(): JSX.Element | null {
  const { stage, share, lasting, trouble } = useObservable(backendState);
  const [dismissed, setDismissed] = useState(false);
  if (stage === "loading") {
    return (
      <div class="notice-bar" role="status">
        <span>
          {share < 1
            ? translate("page.site.loading", { share: formatPercent(share) })
            : translate("page.site.starting")}
        </span>
        <progress value={share} max={1} aria-label={translate("page.loading")} />
      </div>
    );
  }
  if (stage === "failed" && trouble !== null) {
    return (
      <div class="notice-bar notice" role="alert">
        <span>{translate(`page.site.trouble.${trouble}`)}</span>
        <button type="button" class="button small" onClick={startBackend}>
          {translate("page.lost.again")}
        </button>
      </div>
    );
  }
  if (!lasting && !dismissed) {
    return (
      <div class="notice-bar notice" role="alert">
        <span>{translate("page.site.passing")}</span>
        <button type="button" class="button small" onClick={() => setDismissed(true)}>
          {translate("page.site.read")}
        </button>
      </div>
    );
  }
  return null;
}
