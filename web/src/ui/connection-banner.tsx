import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../art/icons";
import type { TableState } from "../table-state";
import { translate } from "../translate";

/** Says that the connection is lost, as long as it is, and to screen readers that it is back. */
export function ConnectionBanner({ link }: { link: TableState["link"] }): JSX.Element {
  const [wasLost, setWasLost] = useState(false);
  useEffect(() => {
    if (link === "lost") {
      setWasLost(true);
    }
  }, [link]);
  return (
    <>
      {link !== "open" && (
        <p class="offline" role="alert">
          <Icon name="wifi" /> {translate("page.reconnecting")}
        </p>
      )}
      <p class="sr" role="status">
        {wasLost && link === "open" && translate("page.reconnected")}
      </p>
    </>
  );
}
