import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { translate } from "../translate";

/** Something nobody must overlook; on a phone it lies over the prompt, so whoever has read it puts it away. */
export function Banner({ words, kind = "" }: { words: string; kind?: string }): JSX.Element | null {
  const [read, setRead] = useState("");
  return read === words ? null : (
    <p class={`notice banner ${kind}`} role="alert">
      {words}{" "}
      <button type="button" class="button small" onClick={() => setRead(words)}>
        {translate("page.close")}
      </button>
    </p>
  );
}
