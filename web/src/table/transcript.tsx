import type { ComponentChildren, JSX } from "preact";
import { SITE } from "#backend";
import { fetchTranscript, transcriptAddress } from "../api";
import { saveFile } from "../sharing";

/** Lets the game so far be downloaded; without a server there is no address to download it from. */
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
      href={transcriptAddress(code)}
      download
      onClick={SITE ? (event) => void save(event) : undefined}
    >
      {children}
    </a>
  );
}
