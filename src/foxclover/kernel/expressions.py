"""Translate expressions of the kernel's subset of Python to C."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from foxclover.core.records import assign
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
                return self.tuple_value(node, [self.value(item) for item in node.elts])
            case ast.Call():
                return self.call(node)
            case _:
                raise self.refused(
                    node, f"{type(node).__name__} is not part of the subset: {ast.unparse(node)}"
                )

    def name(self, node: ast.AST, name: str) -> Value:
        """Translate a local variable or a constant of the module."""
        if name in self.locals:
            return self.locals[name]
        if name in self.assigned:
            raise self.refused(node, f"{name} is read above the line that first assigns it")
        try:
            value = self.translation.sources.look_up(self.function.module, name)
        except LookupError as error:
            raise self.refused(node, str(error)) from None
        return self.constant(node, value)

    def field(self, node: ast.Attribute) -> Value:
        """Translate a field of a record."""
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
            # The compiler must not cache it.
            code = f"__atomic_load_n(&{code}, __ATOMIC_SEQ_CST)"
        return Value(code, kind, owner.reads or isinstance(kind, Number), owner.writes)

    def element(self, node: ast.Subscript) -> Value:
        """Translate an element of a buffer or of a tuple."""
        if isinstance(node.slice, ast.Slice | ast.Tuple):
            raise self.refused(node, "a buffer is indexed by one number at a time")
        owner = self.value(node.value)
        index = self.whole(node.slice)
        if index.constant is not None and index.constant < 0:
            raise self.refused(node, "indices are never negative")
        if clash(owner, index):
            raise self.refused(
                node,
                "the index changes what it is applied to, or depends on it: give it a name first",
            )
        reads, writes = owner.reads or index.reads, owner.writes or index.writes
        if isinstance(owner.type, Tuple):
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
        """Translate a number of a tuple."""
        assert isinstance(owner.type, Tuple)
        items = owner.type.items
        if index.constant is None and not owner.type.alike:
            raise self.refused(node, "a tuple of different kinds is indexed by a constant")
        if index.constant is not None and index.constant >= len(items):
            raise self.refused(node, f"the tuple has only {len(items)} numbers")
        if owner.type.alike:
            code = f"{owner.code}.v[AT({index.code}, {len(items)}, {node.lineno})]"
            return replace(
                owner,
                code=code,
                type=items[0],
                reads=owner.reads or index.reads,
                writes=owner.writes or index.writes,
            )
        assert index.constant is not None
        return replace(owner, code=f"{owner.code}.v{index.constant}", type=items[index.constant])

    # -- arithmetic

    def whole(self, node: ast.expr) -> Value:
        """Translate an expression that must be an integer."""
        value = self.value(node)
        if value.type not in (INT, BOOL):
            raise self.refused(
                node, f"{ast.unparse(node)} must be an int, not {describe(value.type)}"
            )
        return value

    def unary(self, node: ast.UnaryOp) -> Value:
        """Translate a sign, a complement or a negation."""
        if isinstance(node.op, ast.Not):
            truth = self.truth(node.operand)
            return replace(truth, code=f"(!{truth.code})", constant=None)
        value = self.value(node.operand)
        kind = self.number(node, value)
        if isinstance(node.op, ast.Invert) and kind != INT:
            raise self.refused(node, "~ needs an int")
        sign, evaluate = SIGNS[type(node.op)]
        if value.constant is not None:
            return self.constant(node, evaluate(value.constant))
        return replace(value, code=f"({sign}({NUMBERS[kind]}){value.code})", type=kind)

    # -- conditions

    def truth(self, node: ast.expr) -> Value:
        """Translate a condition: a number is true unless it is zero."""
        if isinstance(node, ast.BoolOp):
            return self.both(node, as_condition=True)
        value = self.value(node)
        if value.type == BOOL:
            return value
        self.number(node, value)
        return replace(value, code=f"({value.code} != 0)", type=BOOL, constant=None)

    def both(self, node: ast.BoolOp, *, as_condition: bool = False) -> Value:
        """Translate and, or; of numbers only as a condition: as a value they are a number."""
        operands = [self.truth(operand) for operand in node.values]
        if not as_condition and any(not self.is_truth(operand) for operand in node.values):
            raise self.refused(
                node,
                "and/or of numbers is a condition, not a value: compare them or use a conditional "
                "expression",
            )
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return Value(
            f"({sign.join(operand.code for operand in operands)})",
            BOOL,
            any(operand.reads for operand in operands),
            any(operand.writes for operand in operands),
        )

    def is_truth(self, node: ast.expr) -> bool:
        """Return whether an expression is True or False, and no other number."""
        return (
            all(map(self.is_truth, node.values))
            if isinstance(node, ast.BoolOp)
            else self.value(node).type == BOOL
        )

    def choice(self, node: ast.IfExp) -> Value:
        """Translate a conditional expression."""
        test, first, second = self.truth(node.test), self.value(node.body), self.value(node.orelse)
        kind: Type = first.type
        if first.type != second.type:
            kind = self.common(node, (first, second))
            first, second = self.converted(node, first, kind), self.converted(node, second, kind)
        if first.length or second.length:
            raise self.refused(node, "a list given by the caller has one name only")
        operands = (test, first, second)
        return Value(
            f"({test.code} ? {first.code} : {second.code})",
            kind,
            any(operand.reads for operand in operands),
            any(operand.writes for operand in operands),
        )

    def comparison(self, node: ast.Compare) -> Value:
        """Translate comparisons; an operand between two of them is evaluated once."""
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

    def membership(self, node: ast.Compare, operator: ast.cmpop, right: ast.expr) -> Value:
        """Translate ``in`` and ``not in`` with a tuple of integers."""
        if not isinstance(right, ast.Tuple) or not right.elts:
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

    # -- calls

    def call(self, node: ast.Call) -> Value:
        """Translate a call of a kernel function, a builtin or a method of integers."""
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
        """Translate a call of a kernel function, specialised to its arguments."""
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
            given.append(
                self.converted(node, argument, kind)
                if isinstance(kind, Number)
                else replace(argument, type=kind)
            )
        name, result = self.translation.specialise(called, tuple(value.type for value in given))

        def join(codes: list[str]) -> str:
            lengths = (f", {value.length}" if value.length else "" for value in given)
            passed = (code + length for code, length in zip(codes, lengths, strict=True))
            return f"{name}({', '.join(passed)})"

        reads = any(not isinstance(value.type, Number | Tuple) for value in given)
        made = self.in_order(given, join, result, writes=self.translation.sources.writes(called))
        return replace(made, reads=made.reads or reads)

    def method(self, node: ast.Call, function: ast.Attribute) -> Value:
        """Translate ``x.bit_count()``."""
        if function.attr != "bit_count" or node.args:
            raise self.refused(node, f"{ast.unparse(node)}: the only method is bit_count()")
        value = self.whole(function.value)
        return replace(
            value, code=f"COUNT_BITS({value.code}, {node.lineno})", type=INT, constant=None
        )

    def copy_record(self, node: ast.Call, arguments: list[Value]) -> Value:
        """Translate ``assign(target, source)``."""
        if (
            len(arguments) != 2
            or not isinstance(arguments[0].type, Reference)
            or arguments[0].type != arguments[1].type
        ):
            raise self.refused(node, "assign copies a record to another of its kind")
        return replace(
            self.in_order(
                arguments,
                lambda codes: f"((void)(*{codes[0]} = *{codes[1]}))",
                Nothing(),
                writes=True,
            ),
            reads=True,
        )

    def mathematics(self, node: ast.Call, name: str, arguments: list[Value]) -> Value:
        """Translate a function of ``math``; the root of a single is a single."""
        value = self.only(node, arguments)
        line = node.lineno
        if self.number(node, value) == SINGLE and name == "sqrt":
            return replace(value, code=f"__builtin_sqrtf(ROOTED({value.code}, {line}))")
        checked = f"{DOMAINS[name]}({self.converted(node, value, FLOAT).code}, {line})"
        return replace(
            value,
            code=f"{'__builtin_sqrt' if name == 'sqrt' else name}({checked})",
            type=FLOAT,
            constant=None,
        )

    def extreme(self, node: ast.Call, arguments: list[Value]) -> Value:
        """Translate ``min`` or ``max`` of numbers."""
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

        return self.in_order(
            [self.converted(node, argument, kind) for argument in arguments], join, kind
        )

    def only(self, node: ast.Call, arguments: list[Value]) -> Value:
        """Return the only argument of a builtin."""
        if len(arguments) != 1:
            raise self.refused(
                node, f"{ast.unparse(node.func)} takes one argument, not {len(arguments)}"
            )
        return arguments[0]

    def absolute(self, node: ast.Call, arguments: list[Value]) -> Value:
        """Translate ``abs``."""
        value = self.only(node, arguments)
        codes = {
            INT: f"max_int({value.code}, -(int64_t){value.code})",
            FLOAT: f"__builtin_fabs({value.code})",
        }
        kind = self.number(node, value)
        if kind not in codes or value.writes:
            raise self.refused(node, "abs takes an int or a float that nothing changes")
        return replace(value, code=codes[kind], type=kind, constant=None)

    def to_int(self, node: ast.Call, arguments: list[Value]) -> Value:
        """Translate ``int``."""
        value = self.only(node, arguments)
        code = (
            value.code
            if self.number(node, value) == INT
            else f"AS_INT({value.code}, {node.lineno})"
        )
        return replace(value, code=f"((int64_t){code})", type=INT, constant=None)

    def to_float(self, node: ast.Call, arguments: list[Value]) -> Value:
        """Translate ``float``."""
        return self.converted(node, self.only(node, arguments), FLOAT)

    def to_bool(self, node: ast.Call, arguments: list[Value]) -> Value:
        """Translate ``bool``."""
        self.only(node, arguments)
        return self.truth(node.args[0])

    def size(self, node: ast.Call, arguments: list[Value]) -> Value:
        """Translate ``len`` of a buffer."""
        value = self.only(node, arguments)
        if not isinstance(value.type, Buffer) or value.writes:
            raise self.refused(
                node, "len is known of buffers, found without a call that changes something"
            )
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
