import type { ComponentChildren, JSX } from "preact";
import { useErrorBoundary, useState } from "preact/hooks";
import { Logo } from "../art/logo";
import { copyText } from "../sharing";
import { translate } from "../translate";

/** Replaces a page that cannot be drawn by a message, and lets the user report the error. */
export function ErrorBoundary({ children }: { children: ComponentChildren }): JSX.Element {
  const [error] = useErrorBoundary((caught: unknown) => console.error(caught));
  const [copied, setCopied] = useState(false);
  if (error === undefined) {
    return <>{children}</>;
  }
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
        onClick={() => void copyText(describe(error)).then(setCopied)}
      >
        {translate(copied ? "page.copied" : "page.broken.copy")}
      </button>
    </main>
  );
}

/** Describe an error, without the secrets after "#" in the address. */
function describe(error: unknown): string {
  const stack = error instanceof Error ? error.stack : undefined;
  return [
    String(error),
    stack ?? "",
    location.origin + location.pathname,
    navigator.userAgent,
    new Date().toISOString(),
  ].join("\n");
}
