import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Logo } from "./art/logo";
import { translate } from "./translate";

/** A part of the page that is fetched when somebody goes there. */
export function LazyPage({ load }: { load: () => Promise<ComponentType> }): JSX.Element {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    load().then(
      (component) => setLoaded(() => component),
      () => setFailed(true),
    );
  }, [load]);
  if (Loaded) {
    return <Loaded />;
  }
  return (
    <div class="loading">
      <Logo />
      <p class={failed ? "" : "sr"} role="status">
        {translate(failed ? "page.error.offline" : "page.loading")}
      </p>
    </div>
  );
}
