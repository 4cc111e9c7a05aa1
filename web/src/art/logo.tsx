import type { JSX } from "preact";

const LEAF =
  "M0-6C-7-14-30-22-33-36-35-47-22-53-13-47-8-44-3-39 0-33 3-39 8-44 13-47 22-53 35-47 33-36 30-22 7-14 0-6Z";

/** A fox looking out of a four-leaved clover. */
export function Logo({ title }: { title?: string }): JSX.Element {
  return (
    <svg
      class="logo"
      viewBox="-60 -60 120 120"
      role={title ? "img" : undefined}
      aria-label={title}
      aria-hidden={title ? undefined : "true"}
    >
      <path
        d="M6 18C12 34 22 46 36 54"
        fill="none"
        stroke="#2f7a45"
        stroke-width="7"
        stroke-linecap="round"
      />
      {[45, 135, 225, 315].map((angle) => (
        <path
          key={angle}
          d={LEAF}
          transform={`rotate(${angle})`}
          fill={angle % 180 === 45 ? "#4ca665" : "#3c9156"}
        />
      ))}
      <FoxHead />
    </svg>
  );
}

/** The head of the fox, centred, about 60 wide. */
export function FoxHead(): JSX.Element {
  return (
    <g>
      <path
        d="M-30-30C-20-27-12-22-8-16H8C12-22 20-27 30-30 33-16 32-6 28 2 24 14 12 24 0 31-12 24-24 14-28 2-32-6-33-16-30-30Z"
        fill="#e2692c"
      />
      <path
        d="M-25-23C-20-20-15-16-13-11L-24-3C-26-10-26-16-25-23ZM25-23C20-20 15-16 13-11L24-3C26-10 26-16 25-23Z"
        fill="#6b2c14"
        opacity="0.75"
      />
      <path
        d="M-28 2C-18-1-7 6-3 17L0 31C-12 24-24 14-28 2ZM28 2C18-1 7 6 3 17L0 31C12 24 24 14 28 2Z"
        fill="#fff6e8"
      />
      <path d="M-5 23C-3 21 3 21 5 23 5 27 2 30 0 31-2 30-5 27-5 23Z" fill="#2b1a12" />
      <circle cx="-12" cy="2" r="3.4" fill="#2b1a12" />
      <circle cx="12" cy="2" r="3.4" fill="#2b1a12" />
      <circle cx="-11" cy="1" r="1.1" fill="#fff" />
      <circle cx="13" cy="1" r="1.1" fill="#fff" />
    </g>
  );
}
