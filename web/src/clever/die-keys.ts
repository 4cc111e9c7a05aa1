/** Letters by which dice are chosen: the first of their colour in the page's language, or the next one that is free. Pure. */

/** They roll, take back and give a hint. */
const TAKEN = ["r", "u", "h"];

export function dieKeys(names: readonly string[]): string[] {
  const used = new Set(TAKEN);
  const plain = names.map((name) => name.toLowerCase().replace(/[^a-z]/g, ""));
  const letters = plain.map((name) => claim(name.slice(0, 1), used));
  return letters.map((letter, at) => letter || claim(plain[at] ?? "", used));
}

function claim(wishes: string, used: Set<string>): string {
  const free = [...wishes].find((letter) => !used.has(letter)) ?? "";
  if (free !== "") {
    used.add(free);
  }
  return free;
}
