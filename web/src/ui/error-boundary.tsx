import type { ComponentChildren, JSX } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import { fetchOwnTable } from "../api";
import { Logo } from "../art/logo";
import { tokensOf } from "../memory";
import { copyText } from "../sharing";
import { translate } from "../translate";
import { shownPosition } from "./error-report";

/** Replaces a page that cannot be drawn by a message, and lets the user report the error. */
export function ErrorBoundary({
  table,
  children,
}: {
  /** The code of the table that the page shows. */
  table: string | null;
  children: ComponentChildren;
}): JSX.Element {
  const [error] = useErrorBoundary((caught: unknown) => console.error(caught));
  if (error === undefined) {
    return <>{children}</>;
  }
  return <Broken error={error} table={table} />;
}

function Broken({ error, table }: { error: unknown; table: string | null }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const [position, setPosition] = useState(shownPosition);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once is enough
  useEffect(() => {
    if (position === null && table !== null) {
      fetchOwnTable(table, tokensOf(table)).then(
        (found) => setPosition(found.position),
        () => undefined, // the details are useful without it
      );
    }
  }, []);
  return (
    <main class="lost">
      <Logo />
      <h1>{translate("page.broken.title")}</h1>
      <p role="alert">{translate("page.broken")}</p>
      <button type="button" class="button primary" onClick={() => location.reload()}>
        {translate("page.reload")}
      </button>
      <button
        type="button"
        class="button"
        onClick={() => void copyText(describe(error, position)).then(setCopied)}
      >
        {translate(copied ? "page.copied" : "page.broken.copy")}
      </button>
    </main>
  );
}

/** Describe an error, without the secrets after "#" in the address. */
function describe(error: unknown, position: string | null): string {
  const stack = error instanceof Error ? error.stack : undefined;
  return [
    String(error),
    stack ?? "",
    position ?? "",
    location.origin + location.pathname,
    navigator.userAgent,
    new Date().toISOString(),
  ].join("\n");
}
