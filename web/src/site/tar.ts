/** Reads the files of a tar archive, as Python's `tarfile` writes them with short names. */

const BLOCK = 512;
const NAME_END = 100;
const SIZE = 124;
const SIZE_END = 136;

/** Return the path and the content of each file; the contents are views of the archive. */
export function* untar(archive: ArrayBuffer): Generator<[path: string, content: Uint8Array]> {
  const text = (from: number, to: number): string =>
    new TextDecoder().decode(new Uint8Array(archive, from, to - from)).replace(/\0.*/s, "");
  let at = 0;
  while (at + BLOCK <= archive.byteLength) {
    const path = text(at, at + NAME_END);
    if (path === "") {
      return; // the archive ends with empty blocks
    }
    const size = Number.parseInt(text(at + SIZE, at + SIZE_END), 8);
    yield [path, new Uint8Array(archive, at + BLOCK, size)];
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
}
