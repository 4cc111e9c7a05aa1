import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { begin, standing } from "#authority";
import { useObservable } from "./observable";
import { say } from "./words";

/** How far the page is that brings its own authority: what is still to come, what went wrong, what will not be kept. */
export function StandingBar(): JSX.Element | null {
  const { stage, share, lasting, trouble } = useObservable(standing);
  const [read, setRead] = useState(false);
  if (stage === "loading") {
    const percent = Math.round(share * 100);
    return (
      <div class="standing" role="status">
        <span>{share < 1 ? say("page.site.loading", { percent }) : say("page.site.starting")}</span>
        <progress value={share} max={1} aria-label={say("page.loading")} />
      </div>
    );
  }
  if (stage === "failed" && trouble !== null) {
    return (
      <div class="standing notice" role="alert">
        <span>{say(`page.site.trouble.${trouble}`)}</span>
        <button type="button" class="button small" onClick={begin}>
          {say("page.lost.again")}
        </button>
      </div>
    );
  }
  if (!lasting && !read) {
    return (
      <div class="standing notice" role="alert">
        <span>{say("page.site.passing")}</span>
        <button type="button" class="button small" onClick={() => setRead(true)}>
          {say("page.site.read")}
        </button>
      </div>
    );
  }
  return null;
}
