import type { ComponentChildren, JSX } from "preact";
import { SITE } from "#backend";
import { fetchTranscript, transcriptAddress } from "../api";
import { serverPath } from "../base";
import { saveFile } from "../sharing";

/** Downloads the transcript; without a server it has no address. */
export function TranscriptLink({
  code,
  children,
}: {
  code: string;
  children: ComponentChildren;
}): JSX.Element {
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    saveFile(`fox-and-clover-${code}.txt`, await fetchTranscript(code));
  };
  return (
    <a
      class="button"
      href={serverPath(transcriptAddress(code))}
      download
      onClick={SITE ? (event) => void save(event) : undefined}
    >
      {children}
    </a>
  );
}
