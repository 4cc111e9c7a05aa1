/**
 * Packs Pyodide and the needed parts of Python's standard library into `engine/`.
 *
 * Large files are compressed for hosts that compress nothing.
 * The library and the package are compiled, so that browsers start faster.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { loadPyodide, version } from "pyodide";

const HERE = dirname(fileURLToPath(import.meta.url));
const PYODIDE = join(HERE, "../node_modules/pyodide");
const SOURCES = join(HERE, "../../src");
const ENGINE = join(SOURCES, "foxclover/site/engine");

/** Modules and packages of the library that are not used in the browser. */
const LEFT_OUT =
  `_ios_support _osx_support _pydatetime _pydecimal _pyio _pyrepl argparse bdb cmd code compileall configparser cProfile csv ctypes
  dbm doctest email ensurepip filecmp fileinput ftplib getpass gettext graphlib html http imaplib mailbox mimetypes modulefinder multiprocessing netrc
  nturl2path optparse pdb pickletools plistlib poplib pprint profile pstats pty py_compile pyclbr pydoc pydoc_data rlcompleter runpy sched shelve shlex smtplib
  socketserver sqlite3 statistics stringprep symtable tabnanny tarfile timeit trace tracemalloc turtle unittest venv wave webbrowser wsgiref xml xmlrpc
  zipapp zoneinfo`.split(/\s+/);
/** The encodings that are used. */
const ENCODINGS = "__init__ aliases ascii cp437 latin_1 utf_8 utf_8_sig".split(" ");

const COMPILE = `
import importlib.util, io, zipfile
from _frozen_importlib_external import _code_to_hash_pyc

def wanted(name):
    top = name.split("/")[0].removesuffix(".py")
    return name.endswith(".py") and top not in left_out and (top != "encodings" or name.split("/")[1].removesuffix(".py") in encodings)

def compiled(source, name):
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), False))

made = io.BytesIO()
with zipfile.ZipFile("/stdlib.zip") as given, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    for name in sorted(filter(wanted, given.namelist())):
        packed.writestr(zipfile.ZipInfo(name + "c"), compiled(given.read(name), name), zipfile.ZIP_DEFLATED, 9)
made.getvalue()
`;

const COMPILE_OURS = `
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/sources")
from foxclover.site.bundle import compile_modules
compile_modules()
`;

rmSync(ENGINE, { recursive: true, force: true });
mkdirSync(ENGINE, { recursive: true });
// Tracebacks need lines but no columns.
const python = await loadPyodide({ env: { PYTHONNODEBUGRANGES: "1" } });
python.FS.writeFile("/stdlib.zip", readFileSync(join(PYODIDE, "python_stdlib.zip")));
python.globals.set("left_out", python.toPy(LEFT_OUT));
python.globals.set("encodings", python.toPy(ENCODINGS));
writeFileSync(join(ENGINE, "python_stdlib.zip"), python.runPython(COMPILE).toJs());
python.FS.mkdir("/sources");
python.mountNodeFS("/sources", SOURCES);
writeFileSync(join(ENGINE, "compiled.zip"), python.runPython(COMPILE_OURS).toJs());
for (const name of ["pyodide.asm.wasm", "pyodide.asm.mjs"]) {
  writeFileSync(
    join(ENGINE, `${name}.gz`),
    gzipSync(readFileSync(join(PYODIDE, name)), { level: 9 }),
  );
}
writeFileSync(join(ENGINE, "version.txt"), `${version}\n`);
