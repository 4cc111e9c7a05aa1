/** Parts of the page that are loaded when they are needed. */
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Logo } from "../art/logo";
import { translate } from "../translate";

type Component<P> = (props: P) => JSX.Element | null;

function useLoaded<C>(load: () => Promise<C>): { Loaded: C | null; failed: boolean } {
  const [Loaded, setLoaded] = useState<C | null>(null);
  const [failed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    load().then(
      (component) => setLoaded(() => component),
      () => setFailed(true),
    );
  }, []);
  return { Loaded, failed };
}

/**
 * A part of a page, with a placeholder in its place (""), above the page ("above") or none
 * ("unseen").
 */
export function Lazy<P extends object>({
  load,
  props,
  kind = "",
}: {
  load: () => Promise<Component<P>>;
  props: P;
  kind?: "" | "above" | "unseen";
}): JSX.Element | null {
  const { Loaded, failed } = useLoaded(load);
  if (Loaded) {
    return <Loaded {...props} />;
  }
  if (kind === "unseen") {
    return null;
  }
  const Frame = kind === "" ? "main" : "div";
  return (
    <Frame class={`lost ${kind}`}>
      <p role={failed ? "alert" : "status"}>
        {translate(failed ? "page.error.offline" : "page.loading")}
      </p>
      {failed && (
        <button type="button" class="button primary" onClick={() => location.reload()}>
          {translate("page.reload")}
        </button>
      )}
    </Frame>
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
    </div>
  );
}
