import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { translate } from "../translate";

/** A part of the page that is fetched when it is first wanted; until then, unless it is to be unseen, something stands in its place or above the rest. */
export function Lazy<P extends object>({
  load,
  props,
  kind = "",
}: {
  load: () => Promise<(props: P) => JSX.Element | null>;
  props: P;
  kind?: "" | "above" | "unseen";
}): JSX.Element | null {
  const [Loaded, setLoaded] = useState<((props: P) => JSX.Element | null) | null>(null);
  const [failed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    load().then(
      (component) => setLoaded(() => component),
      () => setFailed(true),
    );
  }, []);
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
