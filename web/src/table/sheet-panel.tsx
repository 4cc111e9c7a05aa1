import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../art/icons";
import { translate } from "../translate";

const HIGHLIGHTED = ".lit, .hinted";

/** The container of a sheet; arrows scroll to highlighted fields that are out of sight. */
export function SheetPanel({
  label,
  children,
}: {
  label?: string;
  children: ComponentChildren;
}): JSX.Element {
  const panel = useRef<HTMLDivElement>(null);
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  // The arrows depend on the layout: they are switched after drawing, without drawing again.
  const update = (): void => {
    const place = panel.current?.getBoundingClientRect();
    // What is half in sight needs no arrow.
    const middles = [...(panel.current?.querySelectorAll(HIGHLIGHTED) ?? [])].map((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return (top + bottom) / 2;
    });
    if (place) {
      show(
        up.current,
        middles.some((middle) => middle < place.top),
      );
      show(
        down.current,
        middles.some((middle) => middle > place.bottom),
      );
    }
  };
  useEffect(update);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const watcher = new ResizeObserver(update);
    if (panel.current) {
      watcher.observe(panel.current);
    }
    return () => watcher.disconnect();
  }, []);
  const scrollToEnd = (toBottom: boolean): void => {
    const place = panel.current;
    place?.scrollTo({ top: toBottom ? place.scrollHeight : 0, behavior: "smooth" });
  };
  return (
    <section class="sheet-frame" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <div class="sheet-panel" ref={panel} tabIndex={0} onScroll={update}>
        {children}
      </div>
      <button
        ref={up}
        type="button"
        class="more-there above"
        hidden
        aria-label={translate("page.sheet.above")}
        onClick={() => scrollToEnd(false)}
      >
        <Icon name="up" />
      </button>
      <button
        ref={down}
        type="button"
        class="more-there below-fold"
        hidden
        aria-label={translate("page.sheet.below")}
        onClick={() => scrollToEnd(true)}
      >
        <Icon name="up" />
      </button>
    </section>
  );
}

function show(element: HTMLElement | null, isShown: boolean): void {
  if (element) {
    element.hidden = !isShown;
  }
}
