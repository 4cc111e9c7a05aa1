import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { pages } from "#backend";
import { Home } from "./home/home";
import { memory } from "./memory";
import { useObservable } from "./observable";
import type { Route } from "./paths";
import { route } from "./route";
import { ErrorPage, TablePage } from "./table/page";
import { locale, translate } from "./translate";
import { BackendBar } from "./ui/backend-bar";
import { Lazy, LazyPage } from "./ui/lazy";
import { UpdateBar } from "./ui/update-bar";

export function App(): JSX.Element {
  const currentRoute = useObservable(route);
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (currentRoute.page === "home") {
      document.title = "Fox & Clover";
    }
  }, [currentRoute, language]);
  return (
    <>
      {pageOf(currentRoute)}
      <div class="notice-bars">
        <BackendBar />
        <UpdateBar />
      </div>
    </>
  );
}

function pageOf(currentRoute: Route): JSX.Element {
  if (
    currentRoute.page === "unknown" ||
    currentRoute.page === "me" ||
    currentRoute.page === "daily"
  ) {
    const load = currentRoute.page === "unknown" ? undefined : pages[currentRoute.page];
    return load ? (
      <LazyPage key={currentRoute.page} load={load} />
    ) : (
      <ErrorPage text={translate("page.nowhere")} />
    );
  }
  if (currentRoute.page === "transcript") {
    return (
      <Lazy
        load={async () => (await import("./review/open-transcript")).OpenTranscript}
        props={{}}
      />
    );
  }
  return currentRoute.page === "home" ? (
    <Home />
  ) : (
    <TablePage key={currentRoute.code} code={currentRoute.code} moment={currentRoute.moment} />
  );
}
