/** The player's devices, and the export, import and deletion of their data. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../api";
import { Icon } from "../art/icons";
import type { ImportedGame, Imports, OwnPuzzles } from "../protocol";
import { saveFile } from "../sharing";
import { translate } from "../translate";
import { useConfirmation } from "../ui/forms";
import { Failure } from "../ui/notices";
import { Section } from "../ui/section";
import { deletePerson, exportData, importGames } from "./api";
import { Devices } from "./devices";
import { batches, parseGamesFile, parsePuzzles } from "./statistics";

const RETRY_AFTER = 2000;
/** A long history exceeds the rate limit of the server: retry until all games are sent. */
const MOST_TRIES = 900;

export function AccountData({ onChange }: { onChange: () => void }): JSX.Element {
  const [message, setMessage] = useState<string | null>(null);
  const [changes, setChanges] = useState(0);
  const onFailure = (error: ApiError): void => setMessage(error.message);
  const onDone = (text: string): void => {
    setMessage(text);
    setChanges(changes + 1);
    onChange();
  };
  return (
    <>
      <Failure text={message} />
      <Devices
        key={changes}
        onLinked={() => onDone(translate("page.me.arrived"))}
        onFailure={onFailure}
      />
      <OwnData onDone={onDone} onFailure={onFailure} />
    </>
  );
}

function OwnData({
  onDone,
  onFailure,
}: {
  onDone: (message: string) => void;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const { confirming, handlers } = useConfirmation(
    () => void deletePerson().then(() => onDone(translate("page.me.deleted")), onFailure),
  );
  const [progress, setProgress] = useState("");
  const importFiles = async (files: FileList | null): Promise<void> => {
    const texts = await Promise.all([...(files ?? [])].map((file) => file.text()));
    const found = texts.map(parseGamesFile);
    const games = found.flatMap((list) => list ?? []);
    let [added, known, sent] = [0, 0, 0];
    const refused = found
      .filter((list) => list === null)
      .map(() => translate("page.me.import.damaged"));
    let solved = 0;
    for (const own of texts.flatMap(parsePuzzles)) {
      const answer = await importWithRetries([], [own]);
      solved += answer.puzzles;
      refused.push(...answer.refused);
    }
    for (const batch of batches(games)) {
      const answer = await importWithRetries(batch, []);
      sent += batch.length;
      setProgress(
        sent < games.length
          ? translate("page.me.import.going", { count: sent, all: games.length })
          : "",
      );
      added += answer.added;
      known += answer.known;
      refused.push(...answer.refused);
    }
    onDone(
      [
        translate("page.me.import.done", { added, known }),
        ...(solved ? [translate("page.me.import.puzzles", { count: solved })] : []),
        ...refused.slice(0, 3),
      ].join(" "),
    );
  };
  return (
    <Section icon="download" title={translate("page.me.mine")}>
      <p>{translate("page.me.stored")}</p>
      <div class="row">
        <button
          type="button"
          class="button"
          onClick={() => exportData().then((all) => saveFile("foxclover-me.json", all), onFailure)}
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
              void importFiles(event.currentTarget.files)
                .catch(onFailure)
                .finally(() => setProgress(""))
            }
          />
        </label>
        <button type="button" class={`button${confirming ? " primary" : ""}`} {...handlers}>
          <Icon name="close" /> {translate(confirming ? "page.me.delete.sure" : "page.me.delete")}
        </button>
      </div>
      {progress !== "" && <p role="status">{progress}</p>}
      <p class="hint-line">
        {translate("page.me.import.how")} {translate("page.me.delete.how")}
      </p>
    </Section>
  );
}

async function importWithRetries(games: ImportedGame[], puzzles: OwnPuzzles[]): Promise<Imports> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await importGames(games, puzzles);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "too_fast" || tries === MOST_TRIES) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
    }
  }
}
