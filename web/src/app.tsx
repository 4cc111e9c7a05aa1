import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { pages } from "#backend";
import { Home } from "./home/home";
import { LazyPage } from "./later";
import { memory } from "./memory";
import { useObservable } from "./observable";
import type { Route } from "./paths";
import { route } from "./route";
import { ErrorPage, TablePage } from "./table/page";
import { locale, translate } from "./translate";
import { BackendBar } from "./ui/backend-bar";
import { Lazy } from "./ui/lazy";
import { UpdateBar } from "./ui/update-bar";

export function App(): JSX.Element {
  const place = useObservable(route);
  const { language } = useObservable(locale);
  const { theme, motion } = useObservable(memory);
  useEffect(() => {
    document.documentElement.dataset["motion"] = motion ? "on" : "off";
  }, [motion]);
  useEffect(() => {
    if (theme === "auto") {
      delete document.documentElement.dataset["theme"];
    } else {
      document.documentElement.dataset["theme"] = theme;
    }
  }, [theme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    if (place.page === "home") {
      document.title = "Fox & Clover";
    }
  }, [place, language]);
  return (
    <>
      {shown(place)}
      <div class="bars">
        <BackendBar />
        <UpdateBar />
      </div>
    </>
  );
}

function shown(place: Route): JSX.Element {
  if (place.page === "nowhere" || place.page === "me" || place.page === "daily") {
    const load = place.page === "nowhere" ? undefined : pages[place.page];
    return load ? (
      <LazyPage key={place.page} load={load} />
    ) : (
      <ErrorPage text={translate("page.nowhere")} />
    );
  }
  if (place.page === "look") {
    return (
      <Lazy
        load={async () => (await import("./review/open-transcript")).OpenTranscript}
        props={{}}
      />
    );
  }
  return place.page === "home" ? (
    <Home />
  ) : (
    <TablePage key={place.code} code={place.code} moment={place.moment} />
  );
}
