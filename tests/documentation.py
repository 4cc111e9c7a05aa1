"""The documentation site, built once for all tests of a worker."""

from __future__ import annotations

import atexit
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
TOOL = ROOT / "tools" / "build_docs.py"


@cache
def built_site() -> Path:
    """Build the site; fail with its warnings."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    # a process of its own: Sphinx replaces modules that are imported here
    command = [sys.executable, TOOL, folder.name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Path(folder.name)
