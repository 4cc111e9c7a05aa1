"""Expressions of the kernel's subset as C, evaluated in Python's order."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from foxclover.kernel.sources import Function, Refused
from foxclover.kernel.types import (
    BOOL,
    FLOAT,
    INT,
    NUMBERS,
    SINGLE,
    Buffer,
    Nothing,
    Number,
    Reference,
    Several,
    Type,
    c_type,
    describe,
    element_type,
    field_type,
)
from foxclover.records import assign

if TYPE_CHECKING:
    from foxclover.kernel.translate import Translation

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
LARGEST = 1 << 63
EXACT_SINGLES = 1 << 24


@dataclass(frozen=True)
class Value:
    """An expression as C text. What ``reads`` or ``writes`` memory must not change places with what writes."""

    code: str
    type: Type
    reads: bool = False
    writes: bool = False
    length: str = ""  # of a buffer whose first length is known at run time only
    constant: int | None = None


def clash(first: Value, second: Value) -> bool:
    """Would the result depend on which of two expressions is evaluated first?"""
    return (first.writes and (second.reads or second.writes)) or (second.writes and first.reads)


class Expressions:
    """Translates the expressions of one function."""

    def __init__(self, translation: Translation, function: Function) -> None:
        self.translation = translation
        self.function = function
        self.locals: dict[str, Value] = {}
        self.temporaries = 0

    def refused(self, node: ast.AST, reason: str) -> Refused:
        """Why something is outside the subset, and where it stands."""
        return Refused(
            self.translation.sources.modules[self.function.module].file,
            getattr(node, "lineno", 0),
            reason,
        )

    def temporary(self) -> str:
        """A fresh name."""
        self.temporaries += 1
        return f"t{self.temporaries}"

    # -- all kinds of expressions ---------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Value:
        """Translate an expression."""
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return self.constant(node, number)
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.Attribute():
                return self.field(node)
            case ast.Subscript():
                return self.element(node)
            case ast.BinOp():
                return self.binary(node, self.value(node.left), node.op, self.value(node.right))
            case ast.UnaryOp():
                return self.unary(node)
            case ast.BoolOp():
                return self.both(node)
            case ast.IfExp():
                return self.choice(node)
            case ast.Compare():
                return self.comparison(node)
            case ast.Tuple():
                return self.several(node, [self.value(item) for item in node.elts])
            case ast.Call():
                return self.call(node)
            case _:
                raise self.refused(
                    node, f"{type(node).__name__} is not part of the subset: {ast.unparse(node)}"
                )

    def constant(self, node: ast.AST, value: Any) -> Value:
        """A number that is known when the kernel is built."""
        match value:
            case bool():
                return Value(str(int(value)), BOOL, constant=int(value))
            case int():
                if not -LARGEST < value < LARGEST:
                    raise self.refused(node, f"{value} does not fit into 64 bits")
                return Value(f"({value}LL)" if value < 0 else f"{value}LL", INT, constant=value)
            case float():
                if math.isinf(value) or math.isnan(value):
                    raise self.refused(node, f"{value} is not part of the subset")
                return Value(f"({value!r})" if value < 0 else repr(value), FLOAT)
            case tuple():
                return self.several(node, [self.constant(node, item) for item in value])
            case _:
                raise self.refused(node, f"a {type(value).__name__} cannot be a value here")

    def name(self, node: ast.AST, name: str) -> Value:
        """A local variable or a constant of the module."""
        if name in self.locals:
            return self.locals[name]
        try:
            value = self.translation.sources.look_up(self.function.module, name)
        except LookupError as error:
            raise self.refused(node, str(error)) from None
        return self.constant(node, value)

    def field(self, node: ast.Attribute) -> Value:
        """A field of a record."""
        owner = self.value(node.value)
        if not isinstance(owner.type, Reference):
            raise self.refused(
                node, f"{ast.unparse(node.value)} is no record but {describe(owner.type)}"
            )
        shape = owner.type.record.shapes.get(node.attr)
        if shape is None:
            raise self.refused(node, f"{owner.type.record.__name__} has no field {node.attr}")
        kind = field_type(shape)
        code = f"{owner.code}->f_{node.attr}"
        if isinstance(kind, Reference):
            return Value(f"(&{code})", kind, owner.reads, owner.writes)
        if shape.shared:
            code = f"__atomic_load_n(&{code}, __ATOMIC_SEQ_CST)"  # nobody may think that it cannot have changed
        return Value(code, kind, owner.reads or isinstance(kind, Number), owner.writes)

    def element(self, node: ast.Subscript) -> Value:
        """An element of a buffer or of a tuple."""
        if isinstance(node.slice, ast.Slice | ast.Tuple):
            raise self.refused(node, "a buffer is indexed by one number at a time")
        owner = self.value(node.value)
        index = self.whole(node.slice)
        if index.constant is not None and index.constant < 0:
            raise self.refused(node, "indices are never negative")
        reads, writes = owner.reads or index.reads, owner.writes or index.writes
        if isinstance(owner.type, Several):
            return self.item(node, owner, index)
        if not isinstance(owner.type, Buffer):
            raise self.refused(
                node, f"{ast.unparse(node.value)} cannot be indexed: it is {describe(owner.type)}"
            )
        kind = element_type(owner.type)
        length = owner.length if owner.type.lengths[0] is None else owner.type.lengths[0]
        at = f"AT({index.code}, {length}, {node.lineno})"
        match kind:
            case Buffer(_, lengths):
                return Value(
                    f"({owner.code} + {at} * {math.prod(n or 0 for n in lengths)})",
                    kind,
                    reads,
                    writes,
                )
            case Reference():
                return Value(f"({owner.code} + {at})", kind, reads, writes)
        return Value(f"{owner.code}[{at}]", kind, True, writes)

    def item(self, node: ast.Subscript, owner: Value, index: Value) -> Value:
        """A number of a tuple."""
        assert isinstance(owner.type, Several)
        items = owner.type.items
        if index.constant is None and not owner.type.alike:
            raise self.refused(node, "a tuple of different kinds is indexed by a constant")
        if index.constant is not None and index.constant >= len(items):
            raise self.refused(node, f"the tuple has only {len(items)} numbers")
        if owner.type.alike:
            code = f"{owner.code}.v[AT({index.code}, {len(items)}, {node.lineno})]"
            return replace(owner, code=code, type=items[0], reads=owner.reads or index.reads)
        assert index.constant is not None
        return replace(owner, code=f"{owner.code}.v{index.constant}", type=items[index.constant])

    def several(self, node: ast.AST, values: list[Value]) -> Value:
        """A tuple of numbers."""
        kinds = []
        for value in values:
            if not isinstance(value.type, Number):
                raise self.refused(node, f"a tuple holds numbers, not {describe(value.type)}")
            kinds.append(INT if value.type == BOOL else value.type)
        kind = Several(tuple(kinds))
        self.translation.need(kind)
        return self.in_order(
            values,
            lambda codes: (
                f"({c_type(kind)}){{{'{' + ', '.join(codes) + '}' if kind.alike else ', '.join(codes)}}}"
            ),
            kind,
        )

    # -- order of evaluation --------------------------------------------------------------------------------------------------

    def in_order(
        self,
        values: Sequence[Value],
        join: Callable[[list[str]], str],
        kind: Type,
        *,
        writes: bool = False,
    ) -> Value:
        """Join operands, evaluated from left to right; C may choose any order where that makes no difference."""
        reads = any(value.reads for value in values)
        wrote = any(value.writes for value in values)
        codes = [value.code for value in values]
        if any(clash(one, other) for n, one in enumerate(values) for other in values[n + 1 :]):
            steps = []
            for n, value in enumerate(values):
                codes[n] = self.temporary()
                steps.append(f"{c_type(value.type)} {codes[n]} = {value.code};")
            return Value(f"({{ {' '.join(steps)} {join(codes)}; }})", kind, reads, wrote or writes)
        return Value(join(codes), kind, reads, wrote or writes)

    # -- arithmetic -----------------------------------------------------------------------------------------------------------

    def whole(self, node: ast.expr) -> Value:
        """An expression that must be an integer."""
        value = self.value(node)
        if value.type not in (INT, BOOL):
            raise self.refused(
                node, f"{ast.unparse(node)} must be an int, not {describe(value.type)}"
            )
        return value

    def number(self, node: ast.AST, value: Value) -> Number:
        """The kind of a number; a truth value counts as an integer."""
        if not isinstance(value.type, Number):
            raise self.refused(node, f"a number is needed, not {describe(value.type)}")
        return INT if value.type == BOOL else value.type

    def common(self, node: ast.AST, values: Sequence[Value]) -> Number:
        """The kind in which numbers meet: singles stay single among themselves, an int and a single meet as floats."""
        kinds = {self.number(node, value) for value in values}
        return kinds.pop() if len(kinds) == 1 else FLOAT

    def converted(self, value: Value, kind: Number) -> Value:
        """A number as another kind."""
        own = INT if value.type == BOOL else value.type
        if own == kind:
            return value
        return replace(value, code=f"({NUMBERS[kind]}){value.code}", type=kind, constant=None)

    def binary(self, node: ast.AST, left: Value, operator: ast.operator, right: Value) -> Value:
        """Two numbers joined by an operator."""
        kind = self.common(node, (left, right))
        line = getattr(node, "lineno", 0)
        if isinstance(operator, ast.Div) and kind == INT:
            kind = FLOAT
        if kind != INT and isinstance(operator, (*BITWISE, ast.FloorDiv, ast.Mod, ast.Pow)):
            raise self.refused(node, f"{type(operator).__name__} needs two ints in the kernel")
        formats = {
            ast.FloorDiv: "floor_div({}, {})",
            ast.Mod: "floor_mod({}, {})",
            ast.Pow: "power({}, {})",
            ast.Div: "({} / {})",
            ast.LShift: f"SHIFT_LEFT({{}}, {{}}, {line})",
            ast.RShift: f"SHIFT_RIGHT({{}}, {{}}, {line})",
        }
        if type(operator) in OPERATORS:
            text = f"({{}} {OPERATORS[type(operator)]} {{}})"
        elif type(operator) in formats:
            text = formats[type(operator)]
        else:
            raise self.refused(node, f"{type(operator).__name__} is not part of the subset")
        operands = [self.converted(left, kind), self.converted(right, kind)]
        return self.in_order(operands, lambda codes: text.format(*codes), kind)

    def unary(self, node: ast.UnaryOp) -> Value:
        """A sign, a complement or a negation."""
        if isinstance(node.op, ast.Not):
            return replace(
                self.truth(node.operand), code=f"(!{self.truth(node.operand).code})", constant=None
            )
        value = self.value(node.operand)
        kind = self.number(node, value)
        if value.constant is not None:
            return self.constant(
                node, -value.constant if isinstance(node.op, ast.USub) else ~value.constant
            )
        if isinstance(node.op, ast.Invert) and kind != INT:
            raise self.refused(node, "~ needs an int")
        sign = {ast.USub: "-", ast.Invert: "~", ast.UAdd: "+"}[type(node.op)]
        return replace(value, code=f"({sign}{value.code})", type=kind)

    # -- conditions -----------------------------------------------------------------------------------------------------------

    def truth(self, node: ast.expr) -> Value:
        """An expression as a condition: a number is true unless it is zero."""
        if isinstance(node, ast.BoolOp):
            return self.both(node, as_condition=True)
        value = self.value(node)
        if value.type == BOOL:
            return value
        self.number(node, value)
        return replace(value, code=f"({value.code} != 0)", type=BOOL, constant=None)

    def both(self, node: ast.BoolOp, *, as_condition: bool = False) -> Value:
        """And, or: of numbers only as a condition, for as a value they are one of the numbers."""
        operands = [self.truth(operand) for operand in node.values]
        if not as_condition and any(not self.is_truth(operand) for operand in node.values):
            raise self.refused(
                node,
                "and/or of numbers is a condition, not a value: compare them or use a conditional expression",
            )
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return Value(
            f"({sign.join(operand.code for operand in operands)})",
            BOOL,
            any(operand.reads for operand in operands),
            any(operand.writes for operand in operands),
        )

    def is_truth(self, node: ast.expr) -> bool:
        """Is an expression True or False, and no other number?"""
        return isinstance(node, ast.BoolOp) or self.value(node).type == BOOL

    def choice(self, node: ast.IfExp) -> Value:
        """One of two values."""
        test, first, second = self.truth(node.test), self.value(node.body), self.value(node.orelse)
        kind: Type = first.type
        if first.type != second.type:
            kind = self.common(node, (first, second))
            first, second = self.converted(first, kind), self.converted(second, kind)
        operands = (test, first, second)
        return Value(
            f"({test.code} ? {first.code} : {second.code})",
            kind,
            any(operand.reads for operand in operands),
            any(operand.writes for operand in operands),
        )

    def comparison(self, node: ast.Compare) -> Value:
        """One or several comparisons; an operand between two of them is evaluated once."""
        if len(node.ops) == 1:
            operator, right = node.ops[0], node.comparators[0]
            if isinstance(operator, ast.In | ast.NotIn):
                return self.membership(node, operator, right)
            return self.compare(node, self.value(node.left), operator, self.value(right))
        operands = [self.value(operand) for operand in (node.left, *node.comparators)]
        if any(operand.writes for operand in operands):
            raise self.refused(
                node, "a call that changes something cannot stand in a chain of comparisons"
            )
        tests = [
            self.compare(node, *trio)
            for trio in zip(operands, node.ops, operands[1:], strict=False)
        ]
        return Value(
            f"({' && '.join(test.code for test in tests)})",
            BOOL,
            any(operand.reads for operand in operands),
        )

    def compare(self, node: ast.AST, left: Value, operator: ast.cmpop, right: Value) -> Value:
        """Two numbers compared; a single and a whole number meet as singles if that is exact."""
        if type(operator) not in COMPARISONS:
            raise self.refused(node, f"{type(operator).__name__} is not part of the subset")
        kind = self.common(node, (left, right))
        for one, other in ((left, right), (right, left)):
            if (
                one.type == SINGLE
                and other.constant is not None
                and abs(other.constant) < EXACT_SINGLES
            ):
                kind = SINGLE
        operands = [self.converted(left, kind), self.converted(right, kind)]
        return self.in_order(
            operands, lambda codes: f"({codes[0]} {COMPARISONS[type(operator)]} {codes[1]})", BOOL
        )

    def membership(self, node: ast.Compare, operator: ast.cmpop, right: ast.expr) -> Value:
        """Is an integer one of a few?"""
        if not isinstance(right, ast.Tuple):
            raise self.refused(node, "membership is tested in a tuple written out")
        left = self.whole(node.left)
        items = [self.whole(item) for item in right.elts]
        if any(item.reads or item.writes for item in items):
            raise self.refused(node, "membership is tested among constants and variables")
        name = self.temporary()
        found = " || ".join(f"{name} == {item.code}" for item in items)
        sign = "!" if isinstance(operator, ast.NotIn) else ""
        return Value(
            f"({{ int64_t {name} = {left.code}; {sign}({found}); }})", BOOL, left.reads, left.writes
        )

    # -- calls ----------------------------------------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> Value:
        """A call of a kernel function, of a builtin one or of a method of integers."""
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self.refused(node, "arguments are given by position")
        if isinstance(node.func, ast.Attribute):
            return self.method(node, node.func)
        if not isinstance(node.func, ast.Name):
            raise self.refused(node, "only functions with a name are called")
        name = node.func.id
        arguments = [self.value(argument) for argument in node.args]
        if (
            name in BUILTINS
            and name not in self.translation.sources.modules[self.function.module].names
        ):
            return BUILTINS[name](self, node, arguments)
        try:
            called = self.translation.sources.look_up(self.function.module, name)
        except LookupError as error:
            raise self.refused(node, str(error)) from None
        if called is assign:
            return self.copy_record(node, arguments)
        if isinstance(called, str):
            return self.mathematics(node, called, arguments)
        if not isinstance(called, Function):
            raise self.refused(node, f"{name} is no function")
        return self.kernel_call(node, called, arguments)

    def kernel_call(self, node: ast.Call, called: Function, arguments: list[Value]) -> Value:
        """A call of another function of the kernel, specialised to these arguments."""
        parameters = called.tree.args.args
        if len(parameters) != len(arguments):
            raise self.refused(
                node, f"{called.tree.name} takes {len(parameters)} arguments, not {len(arguments)}"
            )
        given = []
        for parameter, argument in zip(parameters, arguments, strict=True):
            kind = self.translation.parameter_type(called, parameter, argument.type)
            if isinstance(kind, str):
                raise self.refused(node, f"{called.tree.name}: {kind}")
            given.append(replace(argument, type=kind))
        name, result = self.translation.specialise(called, tuple(value.type for value in given))

        def join(codes: list[str]) -> str:
            lengths = (f", {value.length}" if value.length else "" for value in given)
            return f"{name}({', '.join(code + length for code, length in zip(codes, lengths, strict=True))})"

        reads = any(not isinstance(value.type, Number | Several) for value in given)
        made = self.in_order(given, join, result, writes=self.translation.sources.writes(called))
        return replace(made, reads=made.reads or reads)

    def method(self, node: ast.Call, function: ast.Attribute) -> Value:
        """``x.bit_count()``."""
        if function.attr != "bit_count" or node.args:
            raise self.refused(node, f"{ast.unparse(node)}: the only method is bit_count()")
        value = self.whole(function.value)
        return replace(
            value, code=f"COUNT_BITS({value.code}, {node.lineno})", type=INT, constant=None
        )

    def copy_record(self, node: ast.Call, arguments: list[Value]) -> Value:
        """``assign(target, source)``."""
        target, source = arguments
        if not isinstance(target.type, Reference) or target.type != source.type:
            raise self.refused(node, "assign copies a record to another of its kind")
        return Value(f"(*{target.code} = *{source.code})", Nothing(), reads=True, writes=True)

    def mathematics(self, node: ast.Call, name: str, arguments: list[Value]) -> Value:
        """A function of ``math``; the root of a single is a single."""
        (value,) = arguments
        if self.number(node, value) == SINGLE and name == "sqrt":
            return replace(value, code=f"__builtin_sqrtf({value.code})")
        code = "__builtin_sqrt" if name == "sqrt" else name
        return replace(
            value, code=f"{code}({self.converted(value, FLOAT).code})", type=FLOAT, constant=None
        )

    def extreme(self, node: ast.Call, arguments: list[Value]) -> Value:
        """``min`` or ``max`` of numbers."""
        assert isinstance(node.func, ast.Name)
        if len(arguments) < 2:
            raise self.refused(node, f"{node.func.id} compares two or more numbers")
        kind = self.common(node, arguments)
        function = f"{node.func.id}_{kind.name}"

        def join(codes: list[str]) -> str:
            code = codes[0]
            for other in codes[1:]:
                code = f"{function}({code}, {other})"
            return code

        return self.in_order([self.converted(argument, kind) for argument in arguments], join, kind)

    def absolute(self, node: ast.Call, arguments: list[Value]) -> Value:
        """``abs``."""
        (value,) = arguments
        codes = {
            INT: f"max_int({value.code}, -({value.code}))",
            FLOAT: f"__builtin_fabs({value.code})",
        }
        kind = self.number(node, value)
        if kind not in codes or value.writes:
            raise self.refused(node, "abs takes an int or a float that nothing changes")
        return replace(value, code=codes[kind], type=kind, constant=None)

    def to_int(self, node: ast.Call, arguments: list[Value]) -> Value:
        """``int``."""
        (value,) = arguments
        self.number(node, value)
        return replace(value, code=f"((int64_t){value.code})", type=INT, constant=None)

    def to_float(self, node: ast.Call, arguments: list[Value]) -> Value:
        """``float``."""
        (value,) = arguments
        self.number(node, value)
        return replace(value, code=f"((double){value.code})", type=FLOAT, constant=None)

    def to_bool(self, node: ast.Call, _: list[Value]) -> Value:
        """``bool``."""
        return self.truth(node.args[0])

    def size(self, node: ast.Call, arguments: list[Value]) -> Value:
        """``len`` of a buffer."""
        (value,) = arguments
        if not isinstance(value.type, Buffer):
            raise self.refused(node, "len is known of buffers")
        length = value.type.lengths[0]
        return Value(value.length, INT) if length is None else self.constant(node, length)


BUILTINS: dict[str, Callable[[Expressions, ast.Call, list[Value]], Value]] = {
    "max": Expressions.extreme,
    "min": Expressions.extreme,
    "abs": Expressions.absolute,
    "int": Expressions.to_int,
    "float": Expressions.to_float,
    "bool": Expressions.to_bool,
    "len": Expressions.size,
}
