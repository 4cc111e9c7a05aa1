import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { translate } from "../translate";

/** Something nobody must overlook; on a phone it lies over the prompt, so whoever has read it puts it away. */
export function Banner({ text, kind = "" }: { text: string; kind?: string }): JSX.Element | null {
  const [dismissed, setDismissed] = useState("");
  return dismissed === text ? null : (
    <p class={`notice banner ${kind}`} role="alert">
      {text}{" "}
      <button type="button" class="button small" onClick={() => setDismissed(text)}>
        {translate("page.close")}
      </button>
    </p>
  );
}
