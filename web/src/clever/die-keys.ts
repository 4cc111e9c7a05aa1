/**
 * Shortcut keys of the dice: the first letter of their colour in the language of the page, or the
 * next free one. Pure.
 */

/** Used for roll, undo and hint. */
const RESERVED = ["r", "u", "h"];

export function dieKeys(names: readonly string[]): string[] {
  const used = new Set(RESERVED);
  const simplified = names.map((name) => name.toLowerCase().replace(/[^a-z]/g, ""));
  const letters = simplified.map((name) => takeLetter(name.slice(0, 1), used));
  return letters.map((letter, at) => letter || takeLetter(simplified[at] ?? "", used));
}

function takeLetter(candidates: string, used: Set<string>): string {
  const free = [...candidates].find((letter) => !used.has(letter)) ?? "";
  if (free !== "") {
    used.add(free);
  }
  return free;
}
