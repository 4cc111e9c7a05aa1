/** The service worker: the page starts without a network, and a bar offers new versions. */
import type { JSX } from "preact";
import { backendState } from "#backend";
import { BASE } from "../base";
import { observable, useObservable } from "../observable";
import { translate } from "../translate";

const CHECK_EVERY = 3_600_000;

/** Activates the new version, if there is one. */
const pendingUpdate = observable<(() => void) | null>(null);

/** Register the service worker when the backend has been loaded. */
export function registerServiceWorker(): void {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) {
    return; // browsers allow it only on https and localhost
  }
  const stop = backendState.watch(start);
  function start(): void {
    if (backendState.get().stage === "ready") {
      stop();
      void register();
    }
  }
  start();
}

async function register(): Promise<void> {
  const updating = navigator.serviceWorker.controller !== null;
  const registration = await navigator.serviceWorker
    .register(`${BASE}service-worker.js`)
    .catch(() => undefined);
  if (!registration) {
    return;
  }
  const offer = (): void => {
    const { waiting } = registration;
    if (waiting && updating) {
      pendingUpdate.set(() => {
        navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), {
          once: true,
        });
        waiting.postMessage("take over");
      });
    }
  };
  offer();
  registration.addEventListener("updatefound", () =>
    registration.installing?.addEventListener("statechange", offer),
  );
  setInterval(() => void registration.update().catch(() => undefined), CHECK_EVERY);
}

export function UpdateBar(): JSX.Element | null {
  const apply = useObservable(pendingUpdate);
  return (
    apply && (
      <div class="notice-bar" role="status">
        <span>{translate("page.update.there")}</span>
        <button type="button" class="button small primary" onClick={apply}>
          {translate("page.update.take")}
        </button>
        <button type="button" class="button small" onClick={() => pendingUpdate.set(null)}>
          {translate("page.update.later")}
        </button>
      </div>
    )
  );
}
