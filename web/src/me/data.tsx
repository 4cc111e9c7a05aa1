/** One's devices, and everything of mine taken out, brought in or deleted. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../api";
import { Icon } from "../art/icons";
import type { ImportedGame, Imports } from "../protocol";
import { translate } from "../translate";
import { Section } from "../ui/section";
import { bringIn, forgetMe, takeOut } from "./api";
import { Devices } from "./devices";
import { save } from "./files";
import { batches, textsOf } from "./statistics";

const PATIENCE = 2000;
/** What the server takes at once is soon used up by a long history; it takes the rest bit by bit. */
const TRIES = 900;

export function Belongings({ onChange }: { onChange: () => void }): JSX.Element {
  const [words, setWords] = useState<string | null>(null);
  const [changes, setChanges] = useState(0);
  const failed = (error: ApiError): void => setWords(error.message);
  const done = (sentence: string): void => {
    setWords(sentence);
    setChanges(changes + 1);
    onChange();
  };
  return (
    <>
      {words !== null && (
        <p class="notice" role="alert">
          {words}
        </p>
      )}
      <Devices
        key={changes}
        onArrived={() => done(translate("page.me.arrived"))}
        onFailure={failed}
      />
      <Mine onDone={done} onFailure={failed} />
    </>
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
  const [going, setGoing] = useState("");
  const read = async (files: FileList | null): Promise<void> => {
    const texts = await Promise.all([...(files ?? [])].map((file) => file.text()));
    const found = texts.map(textsOf);
    const games = found.flatMap((one) => one ?? []);
    let [added, known, done] = [0, 0, 0];
    const refused = found
      .filter((one) => one === null)
      .map(() => translate("page.me.import.damaged"));
    for (const batch of batches(games)) {
      const answer = await bringInPatiently(batch);
      done += batch.length;
      setGoing(
        done < games.length
          ? translate("page.me.import.going", { count: done, all: games.length })
          : "",
      );
      added += answer.added;
      known += answer.known;
      refused.push(...answer.refused);
    }
    onDone([translate("page.me.import.done", { added, known }), ...refused.slice(0, 3)].join(" "));
  };
  return (
    <Section icon="download" title={translate("page.me.mine")}>
      <p>{translate("page.me.stored")}</p>
      <div class="row">
        <button
          type="button"
          class="button"
          onClick={() => takeOut().then((all) => save("foxclover-me.json", all), onFailure)}
        >
          <Icon name="download" /> {translate("page.me.export")}
        </button>
        <label class="button file-button">
          <Icon name="plus" /> {translate("page.me.import")}
          <input
            type="file"
            class="sr"
            multiple
            accept=".txt,.json,text/plain,application/json"
            onChange={(event) =>
              void read(event.currentTarget.files)
                .catch(onFailure)
                .finally(() => setGoing(""))
            }
          />
        </label>
        <button
          type="button"
          class={`button${sure ? " primary" : ""}`}
          onBlur={() => setSure(false)}
          onClick={() =>
            sure
              ? void forgetMe().then(() => onDone(translate("page.me.deleted")), onFailure)
              : setSure(true)
          }
        >
          <Icon name="close" /> {translate(sure ? "page.me.delete.sure" : "page.me.delete")}
        </button>
      </div>
      {going !== "" && <p role="status">{going}</p>}
      <p class="hint-line">
        {translate("page.me.import.how")} {translate("page.me.delete.how")}
      </p>
    </Section>
  );
}

async function bringInPatiently(games: ImportedGame[]): Promise<Imports> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await bringIn(games);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "too_fast" || tried === TRIES) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    }
  }
}
