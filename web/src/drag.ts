/** Carry something with mouse or finger onto an element with `data-zone`. */
import type { PointerEventHandler } from "preact";
import { suppressClick } from "./input";

const FAR_ENOUGH = 8;

/** Handlers for a thing that may be carried; a movement too small is left to be a click. */
export function draggable(
  onDrop: (zone: string) => void,
  onLift: () => void,
): { onPointerDown: PointerEventHandler<HTMLElement> } {
  return {
    onPointerDown: (down) => {
      if (down.button !== 0) {
        return;
      }
      const thing = down.currentTarget;
      let lifted = false;
      const move = (event: PointerEvent): void => {
        const x = event.clientX - down.clientX;
        const y = event.clientY - down.clientY;
        if (!lifted && Math.hypot(x, y) > FAR_ENOUGH) {
          lifted = true;
          thing.classList.add("carried");
          onLift();
        }
        if (lifted) {
          thing.style.translate = `${x}px ${y}px`;
        }
      };
      const end = (event: PointerEvent): void => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", end);
        removeEventListener("pointercancel", end);
        thing.classList.remove("carried");
        thing.style.translate = "";
        if (lifted && event.type === "pointerup") {
          // The click that follows belongs to the carrying, not to the card.
          addEventListener("click", suppressClick, { capture: true, once: true });
          setTimeout(() => removeEventListener("click", suppressClick, true));
          const below = document
            .elementsFromPoint(event.clientX, event.clientY)
            .find((element) => element instanceof HTMLElement && element.dataset["zone"]);
          if (below instanceof HTMLElement && below.dataset["zone"]) {
            onDrop(below.dataset["zone"]);
          }
        }
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", end);
      addEventListener("pointercancel", end);
    },
  };
}
