/** The part of Pyodide that the worker uses. */
declare module "pyodide" {
  export const version: string;

  export interface Pyodide {
    registerJsModule(name: string, module: object): void;
    readonly FS: {
      mkdirTree(path: string): void;
      /** With `canOwn` the content is not copied. */
      writeFile(path: string, content: Uint8Array, options: { canOwn: boolean }): void;
    };
    runPython(code: string): unknown;
    /** The memory of Python, if it was started with `_makeSnapshot`. */
    makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
  }

  /** The WebAssembly module before Python starts in it. */
  export interface PyodideModule {
    readonly HEAP8: Int8Array;
    _malloc(size: number): number;
    _free(address: number): void;
  }

  export type CreateModule = (settings: object) => Promise<PyodideModule>;

  export interface SnapshotOptions {
    _makeSnapshot?: boolean;
    _loadSnapshot?: ArrayBuffer;
  }

  export function loadPyodide(
    options: SnapshotOptions & {
      indexURL: string;
      stdLibURL: string;
      packageBaseUrl: string;
      lockFileContents: object;
      createPyodideModule: CreateModule;
    },
  ): Promise<Pyodide>;
}
