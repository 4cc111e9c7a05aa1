/** The built kernel in this browser's own WebAssembly, for the Python beside it (`foxclover/kernel/javascript.py`). */

const PAGE = 1 << 16;

type Entry = (...words: (number | bigint)[]) => number | bigint | undefined;

/** One memory, and the functions that work on it. */
export class Instance {
  private readonly memory: WebAssembly.Memory;
  private readonly exports: WebAssembly.Exports;
  readonly heapBase: number;

  constructor(module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.memory = this.exports["memory"] as WebAssembly.Memory;
    this.heapBase = Number((this.exports["__heap_base"] as WebAssembly.Global).value);
  }

  /** Bytes of the memory; valid until more of it is reserved. */
  view(start: number, size: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, start, size);
  }

  /** Makes sure that the memory reaches so far. */
  reserve(end: number): void {
    const missing = Math.ceil((end - this.memory.buffer.byteLength) / PAGE);
    if (missing > 0) {
      this.memory.grow(missing);
    }
  }

  /** Calls a function with addresses (`a`), integers (`i`) and floats (`f`). */
  call(
    entry: string,
    kinds: string,
    words: readonly (number | bigint | boolean)[],
  ): number | bigint | undefined {
    return (this.exports[entry] as Entry)(
      ...words.map((word, at) => (kinds[at] === "i" ? BigInt(word) : Number(word))),
    );
  }
}

export function compileKernel(bytes: Uint8Array<ArrayBuffer>): { instance: () => Instance } {
  const module = new WebAssembly.Module(bytes);
  return { instance: () => new Instance(module) };
}
