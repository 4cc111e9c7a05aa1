"""Translate the kernel's subset of Python to C; ``docs/kernel.md`` describes the subset.

Every function is translated once for each combination of argument types. Annotations name numbers
and records. Records declare the width of numbers and the length of buffers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from foxclover.core.records import Record, Shape
from foxclover.kernel.expressions import Expressions
from foxclover.kernel.program import Function, Program, Sources, UnsupportedSyntax
from foxclover.kernel.values import (
    BOOL,
    FLOAT,
    INT,
    SINGLE,
    Buffer,
    Nothing,
    Number,
    Reference,
    Tuple,
    Type,
    Value,
    c_type,
    clash,
    describe,
    element_type,
    struct,
    tuple_struct,
)

NUMBERS = {"int": INT, "bool": BOOL, "float": FLOAT}
NARROW = {"i4": 1 << 31, "i2": 1 << 15, "i1": 1 << 7}
ENTRY_KINDS = {"int": "i8", "float": "f8"}  # of buffers that callers bring
# functions with a faster version in ``prelude.h``
VECTORISED = ("positive_bits", "differing_bits", "exchange_rows", "weigh_rows")


def translate(program: Program) -> str:
    """Return the kernel of a program as one C file."""
    translation = Translation(Sources(program))
    exports = [translation.export(name) for name in program.entries]
    prelude = (Path(__file__).parent / "prelude.h").read_text(encoding="utf-8")
    blocks = [prelude, *translation.structs, *translation.prototypes, *translation.bodies, *exports]
    return "\n".join(blocks) + "\n"


class Translation:
    """The translated part of a program."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.structs: list[str] = []
        self.prototypes: list[str] = []
        self.bodies: list[str] = []
        self._known: set[type[Record] | Tuple] = set()
        self._names: dict[str, type[Record]] = {}
        self._made: dict[tuple[str, str, tuple[Type, ...]], tuple[str, Type]] = {}
        self._count: dict[str, int] = {}

    def need(self, kind: type[Record] | Tuple) -> None:
        """Declare a structure, after those inside it."""
        if kind in self._known:
            return
        self._known.add(kind)
        if isinstance(kind, Tuple):
            self.structs.append(tuple_struct(kind))
            return
        if self._names.setdefault(kind.__name__, kind) is not kind:
            raise LookupError(f"two records of the kernel are called {kind.__name__}")
        for shape in kind.shapes.values():
            if shape.record:
                self.need(shape.record)
        self.structs.append(struct(kind))

    def specialise(self, function: Function, kinds: tuple[Type, ...]) -> tuple[str, Type]:
        """Return the C name and the result type of a function for types of arguments."""
        key = function.module, function.tree.name, kinds
        if key not in self._made:
            for kind in kinds:
                self._declare(kind)
            name = f"k_{function.tree.name}"
            self._count[name] = self._count.get(name, 0) + 1
            if self._count[name] > 1:
                name += f"_{self._count[name]}"
            result = self.result_type(function)
            self._declare(result)
            self._made[key] = name, result
            Statements(self, function, name, kinds, result).translate()
        return self._made[key]

    def _declare(self, kind: Type) -> None:
        match kind:
            case Reference(record):
                self.need(record)
            case Buffer(element, _) if not isinstance(element, str):
                self.need(element)
            case Tuple():
                self.need(kind)

    def result_type(self, function: Function) -> Type:
        """Return the type of a function's result from its annotation."""
        match function.tree.returns:
            case ast.Constant(value=None):
                return Nothing()
            case ast.Name(id=name) if name in NUMBERS:
                return NUMBERS[name]
            case ast.Name(id=name) if record := self.sources.record(function.module, name):
                return Reference(record)
            case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
                kinds = [NUMBERS.get(ast.unparse(item)) for item in items]
                if None not in kinds:
                    return Tuple(tuple(INT if kind == BOOL else kind for kind in kinds if kind))
        raise self._refused(
            function,
            "the result must be annotated as int, float, bool, None, a record or "
            "a tuple of numbers",
        )

    def parameter_type(self, function: Function, parameter: ast.arg, given: Type) -> Type | str:
        """Return the type of a parameter for an argument, or why it does not fit."""
        annotation = ast.unparse(parameter.annotation) if parameter.annotation else ""
        if annotation in NUMBERS:
            kind = NUMBERS[annotation]
            if given in {INT: (INT, BOOL), BOOL: (BOOL,), FLOAT: (INT, FLOAT, SINGLE)}[kind]:
                return kind
        elif not isinstance(given, Number):
            record = self.sources.record(function.module, annotation)
            if not record or given == Reference(record):
                return given
            annotation = record.__name__
        return f"{parameter.arg} must be {annotation or 'annotated'}, not {describe(given)}"

    def export(self, name: str) -> str:
        """Return a function that Python and the page can call.

        Records are addresses, a list is an address and a length.
        """
        function = self.sources.function(name)
        kinds = tuple(
            self._entry_type(function, parameter) for parameter in function.tree.args.args
        )
        inner, result = self.specialise(function, kinds)
        parameters: list[tuple[str, str]] = []
        for n, kind in enumerate(kinds):
            parameters.append((c_type(kind), f"a{n}"))
            if isinstance(kind, Buffer):
                parameters.append(("int64_t", f"n{n}"))
        back = "" if result == Nothing() else "return "
        declared = ", ".join(map(" ".join, parameters)) or "void"
        head = f'__attribute__((export_name("{name}"))) {c_type(result)} export_{name}({declared})'
        return f"{head} {{ {back}{inner}({', '.join(given for _, given in parameters)}); }}"

    def _entry_type(self, function: Function, parameter: ast.arg) -> Type:
        match parameter.annotation:
            case ast.Name(id=name) if name in NUMBERS:
                return NUMBERS[name]
            case ast.Name(id=name) if record := self.sources.record(function.module, name):
                return Reference(record)
            case ast.Subscript(value=ast.Name(id="list"), slice=ast.Name(id=name)):
                element = ENTRY_KINDS.get(name) or self.sources.record(function.module, name)
                if element:
                    return Buffer(element, (None,))
        raise self._refused(
            function,
            f"{parameter.arg}: an entry takes numbers, records and lists of numbers or records",
        )

    def _refused(self, function: Function, reason: str) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            self.sources.modules[function.module].file,
            function.tree.lineno,
            f"{function.tree.name}: {reason}",
        )


class Statements(Expressions):
    """Translate one function for arguments of given types."""

    def __init__(
        self,
        translation: Translation,
        function: Function,
        name: str,
        kinds: tuple[Type, ...],
        result: Type,
    ) -> None:
        super().__init__(translation, function)
        self.c_name = name
        self.result = result
        self.parameters: list[str] = []
        self.declared: list[str] = []
        self.lines: list[str] = []
        tree = function.tree
        if (
            tree.decorator_list
            or tree.args.vararg
            or tree.args.kwarg
            or tree.args.kwonlyargs
            or tree.args.defaults
        ):
            raise self.refused(
                tree, f"{tree.name}: a kernel function has plain parameters and no decorators"
            )
        for parameter, kind in zip(tree.args.args, kinds, strict=True):
            self._parameter(parameter.arg, kind)

    def _parameter(self, name: str, kind: Type) -> None:
        length = f"n_{name}" if isinstance(kind, Buffer) and kind.lengths[0] is None else ""
        self.locals[name] = Value(f"v_{name}", kind, length=length)
        self.parameters.append(
            f"{c_type(kind)} v_{name}" + (f", int64_t {length}" if length else "")
        )

    def translate(self) -> None:
        """Write prototype and body."""
        for statement in self.function.tree.body:
            self.statement(statement)
        head = f"static {c_type(self.result)} {self.c_name}({', '.join(self.parameters) or 'void'})"
        self.translation.prototypes.append(f"{head};")
        body = [*self.declared, *self.lines]
        if (name := self.function.tree.name) in VECTORISED:
            given = ", ".join(f"v_{parameter.arg}" for parameter in self.function.tree.args.args)
            body = ["#ifdef CHECKING", *body, "#else", f"return simd_{name}({given});", "#endif"]
        self.translation.bodies.append("\n".join([f"{head} {{", *body, "}"]))

    def _block(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self.statement(statement)
        self.lines.append("}")

    def statement(self, node: ast.stmt) -> None:
        """Translate one statement."""
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return
            case ast.Expr(value=value):
                self.lines.append(f"{self.value(value).code};")
            case ast.Assign(targets=[target], value=value):
                self._assignment(node, target, value)
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                self._assignment(node, target, value, NUMBERS.get(ast.unparse(node.annotation)))
            case ast.AugAssign():
                self._augmented(node)
            case ast.Return():
                self._return(node)
            case ast.If():
                self.lines.append(f"if ({self.truth(node.test).code}) {{")
                self._block(node.body)
                if node.orelse:
                    self.lines.append("else {")
                    self._block(node.orelse)
            case ast.While(orelse=[]):
                self.lines.append(f"while ({self.truth(node.test).code}) {{")
                self._block(node.body)
            case ast.For(orelse=[]):
                self._loop(node)
            case ast.Break():
                self.lines.append("break;")
            case ast.Continue():
                self.lines.append("continue;")
            case _:
                raise self.refused(node, f"{type(node).__name__} is not part of the subset")

    # -- assignment

    def _assignment(
        self, node: ast.stmt, target: ast.expr, source: ast.expr, declared: Number | None = None
    ) -> None:
        """Translate ``target = source``; all sources are evaluated before anything is stored."""
        value = self.value(source)
        if isinstance(target, ast.Tuple):
            self._unpack(node, target, value)
        else:
            self._store(node, target, self._converted(node, value, declared) if declared else value)

    def _unpack(self, node: ast.stmt, target: ast.Tuple, value: Value) -> None:
        if not isinstance(value.type, Tuple) or len(value.type.items) != len(target.elts):
            raise self.refused(node, f"{len(target.elts)} names need a tuple of as many numbers")
        name = self._temporary()
        self.lines.append(f"{c_type(value.type)} {name} = {value.code};")
        for n, (part, kind) in enumerate(zip(target.elts, value.type.items, strict=True)):
            self._store(
                node, part, Value(f"{name}.v[{n}]" if value.type.alike else f"{name}.v{n}", kind)
            )

    def _store(self, node: ast.stmt, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.lines.append(f"{self._local(node, target.id, value)} = {value.code};")
            return
        if not isinstance(target, ast.Attribute | ast.Subscript):
            raise self.refused(node, "values are stored in variables, fields and elements")
        lvalue = self._settable(node, target)
        if clash(value, lvalue):
            name = self._temporary()
            self.lines.append(f"{c_type(value.type)} {name} = {value.code};")
            value = Value(name, value.type)
        self.lines.append(f"{lvalue.code} = {self._fitting(node, target, lvalue, value)};")

    def _settable(self, node: ast.stmt, target: ast.expr) -> Value:
        """Return a field or element that the kernel may write."""
        shared = isinstance(target, ast.Attribute) and self._declaration(target).shared
        self.require(not shared, node, f"{ast.unparse(target)} is set by other threads only")
        return self.value(target)

    def _fitting(self, node: ast.stmt, target: ast.expr, lvalue: Value, value: Value) -> str:
        if not isinstance(lvalue.type, Number) or not isinstance(value.type, Number):
            raise self.refused(
                node, "only numbers are stored: assign() copies a record, a loop copies a buffer"
            )
        fits = lvalue.type != INT or value.type in (INT, BOOL)
        holds = f"{ast.unparse(target)} holds ints, not {describe(value.type)}"
        self.require(fits, node, holds)
        narrow = NARROW.get(self._kind_of(target))
        return f"FIT({value.code}, {narrow}LL, {node.lineno})" if narrow else value.code

    def _kind_of(self, target: ast.expr) -> str:
        if isinstance(target, ast.Attribute):
            return self._declaration(target).kind
        assert isinstance(target, ast.Subscript)
        buffer = self.value(target.value).type
        return (
            buffer.element if isinstance(buffer, Buffer) and isinstance(buffer.element, str) else ""
        )

    def _declaration(self, target: ast.Attribute) -> Shape:
        return self._shape_of(target, self.value(target.value))

    def _local(self, node: ast.stmt, name: str, value: Value) -> str:
        """Return the C name of a local variable, which keeps its first type."""
        self.require(value.type != Nothing(), node, f"{name} would be None")
        self._require_no_list(node, value)
        known = self.locals.get(name)
        if known is None:
            self.locals[name] = known = Value(f"v_{name}", value.type)
            start = {Number: " = 0", Reference: " = 0", Buffer: " = 0"}.get(type(value.type), "")
            self.declared.append(f"{c_type(value.type)} {known.code}{start};")
        fits = known.type == value.type or (known.type, value.type) == (INT, BOOL)
        was = f"{name} was {describe(known.type)} and would become {describe(value.type)}"
        self.require(fits, node, was)
        return known.code

    def _augmented(self, node: ast.AugAssign) -> None:
        """Translate ``target += value``: the target is found once and read before the value."""
        value = self.value(node.value)
        lvalue = self._settable(node, node.target)
        if isinstance(node.target, ast.Name):
            result = self._binary(node, lvalue, node.op, value)
            self.lines.append(f"{self._local(node, node.target.id, result)} = {result.code};")
            return
        kind = element_type(Buffer(self._kind_of(node.target), (1,)))
        pointer = self._temporary()
        result = self._binary(node, Value(f"*{pointer}", kind, reads=True), node.op, value)
        fitted = self._fitting(node, node.target, lvalue, result)
        self.lines.append(
            f"{{ typeof({lvalue.code}) *{pointer} = &{lvalue.code}; *{pointer} = {fitted}; }}"
        )

    def _return(self, node: ast.Return) -> None:
        if node.value is None:
            self.require(self.result == Nothing(), node, "the function promises a result")
            self.lines.append("return;")
            return
        value = self.value(node.value)
        promised = f"the function promises {describe(self.result)}, not {describe(value.type)}"
        fits = (self.result, value.type) == (INT, BOOL) or (
            self.result == FLOAT and isinstance(value.type, Number)
        )
        self.require(value.type == self.result or fits, node, promised)
        if isinstance(self.result, Number):
            value = self._converted(node, value, self.result)
        self.lines.append(f"return {value.code};")

    # -- loops

    def _loop(self, node: ast.For) -> None:
        """Translate a loop over a range, a buffer or a tuple.

        It is evaluated once. Assignments to the variable in the body do not change the loop.
        """
        if {"range", "enumerate"} & self.translation.sources.modules[
            self.function.module
        ].names.keys():
            raise self.refused(node, "range and enumerate are Python's own")
        match node.target, node.iter:
            case ast.Name(id=name), ast.Call(func=ast.Name(id="range"), args=bounds, keywords=[]):
                self._count(node, name, bounds)
            case ast.Name(id=name), row:
                self._each(node, name, self.value(row))
            case ast.Tuple(elts=[ast.Name(id=number), ast.Name(id=name)]), ast.Call(
                func=ast.Name(id="enumerate"), args=[row], keywords=[]
            ):
                self._each(node, name, self.value(row), number)
            case _:
                raise self.refused(node, "a loop has one variable, or two with enumerate")

    def _count(self, node: ast.For, name: str, bounds: list[ast.expr]) -> None:
        """Translate a loop over a range with a constant step."""
        values = [self._whole(bound) for bound in bounds]
        step = values[2].constant if len(values) == 3 else 1
        if not step:
            raise self.refused(node, "the step of a range must be a constant")
        start, stop = (values[0], values[1]) if len(values) > 1 else (Value("0LL", INT), values[0])
        counter, end = self._temporary(), self._temporary()
        lvalue = self._local(node, name, Value("", INT))
        sign = "<" if step > 0 else ">"
        begin = f"int64_t {counter} = {start.code}, {end} = {stop.code}"
        head = f"{begin}; {counter} {sign} {end}; {counter} += {step}"
        self.lines.append(f"for ({head}) {{ {lvalue} = {counter};")
        self._block(node.body)

    def _each(self, node: ast.For, name: str, row: Value, number: str = "") -> None:
        """Translate a loop over numbers or records; ``number`` is the variable that counts."""
        counter, held = self._temporary(), self._temporary()
        match row.type:
            case Buffer(_, lengths):
                kind, length = element_type(row.type), row.length or str(lengths[0])
                if isinstance(kind, Buffer):
                    raise self.refused(node, "a loop runs over numbers or records")
                code = f"{held}[{counter}]" if isinstance(kind, Number) else f"({held} + {counter})"
            case Tuple(items) if row.type.alike:
                kind, length, code = items[0], str(len(items)), f"{held}.v[{counter}]"
            case _:
                raise self.refused(
                    node, "a loop runs over a range, a buffer or a tuple of numbers of one kind"
                )
        counted = f"{self._local(node, number, Value('', INT))} = {counter}; " if number else ""
        lvalue = self._local(node, name, Value("", kind))
        head = f"{{ {c_type(row.type)} {held} = {row.code};"
        loop = f"for (int64_t {counter} = 0; {counter} < {length}; {counter}++)"
        self.lines.append(f"{head} {loop} {{ {counted}{lvalue} = {code};")
        self._block(node.body)
        self.lines.append("}")
