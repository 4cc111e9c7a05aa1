/** Parts of the page that are loaded when they are needed. */
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Logo } from "../art/logo";
import { translate } from "../translate";
import { Dialog } from "./dialog";

type Component<P> = (props: P) => JSX.Element | null;

/** What was loaded, by the function that loads it: shown at once the next time. */
const parts = new WeakMap<() => Promise<unknown>, unknown>();

function useLoaded<C>(load: () => Promise<C>): { Loaded: C | null; failed: boolean } {
  const [Loaded, setLoaded] = useState(() => (parts.get(load) ?? null) as C | null);
  const [failed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    load().then(
      (component) => {
        parts.set(load, component);
        setLoaded(() => component);
      },
      () => setFailed(true),
    );
  }, []);
  return { Loaded, failed };
}

/** A part of a page, with a placeholder in its place ("" or a "page"), or none ("unseen"). */
export function Lazy<P extends object>({
  load,
  props,
  kind = "",
}: {
  load: () => Promise<Component<P>>;
  props: P;
  kind?: "" | "page" | "unseen";
}): JSX.Element | null {
  const { Loaded, failed } = useLoaded(load);
  if (Loaded) {
    return <Loaded {...props} />;
  }
  if (kind === "page") {
    return <LoadingPage failed={failed} />;
  }
  return kind === "unseen" ? null : (
    <main class="lost">
      <p role={failed ? "alert" : "status"}>
        {translate(failed ? "page.error.offline" : "page.loading")}
      </p>
      {failed && <Reload />}
    </main>
  );
}

/** A dialog. If it cannot be loaded, the message can be closed: the page below stays usable. */
export function LazyDialog<P extends { onClose: () => void }>({
  load,
  props,
}: {
  load: () => Promise<Component<P>>;
  props: P;
}): JSX.Element {
  const { Loaded, failed } = useLoaded(load);
  if (Loaded) {
    return <Loaded {...props} />;
  }
  return failed ? (
    <Dialog title={translate("page.lost.title")} onClose={props.onClose}>
      <p role="alert">{translate("page.error.offline")}</p>
      <Reload />
    </Dialog>
  ) : (
    <div class="lost above">
      <p role="status">{translate("page.loading")}</p>
    </div>
  );
}

/** Loads the page again, with all its parts. */
export function Reload({ small = false }: { small?: boolean }): JSX.Element {
  return (
    <button
      type="button"
      class={`button ${small ? "small" : "primary"}`}
      onClick={() => location.reload()}
    >
      {translate("page.reload")}
    </button>
  );
}

/** A whole page. */
export function LazyPage({ load }: { load: () => Promise<ComponentType> }): JSX.Element {
  const { Loaded, failed } = useLoaded(load);
  return Loaded ? <Loaded /> : <LoadingPage failed={failed} />;
}

/** Shown until a page can be drawn. */
export function LoadingPage({ failed = false }: { failed?: boolean }): JSX.Element {
  return (
    <div class="loading">
      <Logo />
      <p class={failed ? "" : "sr"} role="status">
        {translate(failed ? "page.error.offline" : "page.loading")}
      </p>
      {failed && <Reload />}
    </div>
  );
}
