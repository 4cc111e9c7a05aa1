/** Messages to the user. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { translate } from "../translate";

/** An error message, if there is one. */
export function Failure({ text }: { text: string | null | undefined }): JSX.Element | null {
  return text === null || text === undefined ? null : (
    <p class="notice" role="alert">
      {text}
    </p>
  );
}

/** An important message that can be closed; on phones it covers the prompt. */
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
