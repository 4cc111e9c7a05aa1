"""Translate expressions of the kernel's subset of Python to C."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from foxclover.core.records import Shape, assign
from foxclover.kernel.program import Function
from foxclover.kernel.values import (
    BOOL,
    FLOAT,
    INT,
    NUMBERS,
    SINGLE,
    Arithmetic,
    Buffer,
    Nothing,
    Number,
    Reference,
    Tuple,
    Type,
    Value,
    clash,
    describe,
    element_type,
    field_type,
    joined_value,
)

if TYPE_CHECKING:
    from foxclover.kernel.translate import Translation

SIGNS: dict[type[ast.unaryop], tuple[str, Callable[[int], int]]] = {
    ast.UAdd: ("+", operator.pos),
    ast.USub: ("-", operator.neg),
    ast.Invert: ("~", operator.invert),
}
DOMAINS = {"sqrt": "ROOTED", "log": "LOGGED", "exp": "RAISED"}  # checks of the argument


class Expressions(Arithmetic):
    """Translate the expressions of one function."""

    def __init__(self, translation: Translation, function: Function) -> None:
        super().__init__(translation, function)
        self.locals: dict[str, Value] = {}
        self.assigned = {
            node.id
            for node in ast.walk(function.tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }

    # -- all kinds of expressions

    def value(self, node: ast.expr) -> Value:
        """Translate an expression."""
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return self._constant(node, number)
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.Attribute():
                return self._field(node)
            case ast.Subscript():
                return self._element(node)
            case ast.BinOp():
                return self._binary(node, self.value(node.left), node.op, self.value(node.right))
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BoolOp():
                return self._both(node)
            case ast.IfExp():
                return self._choice(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.Tuple():
                return self._tuple_value(node, [self.value(item) for item in node.elts])
            case ast.Call():
                return self._call(node)
            case _:
                raise self.refused(
                    node, f"{type(node).__name__} is not part of the subset: {ast.unparse(node)}"
                )

    def _name(self, node: ast.AST, name: str) -> Value:
        """Translate a local variable or a constant of the module."""
        if name in self.locals:
            return self.locals[name]
        read_too_early = f"{name} is read above the line that first assigns it"
        self.require(name not in self.assigned, node, read_too_early)
        return self._constant(node, self._look_up(node, name))

    def _look_up(self, node: ast.AST, name: str) -> Any:
        try:
            return self.translation.sources.look_up(self.function.module, name)
        except LookupError as error:
            raise self.refused(node, str(error)) from None

    def _shape_of(self, node: ast.Attribute, owner: Value) -> Shape:
        if not isinstance(owner.type, Reference):
            raise self.refused(
                node, f"{ast.unparse(node.value)} is no record but {describe(owner.type)}"
            )
        record = owner.type.record
        known = node.attr in record.shapes
        self.require(known, node, f"{record.__name__} has no field {node.attr}")
        return record.shapes[node.attr]

    def _field(self, node: ast.Attribute) -> Value:
        owner = self.value(node.value)
        shape = self._shape_of(node, owner)
        kind = field_type(shape)
        code = f"{owner.code}->f_{node.attr}"
        if isinstance(kind, Reference):
            return Value(f"(&{code})", kind, owner.reads, owner.writes)
        if shape.shared:
            # The compiler must not cache it.
            code = f"__atomic_load_n(&{code}, __ATOMIC_SEQ_CST)"
        return Value(code, kind, owner.reads or isinstance(kind, Number), owner.writes)

    def _element(self, node: ast.Subscript) -> Value:
        several = isinstance(node.slice, ast.Slice | ast.Tuple)
        self.require(not several, node, "a buffer is indexed by one number at a time")
        owner, index = self.value(node.value), self._whole(node.slice)
        self.require((index.constant or 0) >= 0, node, "indices are never negative")
        self.require(
            not clash(owner, index),
            node,
            "the index changes what it is applied to, or depends on it: give it a name first",
        )
        if isinstance(owner.type, Tuple):
            return self._item(node, owner, index)
        if not isinstance(owner.type, Buffer):
            raise self.refused(
                node, f"{ast.unparse(node.value)} cannot be indexed: it is {describe(owner.type)}"
            )
        kind = element_type(owner.type)
        length = owner.length if owner.type.lengths[0] is None else owner.type.lengths[0]
        at = f"AT({index.code}, {length}, {node.lineno})"
        if isinstance(kind, Number):
            return joined_value(f"{owner.code}[{at}]", kind, (owner, index), reads=True)
        width = math.prod(n or 0 for n in kind.lengths) if isinstance(kind, Buffer) else 0
        code = f"({owner.code} + {at} * {width})" if width else f"({owner.code} + {at})"
        return joined_value(code, kind, (owner, index))

    def _item(self, node: ast.Subscript, owner: Value, index: Value) -> Value:
        assert isinstance(owner.type, Tuple)
        items, chosen = owner.type.items, index.constant
        inside = chosen is None or chosen < len(items)
        self.require(inside, node, f"the tuple has only {len(items)} numbers")
        if owner.type.alike:
            code = f"{owner.code}.v[AT({index.code}, {len(items)}, {node.lineno})]"
            return joined_value(code, items[0], (owner, index))
        if chosen is None:
            raise self.refused(node, "a tuple of different kinds is indexed by a constant")
        return replace(owner, code=f"{owner.code}.v{chosen}", type=items[chosen])

    # -- arithmetic

    def _whole(self, node: ast.expr) -> Value:
        """Translate an expression that must be an integer."""
        value = self.value(node)
        if value.type not in (INT, BOOL):
            raise self.refused(
                node, f"{ast.unparse(node)} must be an int, not {describe(value.type)}"
            )
        return value

    def _unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            truth = self.truth(node.operand)
            return replace(truth, code=f"(!{truth.code})", constant=None)
        value = self.value(node.operand)
        kind = self._number(node, value)
        fits = kind == INT or not isinstance(node.op, ast.Invert)
        self.require(fits, node, "~ needs an int")
        sign, evaluate = SIGNS[type(node.op)]
        if value.constant is not None:
            return self._constant(node, evaluate(value.constant))
        return replace(value, code=f"({sign}({NUMBERS[kind]}){value.code})", type=kind)

    # -- conditions

    def truth(self, node: ast.expr) -> Value:
        """Translate a condition: a number is true unless it is zero."""
        if isinstance(node, ast.BoolOp):
            return self._both(node, as_condition=True)
        value = self.value(node)
        if value.type == BOOL:
            return value
        self._number(node, value)
        return replace(value, code=f"({value.code} != 0)", type=BOOL, constant=None)

    def _both(self, node: ast.BoolOp, *, as_condition: bool = False) -> Value:
        """Translate and, or; of numbers only as a condition: as a value they are a number."""
        operands = [self.truth(operand) for operand in node.values]
        self.require(
            as_condition or self._is_truth(node),
            node,
            "and/or of numbers is a condition, not a value: compare them or use a conditional "
            "expression",
        )
        sign = " && " if isinstance(node.op, ast.And) else " || "
        code = sign.join(operand.code for operand in operands)
        return joined_value(f"({code})", BOOL, operands)

    def _is_truth(self, node: ast.expr) -> bool:
        """Return whether an expression is True or False, and no other number."""
        return (
            all(map(self._is_truth, node.values))
            if isinstance(node, ast.BoolOp)
            else self.value(node).type == BOOL
        )

    def _choice(self, node: ast.IfExp) -> Value:
        test, first, second = self.truth(node.test), self.value(node.body), self.value(node.orelse)
        kind: Type = first.type
        if first.type != second.type:
            kind = self._common(node, (first, second))
            first, second = self._converted(node, first, kind), self._converted(node, second, kind)
        self._require_no_list(node, first, second)
        code = f"({test.code} ? {first.code} : {second.code})"
        return joined_value(code, kind, (test, first, second))

    def _require_no_list(self, node: ast.AST, *values: Value) -> None:
        """Refuse another name for a list whose length is passed beside it."""
        given = any(value.length for value in values)
        self.require(not given, node, "a list given by the caller has one name only")

    def _comparison(self, node: ast.Compare) -> Value:
        """Translate comparisons; an operand between two of them is evaluated once."""
        if len(node.ops) == 1:
            operator, right = node.ops[0], node.comparators[0]
            if isinstance(operator, ast.In | ast.NotIn):
                return self._membership(node, operator, right)
            return self._compare(node, self.value(node.left), operator, self.value(right))
        operands = [self.value(operand) for operand in (node.left, *node.comparators)]
        writes = any(operand.writes for operand in operands)
        self.require(
            not writes,
            node,
            "a call that changes something cannot be part of a chain of comparisons",
        )
        tests = [
            self._compare(node, *trio)
            for trio in zip(operands, node.ops, operands[1:], strict=False)
        ]
        return joined_value(f"({' && '.join(test.code for test in tests)})", BOOL, operands)

    def _membership(self, node: ast.Compare, operator: ast.cmpop, right: ast.expr) -> Value:
        """Translate ``in`` and ``not in`` with a tuple of integers."""
        if not isinstance(right, ast.Tuple) or not right.elts:
            raise self.refused(node, "membership is tested in a tuple written out")
        left = self._whole(node.left)
        items = [self._whole(item) for item in right.elts]
        fixed = not any(item.reads or item.writes for item in items)
        self.require(fixed, node, "membership is tested among constants and variables")
        name = self._temporary()
        found = " || ".join(f"{name} == {item.code}" for item in items)
        sign = "!" if isinstance(operator, ast.NotIn) else ""
        return Value(
            f"({{ int64_t {name} = {left.code}; {sign}({found}); }})", BOOL, left.reads, left.writes
        )

    # -- calls

    def _call(self, node: ast.Call) -> Value:
        """Translate a call of a kernel function, a builtin or a method of integers."""
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        self.require(not node.keywords and not starred, node, "arguments are given by position")
        if isinstance(node.func, ast.Attribute):
            return self._method(node, node.func)
        if not isinstance(node.func, ast.Name):
            raise self.refused(node, "only functions with a name are called")
        name = node.func.id
        arguments = [self.value(argument) for argument in node.args]
        if (
            name in BUILTINS
            and name not in self.translation.sources.modules[self.function.module].names
        ):
            return BUILTINS[name](self, node, arguments)
        called = self._look_up(node, name)
        if called is assign:
            return self._copy_record(node, arguments)
        if isinstance(called, str):
            return self._mathematics(node, called, arguments)
        if not isinstance(called, Function):
            raise self.refused(node, f"{name} is no function")
        return self._kernel_call(node, called, arguments)

    def _kernel_call(self, node: ast.Call, called: Function, arguments: list[Value]) -> Value:
        parameters = called.tree.args.args
        takes = f"{called.tree.name} takes {len(parameters)} arguments, not {len(arguments)}"
        self.require(len(parameters) == len(arguments), node, takes)
        given = []
        for parameter, argument in zip(parameters, arguments, strict=True):
            kind = self.translation.parameter_type(called, parameter, argument.type)
            if isinstance(kind, str):
                raise self.refused(node, f"{called.tree.name}: {kind}")
            given.append(
                self._converted(node, argument, kind)
                if isinstance(kind, Number)
                else replace(argument, type=kind)
            )
        name, result = self.translation.specialise(called, tuple(value.type for value in given))

        def join(codes: list[str]) -> str:
            lengths = (f", {value.length}" if value.length else "" for value in given)
            passed = (code + length for code, length in zip(codes, lengths, strict=True))
            return f"{name}({', '.join(passed)})"

        reads = any(not isinstance(value.type, Number | Tuple) for value in given)
        made = self._in_order(given, join, result, writes=self.translation.sources.writes(called))
        return replace(made, reads=made.reads or reads)

    def _method(self, node: ast.Call, function: ast.Attribute) -> Value:
        if function.attr != "bit_count" or node.args:
            raise self.refused(node, f"{ast.unparse(node)}: the only method is bit_count()")
        value = self._whole(function.value)
        return replace(
            value, code=f"COUNT_BITS({value.code}, {node.lineno})", type=INT, constant=None
        )

    def _copy_record(self, node: ast.Call, arguments: list[Value]) -> Value:
        if (
            len(arguments) != 2
            or not isinstance(arguments[0].type, Reference)
            or arguments[0].type != arguments[1].type
        ):
            raise self.refused(node, "assign copies a record to another of its kind")
        copied = self._in_order(
            arguments, lambda codes: f"((void)(*{codes[0]} = *{codes[1]}))", Nothing(), writes=True
        )
        return replace(copied, reads=True)

    def _mathematics(self, node: ast.Call, name: str, arguments: list[Value]) -> Value:
        """Translate a function of ``math``; the root of a single is a single."""
        value = self._only(node, arguments)
        if self._number(node, value) == SINGLE and name == "sqrt":
            return replace(value, code=f"__builtin_sqrtf(ROOTED({value.code}, {node.lineno}))")
        checked = f"{DOMAINS[name]}({self._converted(node, value, FLOAT).code}, {node.lineno})"
        return replace(
            value,
            code=f"{'__builtin_sqrt' if name == 'sqrt' else name}({checked})",
            type=FLOAT,
            constant=None,
        )

    def _extreme(self, node: ast.Call, arguments: list[Value]) -> Value:
        """Translate ``min`` or ``max`` of numbers."""
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        self.require(len(arguments) > 1, node, f"{name} compares two or more numbers")
        kind = self._common(node, arguments)
        operands = [self._converted(node, argument, kind) for argument in arguments]

        def join(codes: list[str]) -> str:
            return reduce(lambda code, other: f"{name}_{kind.name}({code}, {other})", codes)

        return self._in_order(operands, join, kind)

    def _only(self, node: ast.Call, arguments: list[Value]) -> Value:
        takes = f"{ast.unparse(node.func)} takes one argument, not {len(arguments)}"
        self.require(len(arguments) == 1, node, takes)
        return arguments[0]

    def _absolute(self, node: ast.Call, arguments: list[Value]) -> Value:
        value = self._only(node, arguments)
        codes = {
            INT: f"max_int({value.code}, -(int64_t){value.code})",
            FLOAT: f"__builtin_fabs({value.code})",
        }
        kind = self._number(node, value)
        fits = kind in codes and not value.writes
        self.require(fits, node, "abs takes an int or a float that nothing changes")
        return replace(value, code=codes[kind], type=kind, constant=None)

    def _to_int(self, node: ast.Call, arguments: list[Value]) -> Value:
        value = self._only(node, arguments)
        code = (
            value.code
            if self._number(node, value) == INT
            else f"AS_INT({value.code}, {node.lineno})"
        )
        return replace(value, code=f"((int64_t){code})", type=INT, constant=None)

    def _to_float(self, node: ast.Call, arguments: list[Value]) -> Value:
        return self._converted(node, self._only(node, arguments), FLOAT)

    def _to_bool(self, node: ast.Call, arguments: list[Value]) -> Value:
        self._only(node, arguments)
        return self.truth(node.args[0])

    def _size(self, node: ast.Call, arguments: list[Value]) -> Value:
        value = self._only(node, arguments)
        if not isinstance(value.type, Buffer) or value.writes:
            raise self.refused(
                node, "len is known of buffers, found without a call that changes something"
            )
        length = value.type.lengths[0]
        return Value(value.length, INT) if length is None else self._constant(node, length)


BUILTINS: dict[str, Callable[[Expressions, ast.Call, list[Value]], Value]] = {
    "max": Expressions._extreme,
    "min": Expressions._extreme,
    "abs": Expressions._absolute,
    "int": Expressions._to_int,
    "float": Expressions._to_float,
    "bool": Expressions._to_bool,
    "len": Expressions._size,
}
