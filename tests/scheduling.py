"""Which tests of ``./check`` run in one process: those that share something expensive to make.

The marker ``xdist_group`` of pytest-xdist 3.8 has no effect with pytest 9.
"""

from __future__ import annotations

import re

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

GROUPS = {
    "project": r"tests/test_project\.py",  # the syntax trees of all files
    "documentation": r"tests/(test_docs|browser/test_docs_site)\.py",  # a site built by Sphinx
    "site": r"tests/browser/test_site\.py",  # a folder with Pyodide
    "other browsers": r"tests/browser/test_other_browsers\.py",
    "cluster": r"tests/simulation/test_cluster\.py",  # nodes of Ray
    "admin": r"tests/server/test_admin\.py",  # servers of both stores
    "attacks": r"tests/server/test_attacks\.py.*attack_goes_on",
    "subset": r"tests/kernel/",  # kernels of the language's subset
    "clever edges": r"tests/ai/test_clever_edges\.py",  # kernels that check each index
    "climb edges": r"tests/ai/test_climb_edges\.py",
    "packaging": r"tests/packaging/test_clean_clone\.py",  # a clone, wheel and sdist
    "container": r"tests/server/test_container\.py",
}


class GroupScheduling(LoadScopeScheduling):
    """Sends the tests of a group to one worker, largest groups first, then one test at a time."""

    def _split_scope(self, nodeid: str) -> str:
        return next((name for name, tests in GROUPS.items() if re.match(tests, nodeid)), nodeid)

    def remove_node(self, node: WorkerController) -> str | None:
        """Hand on the tests that a process has not run, and return the one that it crashed in.

        pytest-xdist 3.8 also hands on the finished ones, and then waits for them forever.
        """
        units = self.assigned_work.pop(node)
        left = [(unit, test) for unit, tests in units.items() for test in tests if not tests[test]]
        if not left:
            return None
        (_, crashed), *others = left
        for unit, test in others:
            self.workqueue.setdefault(unit, {})[test] = False
        for other in self.assigned_work:
            self._reschedule(other)
        return crashed
