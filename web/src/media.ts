import { useEffect, useState } from "preact/hooks";

/** Return whether a media query matches; redraw when that changes. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = (): void => setHolds(list.matches);
    look();
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, [query]);
  return holds;
}

/** Wide enough for a column beside dice and sheet; `--wide` in `styles/breakpoints.css`. */
export const WIDE = "(width >= 1000px) and (height > 520px)";
