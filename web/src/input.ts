/** Touch and hold: whatever is held long enough says what it is. */
const LONG_ENOUGH = 480;
const TOO_FAR = 12;
const SHOWN = 3500;

export function explainOnHold(): void {
  let timer = 0;
  let bubble: HTMLElement | null = null;
  const stop = (): void => clearTimeout(timer);
  const hide = (): void => {
    bubble?.remove();
    bubble = null;
  };
  addEventListener("pointerdown", (down) => {
    hide();
    if (down.pointerType !== "touch" || !(down.target instanceof Element)) {
      return;
    }
    const thing = down.target.closest("[title], [aria-label]");
    const words = thing?.getAttribute("title") || thing?.getAttribute("aria-label");
    const moved = (move: PointerEvent): void => {
      if (Math.hypot(move.clientX - down.clientX, move.clientY - down.clientY) > TOO_FAR) {
        end();
      }
    };
    const end = (): void => {
      stop();
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    timer = window.setTimeout(() => {
      if (words && thing) {
        bubble = show(words, thing);
        addEventListener("click", suppressClick, { capture: true, once: true });
        setTimeout(() => removeEventListener("click", suppressClick, true), SHOWN);
        setTimeout(hide, SHOWN);
      }
    }, LONG_ENOUGH);
  });
  addEventListener("contextmenu", (event) => bubble && event.preventDefault());
}

function show(words: string, thing: Element): HTMLElement {
  const bubble = document.createElement("div");
  bubble.className = "bubble";
  bubble.role = "status";
  bubble.textContent = words;
  (thing.closest("dialog") ?? document.body).append(bubble);
  const place = thing.getBoundingClientRect();
  const { width, height } = bubble.getBoundingClientRect();
  bubble.style.left = `${Math.min(Math.max(6, place.left + place.width / 2 - width / 2), innerWidth - width - 6)}px`;
  bubble.style.top = `${place.top > height + 12 ? place.top - height - 8 : place.bottom + 8}px`;
  return bubble;
}

/** The click at the end of holding belongs to the question, not to the thing. */
export function suppressClick(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
