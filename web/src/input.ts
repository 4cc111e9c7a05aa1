/** Pointer and keyboard: the input device used last, explanations on long press, dragging. */
import type { PointerEventHandler } from "preact";

const LONG_PRESS = 480; // ms
const LONG_PRESS_MOVEMENT = 12; // px
const BUBBLE_SHOWN = 3500; // ms
const CLICK_DELAY = 350; // ms after a release until its click has come, if there is one
const DRAG_MOVEMENT = 8; // px

let lastInput = "mouse";

/** Touch cannot hover: the first tap shows a preview, the second one acts. */
export const isTouchInput = (): boolean => lastInput === "touch";
export const isKeyboardInput = (): boolean => lastInput === "keyboard";

/** Register the listeners for the whole page. */
export function watchInput(): void {
  addEventListener("pointerdown", (event) => (lastInput = event.pointerType), true);
  addEventListener("keydown", () => (lastInput = "keyboard"), true);
  explainOnLongPress();
}

/** Show the title or label of an element that is held. */
function explainOnLongPress(): void {
  let timer = 0;
  let bubble: HTMLElement | null = null;
  const hide = (): void => {
    bubble?.remove();
    bubble = null;
  };
  addEventListener("pointerdown", (down) => {
    hide();
    if (down.pointerType !== "touch" || !(down.target instanceof Element)) {
      return;
    }
    const element = down.target.closest("[title], [aria-label]");
    const text = element?.getAttribute("title") || element?.getAttribute("aria-label");
    const end = followPointer(
      (move) => {
        if (distance(down, move) > LONG_PRESS_MOVEMENT) {
          end();
          clearTimeout(timer);
        }
      },
      () => clearTimeout(timer),
    );
    timer = window.setTimeout(() => {
      if (text && element) {
        const shown = showBubble(text, element);
        bubble = shown;
        suppressClick();
        setTimeout(() => bubble === shown && hide(), BUBBLE_SHOWN);
      }
    }, LONG_PRESS);
  });
  addEventListener("contextmenu", (event) => bubble && event.preventDefault());
}

function showBubble(text: string, element: Element): HTMLElement {
  const bubble = document.createElement("div");
  bubble.className = "bubble";
  bubble.role = "status";
  bubble.textContent = text;
  (element.closest("dialog") ?? document.body).append(bubble);
  const place = element.getBoundingClientRect();
  const { width, height } = bubble.getBoundingClientRect();
  bubble.style.left = `${Math.min(Math.max(6, place.left + place.width / 2 - width / 2), innerWidth - width - 6)}px`;
  bubble.style.top = `${place.top > height + 12 ? place.top - height - 8 : place.bottom + 8}px`;
  return bubble;
}

/** Return handlers for an element that can be dragged onto one with `data-zone`. */
export function draggable(
  onDrop: (zone: string) => void,
  onLift: () => void,
): { onPointerDown: PointerEventHandler<HTMLElement> } {
  return {
    onPointerDown: (down) => {
      if (down.button !== 0) {
        return;
      }
      const element = down.currentTarget;
      let lifted = false;
      followPointer(
        (move) => {
          // a smaller movement is a click
          if (!lifted && distance(down, move) > DRAG_MOVEMENT) {
            lifted = true;
            element.classList.add("carried");
            onLift();
          }
          if (lifted) {
            element.style.translate = `${move.clientX - down.clientX}px ${move.clientY - down.clientY}px`;
          }
        },
        (event) => {
          element.classList.remove("carried");
          element.style.translate = "";
          if (lifted && event.type === "pointerup") {
            suppressClick(event);
            const target = document
              .elementsFromPoint(event.clientX, event.clientY)
              .find((below) => below instanceof HTMLElement && below.dataset["zone"]);
            if (target instanceof HTMLElement && target.dataset["zone"]) {
              onDrop(target.dataset["zone"]);
            }
          }
        },
      );
    },
  };
}

/** Return handlers that report whether the mouse or the focus is on an element. */
export function hoverHandlers(onHover: (isOver: boolean) => void): {
  onMouseEnter: () => void;
  onMouseLeave: () => void;
  onFocus: () => void;
  onBlur: () => void;
} {
  const [enter, leave] = [() => onHover(true), () => onHover(false)];
  return { onMouseEnter: enter, onMouseLeave: leave, onFocus: enter, onBlur: leave };
}

const distance = (from: PointerEvent, to: PointerEvent): number =>
  Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY);

/** Listen until the pointer is released; return a function that stops earlier. */
function followPointer(
  onMove: (event: PointerEvent) => void,
  onEnd: (event: PointerEvent) => void,
): () => void {
  const stop = (): void => {
    removeEventListener("pointermove", onMove);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
  };
  const end = (event: PointerEvent): void => {
    stop();
    onEnd(event);
  };
  addEventListener("pointermove", onMove);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
  return stop;
}

/**
 * Ignore the click that may follow a gesture, whose release is given or still to come. Browsers
 * differ in whether they send it, so the next press or key ends the waiting: its click counts.
 */
function suppressClick(release?: PointerEvent): void {
  const ending = new AbortController();
  const { signal } = ending;
  const end = (): void => ending.abort();
  const endSoon = (): void => void setTimeout(end, CLICK_DELAY);
  const suppress = (event: Event): void => {
    event.stopPropagation();
    event.preventDefault();
    end();
  };
  addEventListener("click", suppress, { capture: true, signal });
  addEventListener("pointerdown", end, { capture: true, signal });
  addEventListener("keydown", end, { capture: true, signal });
  if (release) {
    endSoon();
  } else {
    addEventListener("pointerup", endSoon, { signal });
    addEventListener("pointercancel", end, { signal });
  }
}
