"""Keeps a package from being built without the page, which is not tracked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):
    """Asked by hatchling before it builds."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling passes it
        """Refuse to build a package without the page; a clone that only runs in place may come without."""
        if version != "editable" and not (Path(self.root) / "src/foxclover/web/index.html").exists():
            raise RuntimeError("the page is not built yet, so the package would lack it: run ./play --version once, which builds it")
