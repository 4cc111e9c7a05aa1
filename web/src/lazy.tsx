import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { say } from "./words";

/** A part of the page that is fetched when it is first wanted. */
export function Lazy<P extends object>({
  load,
  props,
  kind = "",
}: {
  load: () => Promise<(props: P) => JSX.Element>;
  props: P;
  kind?: "" | "above";
}): JSX.Element {
  const [Part, setPart] = useState<((props: P) => JSX.Element) | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    load().then(
      (loaded) => setPart(() => loaded),
      () => setFailed(true),
    );
  }, []);
  if (Part) {
    return <Part {...props} />;
  }
  const Frame = kind === "" ? "main" : "div";
  return (
    <Frame class={`lost ${kind}`}>
      <p role={failed ? "alert" : "status"}>
        {say(failed ? "page.error.offline" : "page.loading")}
      </p>
      {failed && (
        <button type="button" class="button primary" onClick={() => location.reload()}>
          {say("page.reload")}
        </button>
      )}
    </Frame>
  );
}
