"""Keeps a package from being built without the page, which is not tracked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):
    """Asked by hatchling before it builds."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling passes it
        """Refuse to build a package without the page.

        A clone that only runs in place may come without.
        """
        built = ("web/index.html", "site/page/index.html", "site/engine/python_stdlib.zip")
        if version != "editable" and not all(
            (Path(self.root) / "src/foxclover" / file).exists() for file in built
        ):
            raise RuntimeError(
                "the page is not built yet, so the package would lack it: "
                "run ./play --version once, which builds it"
            )
