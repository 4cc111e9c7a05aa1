import type { JSX } from "preact";

/** An error message, if there is one. */
export function Failure({ text }: { text: string | null }): JSX.Element | null {
  return text === null ? null : (
    <p class="notice" role="alert">
      {text}
    </p>
  );
}
