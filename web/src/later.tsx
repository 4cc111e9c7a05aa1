import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Logo } from "./art/logo";
import { translate } from "./translate";

/** A part of the page that is fetched when somebody goes there. */
export function Later({ load }: { load: () => Promise<ComponentType> }): JSX.Element {
  const [Part, setPart] = useState<ComponentType | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    load().then(
      (part) => setPart(() => part),
      () => setFailed(true),
    );
  }, [load]);
  if (Part) {
    return <Part />;
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
