import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ApiError } from "../api";
import { Icon } from "../art/icons";
import { invitationOf } from "../paths";
import type { DailyGroup, GameInfo, Today } from "../protocol";
import { shareText } from "../table/share-result";
import { translate } from "../translate";
import { Section } from "../ui/section";
import { createGroup, joinGroup, leaveGroup } from "./api";
import { GroupResults } from "./group-results";

/** Friends who compare their days. */
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
  // A link to a group brings its code in the address.
  const [code, setCode] = useState(() => invitationOf(location.hash));
  const [failure, setFailure] = useState<string | null>(null);
  const apply = (request: Promise<Today>): void =>
    void request.then(
      (today) => {
        setName("");
        setCode("");
        setFailure(null);
        history.replaceState(null, "", location.pathname);
        onChange(today);
      },
      (error: ApiError) => setFailure(error.message),
    );
  return (
    <Section icon="people" title={translate("page.daily.groups")}>
      <p>{translate("page.daily.groups.why")}</p>
      {failure !== null && (
        <p class="notice" role="alert">
          {failure}
        </p>
      )}
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
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          apply(joinGroup(code));
        }}
      >
        <input
          type="text"
          value={code}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-label={translate("page.daily.groups.code")}
          placeholder={translate("page.daily.groups.code")}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={code.trim() === ""}>
          {translate("page.daily.groups.join")}
        </button>
      </form>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          apply(createGroup(name));
        }}
      >
        <input
          type="text"
          value={name}
          maxLength={24}
          aria-label={translate("page.daily.groups.name")}
          placeholder={translate("page.daily.groups.name")}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={name.trim() === ""}>
          <Icon name="plus" /> {translate("page.daily.groups.make")}
        </button>
      </form>
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
        <strong>{group.name}</strong>
        <small>
          {translate("page.daily.groups.members", { count: group.members })} ·{" "}
          {`${group.code.slice(0, 4)} ${group.code.slice(4)}`.toUpperCase()}
        </small>
      </span>
      <button
        type="button"
        class="button small"
        onClick={() => void shareText(`${location.origin}/daily#${group.code}`).then(setShared)}
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
