"""Nets for other programs: ONNX or safetensors, each with a model card in English."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover import __version__
from foxclover.ai.families import NetGraph, family_of
from foxclover.ai.nets import net_of, net_path, read_accuracy
from foxclover.core.game import Game

if TYPE_CHECKING:
    from foxclover.ai.nets import Net

OPSET, IR = 17, 8  # of ONNX: since 2022, so that older runtimes read it too
FORMATS = ("onnx", "safetensors")


def describe(game: Game) -> dict[str, str]:
    """Return what identifies the net of a game, for the metadata of a file."""
    digest = hashlib.sha256(net_path(game).read_bytes()).hexdigest()
    return {
        "game": game.key,
        "inputs_version": str(family_of(game).INPUTS),
        "net_sha256": digest,
        "foxclover": __version__,
    }


def export(game: Game, kind: str, path: Path) -> NetGraph:
    """Write the net of a game in a format; raise ``NetError`` or ``ModuleNotFoundError``."""
    net = net_of(game)
    found = family_of(game).graph(game, net)
    writer = {"onnx": _to_onnx, "safetensors": _to_safetensors}[kind]
    path.write_bytes(writer(game, net, found))
    return found


def _to_safetensors(game: Game, net: Net, _: NetGraph) -> bytes:
    from safetensors.numpy import save

    return bytes(save(dict(net), describe(game)))


def _to_onnx(game: Game, _: Net, graph: NetGraph) -> bytes:
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    width = len(list(family_of(game).name_inputs(game)))
    inputs = [helper.make_tensor_value_info("inputs", TensorProto.FLOAT, ["batch", width])]
    if graph.kinds:
        inputs.append(helper.make_tensor_value_info("kind", TensorProto.INT64, ["batch"]))
    used = {name for node in graph.nodes for name in node.inputs}
    made = helper.make_graph(
        [
            helper.make_node(node.operation, node.inputs, [node.output], **node.attributes)
            for node in graph.nodes
        ],
        game.key,
        inputs,
        [helper.make_tensor_value_info("points", TensorProto.FLOAT, ["batch"])],
        [
            numpy_helper.from_array(values, name)
            for name, values in graph.arrays.items()
            if name in used
        ],
        graph.rates,
    )
    model = helper.make_model(
        made,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR,
        producer_name="foxclover",
        producer_version=__version__,
    )
    helper.set_model_props(model, describe(game))
    onnx.checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString())


def card(game: Game, path: Path, graph: NetGraph, strength: Mapping[str, Any]) -> str:
    """Return the model card of an exported net, with the strength just measured."""
    facts = "\n".join(f"| {name} | {value} |" for name, value in describe(game).items())
    return f"""# {path.name}: the value net of {game.name}

| what | value |
| -- | -- |
{facts}

## What it computes

{graph.rates}
{_bias(game)}

## How to use it

{_usage(game, path, graph)}

## Inputs

{graph.units}
`foxclover.envs.features("{game.key}", players, "inputs")` names them too, behind the features that
all seats share, and environments with `observation="inputs"` return them.

| index | name | least | most |
| -- | -- | -- | -- |
{_table(game)}

## Training

{graph.learnt}
The page {graph.page} of Fox & Clover says more. A net of your own may have learnt otherwise.

## Strength

Solo, the player `net` makes {strength["mean"]:.1f} ± {strength["se"]:.1f} points (mean and standard
error of {strength["games"]:,} games, measured at the export):

    foxclover simulate {game.key} --agent net --games {strength["games"]} --seed {strength["seed"]}

That player does more than ask the net once: it follows each move up to the next roll.
"""


def _bias(game: Game) -> str:
    """Return the value bias as text: points that the net expects too little."""
    points = read_accuracy(net_path(game)).value_bias
    if not points:
        return "No correction of its values is recorded."
    listed = ", ".join(f"{left}: {value:+.2f}" for left, value in enumerate(points))
    return f"\nPoints to add, by the turns that the player has left: {listed}."


def _table(game: Game) -> str:
    return "\n".join(
        f"| {index} | {feature.name} | {feature.least} | {feature.most} |"
        for index, feature in enumerate(family_of(game).name_inputs(game))
    )


def _usage(game: Game, path: Path, graph: NetGraph) -> str:
    """Return what the file contains, and how to run it."""
    if path.suffix == ".onnx":
        feed, note = '{"inputs": inputs}', ""
        if graph.kinds:
            feed, note = '{"inputs": inputs, "kind": kind}', f"\n{graph.kinds}\n"
        return f"""`inputs` is float32, a row for each position. `points` is a number for each.
{note}
    import onnxruntime
    net = onnxruntime.InferenceSession("{path.name}")
    (points,) = net.run(["points"], {feed})"""
    arrays = "\n".join(
        f"| `{name}` | {' × '.join(map(str, shape))} |"
        for name, shape in family_of(game).shapes(game).items()
    )
    return f"""The file contains the weights as float32. `foxclover export-net` writes ONNX too,
which contains the operations.

| array | shape |
| -- | -- |
{arrays}"""
