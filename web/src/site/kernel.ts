/** Runs the kernel in the browser's WebAssembly, for `foxclover/kernel/javascript.py`. */

const PAGE = 1 << 16;

type Entry = (...words: (number | bigint)[]) => number | bigint | undefined;

/** An instance of the kernel with its own memory. */
class Instance {
  readonly #memory: WebAssembly.Memory;
  readonly #exports: WebAssembly.Exports;
  readonly heapBase: number;

  constructor(module: WebAssembly.Module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports;
    this.#memory = this.#exports["memory"] as WebAssembly.Memory;
    this.heapBase = Number((this.#exports["__heap_base"] as WebAssembly.Global).value);
  }

  /** Return bytes of the memory; valid until `reserve` is called. */
  view(start: number, size: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, start, size);
  }

  /** Grow the memory to at least `end` bytes. */
  reserve(end: number): void {
    const missing = Math.ceil((end - this.#memory.buffer.byteLength) / PAGE);
    if (missing > 0) {
      this.#memory.grow(missing);
    }
  }

  /** Call a function with addresses (`a`), integers (`i`) and floats (`f`). */
  call(
    entry: string,
    kinds: string,
    words: readonly (number | bigint | boolean)[],
  ): number | bigint | undefined {
    return (this.#exports[entry] as Entry)(
      ...words.map((word, at) => (kinds[at] === "i" ? BigInt(word) : Number(word))),
    );
  }
}

export function compileKernel(bytes: Uint8Array<ArrayBuffer>): { instance: () => Instance } {
  const module = new WebAssembly.Module(bytes);
  return { instance: () => new Instance(module) };
}
