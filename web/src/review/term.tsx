import type { ComponentChildren, JSX } from "preact";
import { translate } from "../translate";

/** Terms of a review; `page.review.<term>.why` explains them. */
export type ExplainedTerm =
  | "accuracy"
  | "luck"
  | "start"
  | "lost"
  | "rest"
  | "adjusted"
  | "mistakes"
  | "expected"
  | "winning";

export const explain = (term: ExplainedTerm): string => translate(`page.review.${term}.why`);

/** A term that explains itself when it is touched. */
export function Term({
  of,
  children,
}: {
  of: ExplainedTerm;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <details class="explained">
      <summary>{children}</summary>
      <p class="hint-line">{explain(of)}</p>
    </details>
  );
}
