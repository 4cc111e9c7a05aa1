import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Scales its content to the size of its container. */
export function Fitted({ children }: { children: ComponentChildren }): JSX.Element {
  const frame = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const outside = frame.current;
    const inside = outside?.firstElementChild;
    if (!outside || !(inside instanceof HTMLElement)) {
      return;
    }
    const fit = (): void => {
      const scale = Math.min(
        outside.clientWidth / inside.offsetWidth,
        outside.clientHeight / inside.offsetHeight,
      );
      inside.style.transform = `translateX(${(outside.clientWidth - inside.offsetWidth * scale) / 2}px) scale(${scale})`;
    };
    const watcher = new ResizeObserver(fit);
    watcher.observe(outside);
    watcher.observe(inside);
    return () => watcher.disconnect();
  }, []);
  return (
    <span class="fitted" ref={frame} aria-hidden="true">
      <span class="fitted-inside">{children}</span>
    </span>
  );
}
