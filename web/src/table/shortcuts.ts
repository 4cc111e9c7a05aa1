import { useEffect, useLayoutEffect } from "preact/hooks";
import { isKeyboardInput } from "../input";
import { PROMPT } from "../ui/focus";

const ACTIVE = ".stage [data-act]:not([disabled]), .stage button.cell.lit";
const CONFIRM = ".stage .confirm";
/** Elements that use the keyboard themselves. */
const TYPING = "input:not([type=checkbox]), select, textarea, dialog";
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** Sideways distance counts more than distance in the direction of the arrow. */
const SIDEWAYS_WEIGHT = 2.5;

/** Handle shortcut keys and arrows, and move the focus on when its element has disappeared. */
export function useShortcuts(keys: Readonly<Record<string, () => void>>, seq: number): void {
  // Keys do what is shown: not a moment later, as an effect after the next paint would.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const arrow = ARROWS[event.key];
      // Some browsers do not focus a button that is clicked.
      const isUnfocused = hasNoControl(event.target);
      const confirm =
        event.key === "Enter" && isUnfocused ? document.querySelector<HTMLElement>(CONFIRM) : null;
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.closest(arrow ? `${TYPING}, .log` : TYPING);
      // A key that is held repeats: only arrows may, an action needs a new press.
      const isHeld = event.repeat && !arrow;
      if (isTyping || isHeld || event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      const action =
        keys[event.key] ??
        (arrow
          ? () => focusNext(arrow)
          : confirm
            ? () => confirm.click()
            : shortcutAction(event.key));
      if (action) {
        event.preventDefault();
        action();
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const timer = setTimeout(() => {
      if (isKeyboardInput() && hasNoControl(document.activeElement)) {
        document.querySelector<HTMLElement>(ACTIVE)?.focus();
      }
    }, 60);
    return () => clearTimeout(timer);
  }, [seq]);
}

/** Whether the focus is on nothing that can be used: its element has disappeared. */
function hasNoControl(focused: EventTarget | null): boolean {
  return (
    focused === null || focused === document.body || focused === document.querySelector(PROMPT)
  );
}

/** Return the action of a key: clicking the element with that shortcut. */
function shortcutAction(key: string): (() => void) | null {
  const target = [...document.querySelectorAll<HTMLElement>(".stage [data-key]")].find(
    (element) => element.dataset["key"] === key.toLowerCase(),
  );
  return target
    ? () => {
        target.focus();
        target.click();
      }
    : null;
}

function focusNext([right, down]: readonly [number, number]): void {
  const elements = [...document.querySelectorAll<HTMLElement>(ACTIVE)];
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !elements.includes(focused)) {
    elements[0]?.focus();
    return;
  }
  const from = centre(focused);
  const distances = elements
    .filter((element) => element !== focused)
    .map((element) => {
      const to = centre(element);
      const forward = (to.x - from.x) * right + (to.y - from.y) * down;
      const sideways = Math.abs((to.x - from.x) * down) + Math.abs((to.y - from.y) * right);
      return { element, forward, cost: forward + SIDEWAYS_WEIGHT * sideways };
    });
  const [next] = distances.filter(({ forward }) => forward > 2).sort((a, b) => a.cost - b.cost);
  next?.element.focus();
}

function centre(element: HTMLElement): { x: number; y: number } {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}
