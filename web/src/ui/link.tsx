import type { AnchorHTMLAttributes, JSX } from "preact";
import { go } from "../route";

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; onGo?: () => void };

/** A link inside the page: no new page is loaded. */
export function Link({ href, onGo = () => go(href), ...rest }: LinkProps): JSX.Element {
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        event.preventDefault();
        onGo();
      }}
    />
  );
}
