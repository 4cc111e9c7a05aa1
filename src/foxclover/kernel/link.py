"""The kernel's functions in CPython: generic ones bound to a family, as the translator binds them."""

from __future__ import annotations

import types
from functools import cache
from importlib import import_module

from foxclover.kernel.program import is_stand_in, is_stand_in_module, program


@cache
def link(family: str) -> types.SimpleNamespace:
    """All functions of a family's program, bound to each other, as one namespace."""
    names = {
        module: dict(vars(import_module(module)))
        for module in program(family).modules
        if not is_stand_in_module(module)
    }
    twins = {
        (module, value.__name__): types.FunctionType(value.__code__, bound, value.__name__)
        for module, bound in names.items()
        for value in bound.values()
        if isinstance(value, types.FunctionType) and value.__module__ == module
    }
    by_name = {name: twin for (_, name), twin in twins.items()}
    for bound in names.values():
        for key, value in bound.items():
            if isinstance(value, types.FunctionType):
                own = (
                    by_name.get(value.__name__)
                    if is_stand_in(value)
                    else twins.get((value.__module__, value.__name__))
                )
                bound[key] = own or value
    return types.SimpleNamespace(**by_name)
