import { useEffect } from "preact/hooks";
import { byKeyboard } from "../pointer";

/** Letters that act, unless somebody types; and the focus goes on to the next thing to do when what had it is gone. */
export function useShortcuts(keys: Readonly<Record<string, (() => void) | null>>, seq: number): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && event.target.closest("input, select, textarea, dialog");
      const action = keys[event.key];
      if (action && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        action();
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  useEffect(() => {
    const later = setTimeout(() => {
      if (byKeyboard() && (document.activeElement === document.body || document.activeElement === null)) {
        document.querySelector<HTMLElement>("[data-act]:not([disabled])")?.focus();
      }
    }, 60);
    return () => clearTimeout(later);
  }, [seq]);
}
