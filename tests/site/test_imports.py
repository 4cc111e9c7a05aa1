"""What runs in a browser imports nothing that a browser does not have."""

from __future__ import annotations

import subprocess
import sys

IMPORTING = """
import sys
sys.platform = "emscripten"
missing = {
    "asyncpg", "multiprocessing", "numpy", "orjson", "segno", "sqlite3", "starlette", "uvicorn",
    "uvloop", "wasmtime", "websockets",
}

class Browser:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in missing:
            raise ImportError(f"a browser has no {name}")

sys.meta_path.insert(0, Browser())
import foxclover.site.browser, foxclover.site.store
import foxclover.ai.agents, foxclover.games.clever.ai.players, foxclover.games.climb.ai.players
"""


def test_the_tables_and_players_of_a_browser_import_only_what_is_there() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
