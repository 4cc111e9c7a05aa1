"""Pack what ``foxclover build-site`` needs: built in a clone, or as an sdist contains it."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).resolve().parent
CLONE = HERE.parents[1]
FOLDERS = ("foxclover/site/page", "foxclover/site/engine")
HOOK = CLONE / "tools" / "build_page.py"


class SiteHook(BuildHookInterface):
    """Name the files of the package, after they were built."""

    def dependencies(self) -> list[str]:
        """Ask for Node where something has to be built."""
        return [] if self.is_packed else self.page_hook().dependencies()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the files in a clone, and include them."""
        if not self.is_packed:
            self.page_hook().initialize(version, build_data)
        root = HERE if self.is_packed else CLONE / "src"
        for folder in FOLDERS:
            build_data["force_include"][str(root / folder)] = folder

    @property
    def is_packed(self) -> bool:
        """Whether this is an unpacked sdist."""
        return (HERE / FOLDERS[1]).is_dir()

    def page_hook(self) -> Any:
        """Return the hook of the clone, which builds the part of the page that belongs here."""
        hook = runpy.run_path(str(HOOK))["PageHook"](
            str(CLONE), {}, self.build_config, self.metadata, self.directory, self.target_name
        )
        hook.script, hook.stamp = "build:site", "src/foxclover/site/engine/version.txt"
        hook.is_optional = False
        return hook
