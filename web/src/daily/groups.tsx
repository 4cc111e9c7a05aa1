import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../art/icons";
import { DAILY_PATH, invitationOf } from "../paths";
import type { DailyGroup, GameInfo, Today } from "../protocol";
import { shareText } from "../sharing";
import { translate } from "../translate";
import { TextForm } from "../ui/forms";
import { Failure } from "../ui/notices";
import { Section } from "../ui/section";
import { createGroup, joinGroup, leaveGroup } from "./api";
import { GroupResults } from "./group-results";
import { ReportButton } from "./report";

/** Groups of friends who compare their results. */
export function Groups({
  groups,
  offered,
  onChange,
}: {
  groups: readonly DailyGroup[];
  offered: readonly GameInfo[];
  onChange: (today: Today) => void;
}): JSX.Element {
  const [name, setName] = useState("");
  // A link to a group contains its code.
  const [code, setCode] = useState(() => invitationOf(location.hash));
  const [failure, setFailure] = useState<Error | null>(null);
  const apply = (request: Promise<Today>): void =>
    void request.then((today) => {
      setName("");
      setCode("");
      setFailure(null);
      history.replaceState(null, "", location.pathname);
      onChange(today);
    }, setFailure);
  return (
    <Section icon="people" title={translate("page.daily.groups")}>
      <p>{translate("page.daily.groups.why")}</p>
      <Failure text={failure?.message} />
      <ul class="tables">
        {groups.map((group) => (
          <Group
            key={group.code}
            group={group}
            offered={offered}
            onLeave={() => apply(leaveGroup(group.code))}
          />
        ))}
      </ul>
      <TextForm
        value={code}
        label={translate("page.daily.groups.code")}
        code
        onInput={setCode}
        onSubmit={() => apply(joinGroup(code))}
      >
        {translate("page.daily.groups.join")}
      </TextForm>
      <TextForm
        value={name}
        label={translate("page.daily.groups.name")}
        maxLength={24}
        onInput={setName}
        onSubmit={() => apply(createGroup(name))}
      >
        <Icon name="plus" /> {translate("page.daily.groups.make")}
      </TextForm>
    </Section>
  );
}

function Group({
  group,
  offered,
  onLeave,
}: {
  group: DailyGroup;
  offered: readonly GameInfo[];
  onLeave: () => void;
}): JSX.Element {
  const [shared, setShared] = useState(false);
  const [open, setOpen] = useState(false);
  return (
    <li class="me-game">
      <span class="me-what">
        <strong>
          {group.name} <ReportButton about={{ group: group.code, shown: group.name }} />
        </strong>
        <small>
          {translate("page.daily.groups.members", { count: group.members })} ·{" "}
          {`${group.code.slice(0, 4)} ${group.code.slice(4)}`.toUpperCase()}
        </small>
      </span>
      <button
        type="button"
        class="button small"
        onClick={() =>
          void shareText(new URL(`${DAILY_PATH}#${group.code}`, location.href).href).then(setShared)
        }
      >
        <Icon name={shared ? "check" : "link"} /> {translate("page.daily.groups.link")}
      </button>
      <button
        type="button"
        class="button small"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chart" /> {translate("page.group.results")}
      </button>
      <button type="button" class="button small" onClick={onLeave}>
        <Icon name="close" /> {translate("page.daily.groups.leave")}
      </button>
      {open && <GroupResults code={group.code} offered={offered} />}
    </li>
  );
}
