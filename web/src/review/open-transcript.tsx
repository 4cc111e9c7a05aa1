import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiError, checkTranscript, fetchGames } from "../api";
import { Icon } from "../art/icons";
import { momentPath } from "../paths";
import { go } from "../route";
import { translate } from "../translate";
import { HomeLink } from "../ui/page-bar";
import "../styles/review.css";
import { Lazy } from "../ui/lazy";
import { Link } from "../ui/link";
import { Failure } from "../ui/notices";
import { DiceCheck } from "./dice-check";
import type { OpenedGameProps } from "./opened-game";
import { gameInLink, LONGEST_TEXT } from "./position-link";

const loadOpenedGame = async () => (await import("./opened-game")).OpenedGame;

/**
 * Opens a pasted, dropped or linked transcript or position: a finished game is reviewed, another
 * one shown and continued.
 */
export function OpenTranscript(): JSX.Element {
  const [text, setText] = useState("");
  const [failure, setFailure] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const [opened, setOpened] = useState<Omit<OpenedGameProps, "onClose"> | null>(null);
  const submit = (transcript: string): void => {
    setBusy(true);
    setFailure(null);
    setOpened(null);
    Promise.all([checkTranscript(transcript), fetchGames()]).then(
      ([result, { games }]) => {
        setBusy(false);
        const game = games.find(({ key }) => key === result.game);
        if (result.table !== null && result.dice === null) {
          go(momentPath(result.table, 0));
        } else if (game) {
          setOpened({ result, game, text: transcript });
        }
      },
      (error: ApiError) => {
        setBusy(false);
        setFailure(error);
      },
    );
  };
  const open = (pasted: string): void => {
    if (pasted.length > LONGEST_TEXT) {
      setFailure(new Error(translate("server.refused.too_long")));
      return;
    }
    if (!/^\s*https?:\S+#\S+\s*$/.test(pasted)) {
      submit(pasted);
      return;
    }
    void gameInLink(pasted).then((found) =>
      found === null ? setFailure(new Error(translate("page.look.bad_link"))) : submit(found),
    );
  };
  const readFile = (file: File | undefined): void => {
    if (!file) {
      return;
    }
    if (file.size > LONGEST_TEXT) {
      setFailure(new Error(translate("server.refused.too_long")));
      return;
    }
    void file.text().then((content) => {
      setText(content);
      open(content);
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    document.title = `${translate("page.look")} · Fox & Clover`;
    const openLink = (): void => {
      if (location.hash.length > 1) {
        open(location.href);
      }
    };
    openLink();
    addEventListener("hashchange", openLink); // a link can be edited where the browser shows it
    return () => removeEventListener("hashchange", openLink);
  }, []);
  if (opened !== null && opened.result.moment !== null) {
    return (
      <Lazy
        kind="page"
        load={loadOpenedGame}
        props={{ ...opened, onClose: () => setOpened(null) }}
      />
    );
  }
  return (
    <main
      class="look"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        readFile(event.dataTransfer?.files[0]);
      }}
    >
      <header class="look-head">
        <HomeLink />
        <h1>{translate("page.look")}</h1>
      </header>
      <p>{translate("page.look.how")}</p>
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          open(text);
        }}
      >
        <label class="look-text">
          <span>{translate("page.look.text")}</span>
          <textarea
            rows={10}
            value={text}
            spellcheck={false}
            autocomplete="off"
            placeholder="Fox & Clover transcript 1"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <div class="row">
          <button type="submit" class="button primary" disabled={busy || text.trim() === ""}>
            <Icon name="eye" /> {translate("page.look.go")}
          </button>
          <label class="button">
            <Icon name="download" /> {translate("page.look.file")}
            <input
              class="sr"
              type="file"
              accept=".txt,text/plain"
              onChange={(event) => readFile(event.currentTarget.files?.[0])}
            />
          </label>
        </div>
        {busy && <p role="status">{translate("page.look.checking")}</p>}
        <Failure text={failure?.message} />
      </form>
      {opened && (
        <section class="panel" aria-label={translate("page.look.on")}>
          <h2>{opened.game.name}</h2>
          {opened.result.dice && <DiceCheck dice={opened.result.dice} />}
          <Link class="button primary" href={momentPath(opened.result.table ?? "", 0)}>
            <Icon name="eye" /> {translate("page.me.replay")}
          </Link>
        </section>
      )}
    </main>
  );
}
