import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type ApiError, fetchTable } from "../api";
import { Icon } from "../art/icons";
import { codeOf, invitationOf, tablePath } from "../paths";
import { go } from "../route";
import { translate } from "../translate";

export function JoinPanel(): JSX.Element {
  const [text, setText] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const join = (event: Event): void => {
    event.preventDefault();
    fetchTable(codeOf(text)).then(
      (found) => go(tablePath(found.table, invitationOf(text))),
      (error: ApiError) => setFailure(error.message),
    );
  };
  return (
    <section class="panel">
      <h2>
        <Icon name="link" /> {translate("page.home.join")}
      </h2>
      <form class="row" onSubmit={join}>
        <input
          type="text"
          value={text}
          aria-label={translate("page.home.code")}
          placeholder={translate("page.home.code")}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={codeOf(text) === ""}>
          {translate("page.home.go")}
        </button>
      </form>
      {failure !== null && (
        <p class="notice" role="alert">
          {failure}
        </p>
      )}
    </section>
  );
}
