"""The dashboard and the alert rules ask for metrics that the server has."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from foxclover.server.errors import Reason
from foxclover.server.limits.rate_limits import Limits
from tables import ME, real_server

EXAMPLES = Path(__file__).parents[2] / "docs" / "server"
OF_PROMETHEUS = {"up"}
LANGUAGE = {"sum", "min", "by", "le", "rate", "increase", "histogram_quantile", "or", "reason"}
WORD = re.compile(r"[a-zA-Z_]\w*")


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((EXAMPLES / "alerts.yml").read_text())["groups"]
    return list(group["rules"])


def dashboard() -> dict[str, Any]:
    found = json.loads((EXAMPLES / "grafana.json").read_text())
    assert isinstance(found, dict)
    return found


def queries() -> list[str]:
    shown = [one["expr"] for panel in dashboard()["panels"] for one in panel["targets"]]
    return shown + [rule["expr"] for rule in rules()]


def metrics_in(query: str) -> set[str]:
    """Return the names of metrics in a query."""
    bare = re.sub(r"\{[^}]*\}|\[[^]]*\]", "", query)
    return set(WORD.findall(bare)) - LANGUAGE


def test_every_query_asks_for_a_metric_of_the_server(tmp_path: Path) -> None:
    with real_server(tmp_path) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada:
            ada.play()
        server.client.get("/api/tables/zzzzzz")
        answer = server.client.get("/metrics")
    exported = set(re.findall(r"^(\w+)(?:\{| )", answer.text, re.MULTILINE))
    assert "foxclover_refusals_total" in exported
    asked = set().union(*map(metrics_in, queries()))
    assert asked - OF_PROMETHEUS <= exported
    own = {name for name in exported if name.startswith("foxclover_")}
    unused = {re.sub(r"_(bucket|count|sum)$", "", name) for name in own - asked}
    shown = {re.sub(r"_(bucket|count|sum)$", "", name) for name in asked}
    assert unused - shown <= {"foxclover_process_id"}, "every metric is on the dashboard"


def test_every_reason_and_limit_in_a_rule_exists() -> None:
    texts = [rule["expr"] for rule in rules()]
    named = [name for text in texts for match in re.findall(r'reason=~?"([^"]*)"', text)
             for name in match.split("|")]  # fmt: skip
    assert len(named) >= 5
    assert set(named) <= set(get_args(Reason))
    (most,) = re.findall(r"foxclover_connections > (\d+)", " ".join(texts))
    assert int(most) == Limits().connections * 0.9
    assert f"{Limits().connections:,} a process" in (EXAMPLES / "alerts.yml").read_text()


def test_every_rule_has_a_name_a_severity_and_a_sentence() -> None:
    assert len({rule["alert"] for rule in rules()}) == len(rules())
    for rule in rules():
        assert rule["alert"].startswith("Foxclover")
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"]["summary"].endswith((".", ")."))


def test_the_panels_of_the_dashboard_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in dashboard()["panels"]:
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken
        taken |= cells
    assert max(x for x, _ in taken) == 23


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_prometheus_reads_the_rules() -> None:
    done = subprocess.run(
        ["promtool", "check", "rules", str(EXAMPLES / "alerts.yml")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
