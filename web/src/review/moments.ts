/** The moments of a finished game, fetched in chunks and ahead. */
import { useEffect, useState } from "preact/hooks";
import type { Connection } from "../connection";
import { useObservable, useSelected } from "../observable";
import type { Moment } from "../protocol";
import { locale } from "../translate";

const CHUNK = 16;

export function useMoment(connection: Connection, at: number, last: number): Moment | null {
  const { language } = useObservable(locale);
  const link = useSelected(connection.table, (table) => table.link);
  const [moments, setMoments] = useState<ReadonlyMap<string, Moment>>(new Map());
  const [requested] = useState(() => new Set<string>());
  const [shown, setShown] = useState<Moment | null>(null);
  const missing = [at, Math.min(at + CHUNK / 2, last), Math.max(at - CHUNK / 2, 0)].find(
    (index) => !moments.has(`${language} ${index}`),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    const first = missing === undefined ? 0 : Math.floor(missing / CHUNK) * CHUNK;
    const chunk = `${language} ${first}`;
    if (missing === undefined || link !== "open" || requested.has(chunk)) {
      return;
    }
    requested.add(chunk);
    connection.ask({ type: "moments", first, count: CHUNK }).then(
      (answer) =>
        setMoments(
          (known) =>
            new Map([
              ...known,
              ...answer.moments.map((moment): [string, Moment] => [
                `${language} ${moment.at}`,
                moment,
              ]),
            ]),
        ),
      () => requested.delete(chunk),
    );
  }, [missing, language, link]);
  const found = moments.get(`${language} ${at}`) ?? null;
  useEffect(() => {
    if (found) {
      setShown(found);
    }
  }, [found]);
  return found ?? shown;
}
