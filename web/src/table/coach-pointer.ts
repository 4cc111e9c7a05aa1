/** Points from an explanation at what it is about: a mark on the target, an arrow on the edge. */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const ARROW_MARGIN = 18; // px between the arrow and the corners of the explanation

/**
 * Mark the targets, scroll the first one into view and turn the arrow of the explanation to it.
 * `at` changes whenever the targets may have changed.
 */
export function usePointing(
  explanation: RefObject<HTMLElement | null>,
  target: string | null,
  at: string,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useLayoutEffect(() => {
    const targets =
      target === null ? [] : [...document.querySelectorAll<HTMLElement>(`.stage ${target}`)];
    const [first] = targets;
    const turn = (): void => turnArrow(explanation.current, first);
    for (const element of targets) {
      element.dataset["coached"] = "";
    }
    first?.scrollIntoView({ block: "nearest" });
    turn();
    const watcher = new ResizeObserver(turn);
    if (explanation.current) {
      watcher.observe(explanation.current);
    }
    addEventListener("resize", turn);
    addEventListener("scroll", turn, true);
    return () => {
      watcher.disconnect();
      removeEventListener("resize", turn);
      removeEventListener("scroll", turn, true);
      for (const element of targets) {
        delete element.dataset["coached"];
      }
    };
  }, [target, at]);
}

/** Put the arrow on the edge that faces the target, as near to it as possible. */
function turnArrow(explanation: HTMLElement | null, target: HTMLElement | undefined): void {
  if (!explanation) {
    return;
  }
  if (!target) {
    delete explanation.dataset["points"];
    return;
  }
  const from = explanation.getBoundingClientRect();
  const to = target.getBoundingClientRect();
  const vertical = to.bottom <= from.top || to.top >= from.bottom;
  explanation.dataset["points"] = vertical
    ? to.bottom <= from.top
      ? "up"
      : "down"
    : to.right <= from.left
      ? "left"
      : "right";
  const [start, length, middle] = vertical
    ? [from.left, from.width, (to.left + to.right) / 2]
    : [from.top, from.height, (to.top + to.bottom) / 2];
  const place = Math.min(Math.max(middle - start, ARROW_MARGIN), length - ARROW_MARGIN);
  explanation.style.setProperty("--arrow", `${place}px`);
}
