"""The cluster that commands may share their work out over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.cli.errors import UserError
from foxclover.locale import Say

if TYPE_CHECKING:
    from foxclover.simulation.cluster import Cluster


def connect(address: str, say: Say) -> Cluster:
    """Connect with a Ray cluster, or say in one sentence why not."""
    from foxclover.simulation.cluster import Cluster, ClusterError

    try:
        return Cluster(address)
    except ClusterError as error:
        raise UserError(say("cli.error.cluster", problem=error)) from None
