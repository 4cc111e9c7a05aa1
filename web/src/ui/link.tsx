import type { AnchorHTMLAttributes, JSX } from "preact";
import { go } from "../route";

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; onGo?: () => void };

/** Whether a click is meant for this tab: the browser handles those for a new tab or window. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}

/** A link inside the page: no new page is loaded. */
export function Link({ href, onGo = () => go(href), ...rest }: LinkProps): JSX.Element {
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        if (isPlainClick(event)) {
          event.preventDefault();
          onGo();
        }
      }}
    />
  );
}
