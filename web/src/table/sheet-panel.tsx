import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
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
  const [hidden, setHidden] = useState<{ up: boolean; down: boolean }>({ up: false, down: false });
  const update = (): void => {
    const place = panel.current?.getBoundingClientRect();
    const boxes = [...(panel.current?.querySelectorAll(HIGHLIGHTED) ?? [])].map((element) =>
      element.getBoundingClientRect(),
    );
    if (place) {
      const up = boxes.some((box) => box.bottom < place.top + 8);
      const down = boxes.some((box) => box.top > place.bottom - 8);
      setHidden((before) => (before.up === up && before.down === down ? before : { up, down }));
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
  const scrollToEnd = (down: boolean): void => {
    const place = panel.current;
    place?.scrollTo({ top: down ? place.scrollHeight : 0, behavior: "smooth" });
  };
  return (
    <section class="sheet-frame" aria-label={label}>
      <div class="sheet-panel" ref={panel} onScroll={update}>
        {children}
      </div>
      {hidden.up && (
        <button
          type="button"
          class="more-there above"
          aria-label={translate("page.sheet.above")}
          onClick={() => scrollToEnd(false)}
        >
          <Icon name="up" />
        </button>
      )}
      {hidden.down && (
        <button
          type="button"
          class="more-there below-fold"
          aria-label={translate("page.sheet.below")}
          onClick={() => scrollToEnd(true)}
        >
          <Icon name="up" />
        </button>
      )}
    </section>
  );
}
