/** The part of Pyodide that the worker uses. */
declare module "pyodide" {
  export const version: string;

  export interface Pyodide {
    registerJsModule(name: string, module: object): void;
    unpackArchive(content: ArrayBuffer, format: string, options: { extractDir: string }): void;
    runPython(code: string): unknown;
  }

  export function loadPyodide(options: {
    indexURL: string;
    stdLibURL: string;
    packageBaseUrl: string;
    lockFileContents: object;
    createPyodideModule: unknown;
  }): Promise<Pyodide>;
}
