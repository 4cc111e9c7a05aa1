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
      createPyodideModule: unknown;
    },
  ): Promise<Pyodide>;
}
