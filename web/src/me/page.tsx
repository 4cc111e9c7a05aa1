import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SITE } from "#backend";
import { type ApiError, fetchGames } from "../api";
import { OpenTables, useOwnTables } from "../home/own-tables";
import { memory, remember } from "../memory";
import type { FinishedGame, GameInfo, Person, SkillRating, UnreadableGame } from "../protocol";
import { translate } from "../translate";
import { HomeLink, PageBar } from "../ui/page-bar";
import { Section } from "../ui/section";
import { fetchHistory, fetchPerson, renamePerson } from "./api";
import { AccountData } from "./data";
import { GameList } from "./game-list";
import { StatisticsPanel } from "./statistics-panel";
import "../styles/me.css";
import { TextForm } from "../ui/forms";
import { Failure } from "../ui/notices";

/** Milliseconds until the reviews that were not ready are asked for again. */
const LOOK_AGAIN = 5_000;

/** The player's page: statistics and games; with a server also name, devices and data. */
export default function MePage(): JSX.Element {
  const [person, setPerson] = useState<Person | null>(null);
  const [games, setGames] = useState<FinishedGame[]>([]);
  const [skills, setSkills] = useState<SkillRating[]>([]);
  const [waiting, setWaiting] = useState(0);
  const [offered, setOffered] = useState<GameInfo[]>([]);
  const [unreadable, setUnreadable] = useState<UnreadableGame[]>([]);
  const [failure, setFailure] = useState<Error | null>(null);
  const own = useOwnTables();
  const load = (): void => {
    setFailure(null);
    fetchHistory()
      .then((history) => {
        setGames(history.games);
        setUnreadable(history.unreadable);
        setSkills(history.skills);
        setWaiting(history.reviewing);
      }, setFailure)
      .then(() => (SITE ? null : fetchPerson()))
      .then((known) => known && withStoredName(known))
      .then(setPerson, setFailure);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    document.title = `${translate("page.me")} · Fox & Clover`;
    load();
    fetchGames().then((answer) => setOffered(answer.games), setFailure);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each answer
  useEffect(() => {
    if (waiting > 0) {
      const timer = setTimeout(load, LOOK_AGAIN);
      return () => clearTimeout(timer);
    }
  }, [games]);
  return (
    <div class="home me">
      <PageBar>
        <HomeLink />
      </PageBar>
      <main>
        <h1>{translate("page.me")}</h1>
        <Failure text={failure?.message} />
        {unreadable.map(({ table, words }) => (
          <p key={table} class="notice">
            {translate("page.me.unreadable", { table, words })}
          </p>
        ))}
        {person && (
          <NameForm key={person.tag} person={person} onRenamed={setPerson} onFailure={setFailure} />
        )}
        {!SITE && <OpenTables own={own} games={offered} />}
        <StatisticsPanel
          games={games}
          skills={skills}
          waiting={waiting}
          offered={offered}
          onFailure={setFailure}
        />
        <GameList games={games} offered={offered} onFailure={setFailure} />
        {!SITE && <AccountData onChange={load} />}
      </main>
    </div>
  );
}

/** Give a known person without a name the one that this browser knows. */
async function withStoredName(person: Person): Promise<Person> {
  const { name } = memory.get();
  return person.tag !== "" && person.name === "" && name !== "" ? renamePerson(name) : person;
}

function NameForm({
  person,
  onRenamed,
  onFailure,
}: {
  person: Person;
  onRenamed: (person: Person) => void;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const [name, setName] = useState(person.name);
  const save = (): void => {
    renamePerson(name).then((renamed) => {
      remember({ name: renamed.name });
      setName(renamed.name);
      onRenamed(renamed);
    }, onFailure);
  };
  return (
    <Section icon="person" title={translate("page.me.who")}>
      <TextForm
        value={name}
        label={translate("page.setup.name")}
        maxLength={24}
        disabled={name === person.name}
        onInput={setName}
        onSubmit={save}
        note={
          person.tag !== "" && (
            <span class="tag" title={translate("page.me.tag")}>
              #{person.tag}
            </span>
          )
        }
      >
        {translate("page.me.save")}
      </TextForm>
      <p class="hint-line">{translate("page.me.devices", { count: person.devices })}</p>
    </Section>
  );
}
