import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { translate } from "../translate";
import { IconButton } from "./forms";

/** The browser's dialog: it traps the focus, closes with Escape and restores the focus. */
export function Dialog({
  title,
  kind = "",
  onClose,
  children,
}: {
  title: string;
  kind?: string;
  onClose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  // A click also ends outside if a text was selected from inside.
  const pressedOutside = useRef(false);
  useLayoutEffect(() => {
    const element = dialog.current;
    const focused = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (focused instanceof HTMLElement && focused.isConnected) {
        focused.focus();
      }
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled for the whole page
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-label={title}
      onCancel={onClose}
      onPointerDown={(event) => {
        pressedOutside.current = event.target === dialog.current;
      }}
      onClick={(event) => event.target === dialog.current && pressedOutside.current && onClose()}
    >
      <div class="dialog-inside">
        <div class="dialog-head">
          <h2>{title}</h2>
          <IconButton icon="close" label={translate("page.close")} onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
