/** Runs a piece of Python as the page would, in Pyodide and with the kernel in JavaScript's WebAssembly, and prints the text it ends with. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "../../web/node_modules/pyodide/pyodide.mjs";
import { compileKernel } from "../../web/src/site/kernel.ts";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const python = await loadPyodide({ stdLibURL: join(ROOT, "src/foxclover/site/engine/python_stdlib.zip") });
python.registerJsModule("foxclover_host", { compile_kernel: compileKernel });
python.FS.mkdir("/clone");
python.mountNodeFS("/clone", ROOT);
python.runPython('import sys; sys.dont_write_bytecode = True; sys.path[:0] = ["/clone/src", "/clone/tests"]');
process.stdout.write(python.runPython(process.argv[2]));
