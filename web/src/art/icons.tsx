/** Icons in one colour, 24 x 24, drawn with strokes. */
import type { JSX } from "preact";
import { FoxHead } from "./logo";

const STROKES = {
  reroll: <path d="M19.5 8.5A8.3 8.3 0 1 0 20.3 13M20.5 3.5v5.2h-5.2" />,
  roll: (
    <path d="M6.5 4h11A2.5 2.5 0 0 1 20 6.5v11a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 17.5v-11A2.5 2.5 0 0 1 6.5 4ZM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01" />
  ),
  exchange: <path d="M4 8.5h15M15.5 5l3.5 3.5-3.5 3.5M20 15.5H5M8.5 12 5 15.5 8.5 19" />,
  target: (
    <path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 12h.01" />
  ),
  branch: <path d="M6 20V4M6 14c0-5 3-6 10-6M13 4.5 16.5 8 13 11.5" />,
  return: <path d="M5 10.5h9.5a5 5 0 0 1 0 10H9M9.5 5.5l-5 5 5 5" />,
  extra: <path d="M4 12.5h8M8 8.5v8M16 8.2l3-2.2v13" />,
  undo: <path d="M4.5 9h10a5.5 5.5 0 0 1 0 11H8M8.5 4.5 4 9l4.5 4.5" />,
  bulb: (
    <path d="M9 18h6M10 21h4M8.7 15c-.5-1.6-3-3-3-6.3a6.3 6.3 0 0 1 12.6 0c0 3.3-2.5 4.7-3 6.3Z" />
  ),
  guide: <path d="M12 21v-7M12 5V3M5 5h11l3.5 4.5L16 14H5Z" />,
  puzzle: <path d="M4.5 8.5h4.2a2.4 2.4 0 1 1 4.6 0h4.2v4.2a2.4 2.4 0 1 1 0 4.6v3.2h-13Z" />,
  stay: <path d="M3.5 19.5H9V15h5.5v-4.5H20V5" />,
  leave: <path d="M12.5 4H5v16h7.5M10 12h10.5M16.5 8l4 4-4 4" />,
  fail: <path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM6 18 18 6" />,
  pass: <path d="M5.5 6.5 11 12l-5.5 5.5M12.5 6.5 18 12l-5.5 5.5" />,
  why: (
    <path d="M3.5 4.5h17v12h-9l-4.5 4v-4H3.5ZM10 8.8a2 2 0 1 1 2.8 1.9c-.5.2-.8.5-.8 1.1M12 13.9h.01" />
  ),
  help: (
    <path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9.6 9.6a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1.1.8-1.1 1.6M12 16.3h.01" />
  ),
  book: (
    <path d="M12 6.5C10 4.7 7 4.2 3.5 4.5v14c3.5-.3 6.5.2 8.5 2 2-1.8 5-2.3 8.5-2v-14c-3.5-.3-6.5.2-8.5 2Zm0 0v14" />
  ),
  list: <path d="M8.5 6h12M8.5 12h12M8.5 18h12M4 6h.01M4 12h.01M4 18h.01" />,
  globe: (
    <path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Zm-8.3 8.5h16.6M12 3.5c2.7 2.3 3.8 5.2 3.8 8.5s-1.1 6.2-3.8 8.5c-2.7-2.3-3.8-5.2-3.8-8.5s1.1-6.2 3.8-8.5Z" />
  ),
  sun: (
    <path d="M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5v2M12 19.5v2M4.5 4.5 6 6M18 18l1.5 1.5M2.5 12h2M19.5 12h2M4.5 19.5 6 18M18 6l1.5-1.5" />
  ),
  moon: <path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z" />,
  link: (
    <path d="M10 14a4.2 4.2 0 0 0 6 0l3.3-3.3a4.2 4.2 0 0 0-6-6L12 6M14 10a4.2 4.2 0 0 0-6 0l-3.3 3.3a4.2 4.2 0 0 0 6 6L12 18" />
  ),
  copy: <path d="M9 9h10.5v11.5H9ZM15 5.5V3.5H4.5V15h2" />,
  person: <path d="M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20.5c.8-4.3 3.7-6 7.5-6s6.7 1.7 7.5 6" />,
  people: (
    <path d="M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2.5 19.5c.6-3.7 3-5.2 6.5-5.2s5.9 1.5 6.5 5.2M15.5 5.3a3.5 3.5 0 0 1 0 6.5M17.5 14.6c2.2.6 3.6 2.2 4 4.9" />
  ),
  robot: <path d="M5 9h14v10.5H5ZM12 9V5M9.5 13v2M14.5 13v2M12 3.5h.01M2.5 13v3M21.5 13v3" />,
  download: <path d="M12 4v11M7.5 11 12 15.5 16.5 11M4.5 19.5h15" />,
  close: <path d="M6 6l12 12M18 6 6 18" />,
  check: <path d="M4.5 12.5 10 18 19.5 7" />,
  eye: (
    <path d="M2.5 12c2.5-4.3 5.7-6.3 9.5-6.3s7 2 9.5 6.3c-2.5 4.3-5.7 6.3-9.5 6.3S5 16.3 2.5 12ZM12 9.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4Z" />
  ),
  next: <path d="M5 12h13M12.5 6.5 18 12l-5.5 5.5" />,
  up: <path d="M12 19V6M6.5 11.5 12 6l5.5 5.5" />,
  trophy: (
    <path d="M8 4h8v6a4 4 0 0 1-8 0ZM8 5.5H4.5c0 3 1.2 4.7 3.7 5M16 5.5h3.5c0 3-1.2 4.7-3.7 5M12 14v4M8.5 20.5h7M9.5 18h5" />
  ),
  again: (
    <path d="M4.5 12a7.5 7.5 0 0 1 13-5l2 2M19.5 12a7.5 7.5 0 0 1-13 5l-2-2M19.5 4.5V9H15M4.5 19.5V15H9" />
  ),
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  plus: <path d="M12 5v14M5 12h14" />,
  wifi: (
    <path d="M3 9.5c5.5-4.7 12.5-4.7 18 0M6.5 13.2c3.4-2.9 7.6-2.9 11 0M9.8 16.8c1.4-1.1 3-1.1 4.4 0M12 20h.01" />
  ),
  chart: <path d="M4 4v16h16M7.5 15l4-5 3.5 3 4.5-7" />,
  first: <path d="M6 5v14M18 6l-8 6 8 6" />,
  back: <path d="M19 12H6M11.5 6.5 6 12l5.5 5.5" />,
  last: <path d="M18 5v14M6 6l8 6-8 6" />,
  play: <path d="M8 5.5 18 12 8 18.5Z" />,
  pause: <path d="M9 6v12M15 6v12" />,
  smile: (
    <path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM8 14c1 1.7 2.3 2.5 4 2.5s3-.8 4-2.5M9 9.5h.01M15 9.5h.01" />
  ),
  flag: <path d="M5.5 21V4M5.5 4.5h12l-2.5 4 2.5 4h-12" />,
  gear: (
    <path d="M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM10.3 3h3.4l.5 2.6 1.9 1.1 2.5-.9 1.7 2.9-2 1.8v2.9l2 1.8-1.7 2.9-2.5-.9-1.9 1.1-.5 2.7h-3.4l-.5-2.7-1.9-1.1-2.5.9-1.7-2.9 2-1.8v-2.9l-2-1.8 1.7-2.9 2.5.9 1.9-1.1Z" />
  ),
  dots: <path d="M5 12h.01M12 12h.01M19 12h.01" />,
  coin: <path d="M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v8M9.5 10l2.5-2" />,
} satisfies Record<string, JSX.Element>;

export type IconName = keyof typeof STROKES | "fox" | "clover";

export function Icon({ name, label }: { name: IconName; label?: string }): JSX.Element {
  const names = label
    ? { role: "img" as const, "aria-label": label }
    : { "aria-hidden": "true" as const };
  if (name === "fox") {
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: decoration: hidden from screen readers by its parent
      <svg class="icon" viewBox="-34 -34 68 68" {...names}>
        <FoxHead />
      </svg>
    );
  }
  if (name === "clover") {
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: decoration: hidden from screen readers by its parent
      <svg class="icon" viewBox="0 0 24 24" {...names}>
        <CloverShape />
      </svg>
    );
  }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: decoration: hidden from screen readers by its parent
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      {...names}
    >
      {STROKES[name]}
    </svg>
  );
}

/** A four-leaved clover in the current colour. */
function CloverShape(): JSX.Element {
  const leaf =
    "M0-1C-1.5-3-6-4.5-6-7.5-6-10-3-10.8-1.3-9.5-.7-9-.3-8.5 0-7.8.3-8.5.7-9 1.3-9.5 3-10.8 6-10 6-7.5 6-4.5 1.5-3 0-1Z";
  return (
    <g transform="translate(12 11.5) scale(1.02)" fill="currentColor">
      <path
        d="M1 1C2.5 5 4.5 8 8 11"
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
      />
      {[45, 135, 225, 315].map((angle) => (
        <path key={angle} d={leaf} transform={`rotate(${angle})`} />
      ))}
    </g>
  );
}
