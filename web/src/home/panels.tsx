/** Panels of the start page that lead elsewhere. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { fetchTable } from "../api";
import { Icon } from "../art/icons";
import { memory } from "../memory";
import { useObservable } from "../observable";
import {
  codeOf,
  invitationOf,
  momentPath,
  PUZZLES_PATH,
  TRANSCRIPT_PATH,
  tablePath,
} from "../paths";
import { unsolvedMistakes } from "../review/mistakes";
import { go } from "../route";
import { translate } from "../translate";
import { TextForm } from "../ui/forms";
import { Link } from "../ui/link";
import { Failure } from "../ui/notices";
import { Section } from "../ui/section";

/** Joins a table by its code or link. */
export function JoinPanel(): JSX.Element {
  const [text, setText] = useState("");
  const [failure, setFailure] = useState<Error | null>(null);
  const join = (): void => {
    fetchTable(codeOf(text)).then(
      (found) => go(tablePath(found.table, invitationOf(text))),
      setFailure,
    );
  };
  return (
    <Section icon="link" title={translate("page.home.join")}>
      <TextForm
        value={text}
        label={translate("page.home.code")}
        code
        disabled={codeOf(text) === ""}
        onInput={setText}
        onSubmit={join}
      >
        {translate("page.home.go")}
      </TextForm>
      <Failure text={failure?.message} />
    </Section>
  );
}

export function PuzzlesPanel(): JSX.Element {
  return (
    <Section icon="puzzle" title={translate("page.puzzles")}>
      <p>{translate("page.puzzles.about")}</p>
      <Link class="button" href={PUZZLES_PATH}>
        <Icon name="next" /> {translate("page.puzzles.there")}
      </Link>
    </Section>
  );
}

/** Reviews of transcripts, and the own mistakes to practise. */
export function LearnPanel(): JSX.Element {
  const unsolved = unsolvedMistakes(useObservable(memory).mistakes);
  const [latest] = unsolved;
  return (
    <Section icon="chart" title={translate("page.learn")}>
      <div class="row">
        <Link class="button" href={TRANSCRIPT_PATH}>
          <Icon name="eye" /> {translate("page.look")}
        </Link>
        {latest && (
          <Link class="button" href={momentPath(latest.code, "mistakes")}>
            <Icon name="target" />{" "}
            {translate("page.learn.mistakes", {
              count: unsolved.reduce((sum, { count }) => sum + count, 0),
            })}
          </Link>
        )}
      </div>
    </Section>
  );
}
