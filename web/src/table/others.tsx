import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { MiniSheet } from "../clever/mini";
import { MiniLevels } from "../climb/mini";
import { useMedia } from "../media";
import type { Layout, StateMessage } from "../protocol";
import { say } from "../words";
import type { Marks } from "./marks";

const ROOM = "(min-width: 1200px) and (min-height: 600px)";

interface OthersProps {
  layout: Layout;
  state: StateMessage;
  marks: Marks;
  shown: number;
  name: (seat: number) => string;
  onShow: (seat: number) => void;
}

/** The sheets of all the others, small and always up to date; touching one shows it large. */
export function Others({ layout, state, marks, shown, name, onShow }: OthersProps): JSX.Element | null {
  const room = useMedia(ROOM);
  const others = state.seats.filter(({ seat }) => seat !== shown);
  if (!room || others.length === 0) {
    return null;
  }
  return (
    <aside class="others" aria-label={say("page.others")}>
      {others.map(({ seat }) => (
        <button key={seat} type="button" class={`other p-${seat}`} aria-label={say("page.others.show", { name: name(seat), points: state.scores[seat] ?? 0 })} onClick={() => onShow(seat)}>
          <span class="other-head"><span>{name(seat)}</span><b>{state.scores[seat] ?? 0}</b></span>
          <Fitted>
            {layout.kind === "clever" && state.view.kind === "clever" && <MiniSheet layout={layout} sheet={state.view.sheets[seat]} owner={name(seat)} marks={marks[seat]} />}
            {layout.kind === "climb" && state.view.kind === "climb" && <MiniLevels layout={layout} player={state.view.players[seat]} marks={marks[seat]} />}
          </Fitted>
        </button>
      ))}
    </aside>
  );
}

/** Shows something as large as its place allows. */
export function Fitted({ children }: { children: ComponentChildren }): JSX.Element {
  const frame = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const outside = frame.current;
    const inside = outside?.firstElementChild;
    if (!outside || !(inside instanceof HTMLElement)) {
      return;
    }
    const fit = (): void => {
      const scale = Math.min(outside.clientWidth / inside.offsetWidth, outside.clientHeight / inside.offsetHeight);
      inside.style.transform = `scale(${scale})`;
    };
    const watcher = new ResizeObserver(fit);
    watcher.observe(outside);
    watcher.observe(inside);
    return () => watcher.disconnect();
  }, []);
  return <span class="fitted" ref={frame} aria-hidden="true"><span class="fitted-inside">{children}</span></span>;
}
