/** Other devices, and everything of mine taken out, brought in or deleted. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ApiError } from "../api";
import { Icon } from "../art/icons";
import { invitationOf } from "../paths";
import type { Along } from "../protocol";
import { say } from "../words";
import { arrive, bringIn, forgetMe, takeAlong, takeOut } from "./device";
import { save } from "./files";
import { Section } from "./section";
import { textsOf } from "./statistics";

const AT_ONCE = 10;

export function Belongings({ onChange }: { onChange: () => void }): JSX.Element {
  const [words, setWords] = useState<string | null>(null);
  const failed = (error: ApiError): void => setWords(error.message);
  const done = (sentence: string): void => {
    setWords(sentence);
    onChange();
  };
  return (
    <>
      {words !== null && (
        <p class="notice" role="alert">
          {words}
        </p>
      )}
      <Devices onArrived={() => done(say("page.me.arrived"))} onFailure={failed} />
      <Mine onDone={done} onFailure={failed} />
    </>
  );
}

function Devices({
  onArrived,
  onFailure,
}: {
  onArrived: () => void;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const [along, setAlong] = useState<Along | null>(null);
  // A camera that read the picture of the other device brings its code in the address.
  const [code, setCode] = useState(() => invitationOf(location.hash));
  const come = (event: Event): void => {
    event.preventDefault();
    arrive(code).then(() => {
      setCode("");
      history.replaceState(null, "", location.pathname);
      onArrived();
    }, onFailure);
  };
  return (
    <Section icon="again" title={say("page.me.along")}>
      <p>{say("page.me.along.why")}</p>
      {along ? (
        <div class="me-along">
          <strong class="along-code">
            {`${along.code.slice(0, 4)} ${along.code.slice(4)}`.toUpperCase()}
          </strong>
          {along.links.slice(0, 1).map(({ link, qr }) => (
            <img
              key={link}
              class="qr"
              src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
              alt={say("page.invite.qr")}
            />
          ))}
          <p class="hint-line">{say("page.me.along.how")}</p>
        </div>
      ) : (
        <button type="button" class="button" onClick={() => takeAlong().then(setAlong, onFailure)}>
          <Icon name="link" /> {say("page.me.along.code")}
        </button>
      )}
      <form class="row" onSubmit={come}>
        <input
          type="text"
          value={code}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-label={say("page.me.along.enter")}
          placeholder={say("page.me.along.enter")}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={code.trim() === ""}>
          {say("page.me.along.go")}
        </button>
      </form>
    </Section>
  );
}

function Mine({
  onDone,
  onFailure,
}: {
  onDone: (words: string) => void;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const [sure, setSure] = useState(false);
  const read = async (files: FileList | null): Promise<void> => {
    const texts = await Promise.all([...(files ?? [])].map((file) => file.text()));
    const found = texts.map(textsOf);
    const games = found.flatMap((one) => one ?? []);
    let [added, known] = [0, 0];
    const refused = found.filter((one) => one === null).map(() => say("page.me.import.damaged"));
    for (let at = 0; at < games.length; at += AT_ONCE) {
      const answer = await bringIn(games.slice(at, at + AT_ONCE));
      added += answer.added;
      known += answer.known;
      refused.push(...answer.refused);
    }
    onDone([say("page.me.import.done", { added, known }), ...refused.slice(0, 3)].join(" "));
  };
  return (
    <Section icon="download" title={say("page.me.mine")}>
      <p>{say("page.me.stored")}</p>
      <div class="row">
        <button
          type="button"
          class="button"
          onClick={() =>
            takeOut().then(
              (all) => save("foxclover-me.json", JSON.stringify(all, null, 1)),
              onFailure,
            )
          }
        >
          <Icon name="download" /> {say("page.me.export")}
        </button>
        <label class="button file-button">
          <Icon name="plus" /> {say("page.me.import")}
          <input
            type="file"
            class="sr"
            multiple
            accept=".txt,.json,text/plain,application/json"
            onChange={(event) => void read(event.currentTarget.files).catch(onFailure)}
          />
        </label>
        <button
          type="button"
          class={`button${sure ? " primary" : ""}`}
          onBlur={() => setSure(false)}
          onClick={() =>
            sure
              ? void forgetMe().then(() => onDone(say("page.me.deleted")), onFailure)
              : setSure(true)
          }
        >
          <Icon name="close" /> {say(sure ? "page.me.delete.sure" : "page.me.delete")}
        </button>
      </div>
      <p class="hint-line">{say("page.me.import.how")}</p>
    </Section>
  );
}
