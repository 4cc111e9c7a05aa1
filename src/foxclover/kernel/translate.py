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
    LOADED,
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
            wanted = NUMBERS[annotation]
            fits = {INT: (INT, BOOL), BOOL: (BOOL,), FLOAT: tuple(LOADED.values())}[wanted]
            return (
                wanted
                if given in fits
                else f"{parameter.arg} must be {annotation}, not {describe(given)}"
            )
        if isinstance(given, Number):
            return f"{parameter.arg} must be {annotation or 'annotated'}, not {describe(given)}"
        record = self.sources.record(function.module, annotation)
        if record and given != Reference(record):
            return f"{parameter.arg} must be {record.__name__}, not {describe(given)}"
        return given

    def export(self, name: str) -> str:
        """Return a function that Python and the page can call.

        Records are addresses, a list is an address and a length.
        """
        function = self.sources.function(name)
        kinds = tuple(
            self._entry_type(function, parameter) for parameter in function.tree.args.args
        )
        inner, result = self.specialise(function, kinds)
        parameters, arguments = [], []
        for n, kind in enumerate(kinds):
            parameters.append(f"{c_type(kind)} a{n}")
            arguments.append(f"a{n}")
            if isinstance(kind, Buffer):
                parameters.append(f"int64_t n{n}")
                arguments.append(f"n{n}")
        back = "" if result == Nothing() else "return "
        declared = f"export_{name}({', '.join(parameters) or 'void'})"
        head = f'__attribute__((export_name("{name}"))) {c_type(result)} {declared}'
        return f"{head} {{ {back}{inner}({', '.join(arguments)}); }}"

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
            self.parameter(parameter.arg, kind)

    def parameter(self, name: str, kind: Type) -> None:
        """Declare a parameter under its name."""
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

    def block(self, body: Iterable[ast.stmt]) -> None:
        """Translate statements in braces."""
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
                self.assignment(node, target, value)
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                self.assignment(node, target, value, NUMBERS.get(ast.unparse(node.annotation)))
            case ast.AugAssign():
                self.augmented(node)
            case ast.Return():
                self.give_back(node)
            case ast.If():
                self.lines.append(f"if ({self.truth(node.test).code}) {{")
                self.block(node.body)
                if node.orelse:
                    self.lines.append("else {")
                    self.block(node.orelse)
            case ast.While(orelse=[]):
                self.lines.append(f"while ({self.truth(node.test).code}) {{")
                self.block(node.body)
            case ast.For(orelse=[]):
                self.loop(node)
            case ast.Break():
                self.lines.append("break;")
            case ast.Continue():
                self.lines.append("continue;")
            case _:
                raise self.refused(node, f"{type(node).__name__} is not part of the subset")

    # -- assignment

    def assignment(
        self, node: ast.stmt, target: ast.expr, source: ast.expr, declared: Number | None = None
    ) -> None:
        """Translate ``target = source``; all sources are evaluated before anything is stored."""
        if isinstance(target, ast.Tuple):
            self.unpack(node, target, source)
            return
        value = self.value(source)
        if declared:
            value = self.converted(node, value, declared)
        self.store(node, target, value)

    def unpack(self, node: ast.stmt, target: ast.Tuple, source: ast.expr) -> None:
        """Translate ``a, b = ...``."""
        value = self.value(source)
        if not isinstance(value.type, Tuple) or len(value.type.items) != len(target.elts):
            raise self.refused(node, f"{len(target.elts)} names need a tuple of as many numbers")
        name = self.temporary()
        self.lines.append(f"{c_type(value.type)} {name} = {value.code};")
        for n, (part, kind) in enumerate(zip(target.elts, value.type.items, strict=True)):
            self.store(
                node, part, Value(f"{name}.v[{n}]" if value.type.alike else f"{name}.v{n}", kind)
            )

    def store(self, node: ast.stmt, target: ast.expr, value: Value) -> None:
        """Store an evaluated value."""
        if isinstance(target, ast.Name):
            self.lines.append(f"{self.local(node, target.id, value)} = {value.code};")
            return
        if not isinstance(target, ast.Attribute | ast.Subscript):
            raise self.refused(node, "values are stored in variables, fields and elements")
        lvalue = self.settable(node, target)
        if clash(value, lvalue):
            name = self.temporary()
            self.lines.append(f"{c_type(value.type)} {name} = {value.code};")
            value = Value(name, value.type)
        self.lines.append(f"{lvalue.code} = {self.fitting(node, target, lvalue, value)};")

    def settable(self, node: ast.stmt, target: ast.expr) -> Value:
        """Return a field or element that the kernel may write."""
        if isinstance(target, ast.Attribute) and self.shape_of(target).shared:
            raise self.refused(node, f"{ast.unparse(target)} is set by other threads only")
        return self.value(target)

    def fitting(self, node: ast.stmt, target: ast.expr, lvalue: Value, value: Value) -> str:
        """Return a value as its target stores it."""
        if not isinstance(lvalue.type, Number) or not isinstance(value.type, Number):
            raise self.refused(
                node, "only numbers are stored: assign() copies a record, a loop copies a buffer"
            )
        if lvalue.type == INT and value.type not in (INT, BOOL):
            raise self.refused(
                node, f"{ast.unparse(target)} holds ints, not {describe(value.type)}"
            )
        narrow = NARROW.get(self.kind_of(target))
        return f"FIT({value.code}, {narrow}LL, {node.lineno})" if narrow else value.code

    def kind_of(self, target: ast.expr) -> str:
        """Return the kind of number that a target stores."""
        if isinstance(target, ast.Attribute):
            return self.shape_of(target).kind
        assert isinstance(target, ast.Subscript)
        buffer = self.value(target.value).type
        return (
            buffer.element if isinstance(buffer, Buffer) and isinstance(buffer.element, str) else ""
        )

    def shape_of(self, target: ast.Attribute) -> Shape:
        """Return the declaration of a record's field."""
        owner = self.value(target.value).type
        if not isinstance(owner, Reference) or target.attr not in owner.record.shapes:
            raise self.refused(target, f"{ast.unparse(target)} is no field of a record")
        return owner.record.shapes[target.attr]

    def local(self, node: ast.stmt, name: str, value: Value) -> str:
        """Return the C name of a local variable, which keeps its first type."""
        if value.type == Nothing():
            raise self.refused(node, f"{name} would be None")
        if value.length:
            raise self.refused(node, "a list given by the caller has one name only")
        known = self.locals.get(name)
        if known is None:
            self.locals[name] = known = Value(f"v_{name}", value.type)
            start = {Number: " = 0", Reference: " = 0", Buffer: " = 0"}.get(type(value.type), "")
            self.declared.append(f"{c_type(value.type)} {known.code}{start};")
        if known.type != value.type and (known.type, value.type) != (INT, BOOL):
            raise self.refused(
                node, f"{name} was {describe(known.type)} and would become {describe(value.type)}"
            )
        return known.code

    def augmented(self, node: ast.AugAssign) -> None:
        """Translate ``target += value``: the target is found once and read before the value."""
        value = self.value(node.value)
        lvalue = self.settable(node, node.target)
        if isinstance(node.target, ast.Name):
            result = self.binary(node, lvalue, node.op, value)
            self.lines.append(f"{self.local(node, node.target.id, result)} = {result.code};")
            return
        kind = element_type(Buffer(self.kind_of(node.target), (1,)))
        pointer = self.temporary()
        result = self.binary(node, Value(f"*{pointer}", kind, reads=True), node.op, value)
        fitted = self.fitting(node, node.target, lvalue, result)
        self.lines.append(
            f"{{ typeof({lvalue.code}) *{pointer} = &{lvalue.code}; *{pointer} = {fitted}; }}"
        )

    def give_back(self, node: ast.Return) -> None:
        """Translate ``return``."""
        if node.value is None:
            if self.result != Nothing():
                raise self.refused(node, "the function promises a result")
            self.lines.append("return;")
            return
        value = self.value(node.value)
        if isinstance(self.result, Number) and isinstance(value.type, Number):
            if (self.result == INT and value.type not in (INT, BOOL)) or (
                self.result == BOOL and value.type != BOOL
            ):
                raise self.refused(
                    node,
                    f"the function promises {describe(self.result)}, not {describe(value.type)}",
                )
            value = self.converted(node, value, self.result)
        elif value.type != self.result:
            raise self.refused(
                node, f"the function promises {describe(self.result)}, not {describe(value.type)}"
            )
        self.lines.append(f"return {value.code};")

    # -- loops

    def loop(self, node: ast.For) -> None:
        """Translate a loop over a range, a buffer or a tuple.

        It is evaluated once. Assignments to the variable in the body do not change the loop.
        """
        if {"range", "enumerate"} & self.translation.sources.modules[
            self.function.module
        ].names.keys():
            raise self.refused(node, "range and enumerate are Python's own")
        match node.target, node.iter:
            case ast.Name(id=name), ast.Call(func=ast.Name(id="range"), args=bounds, keywords=[]):
                self.count(node, name, bounds)
            case ast.Name(id=name), row:
                self.each(node, name, self.value(row))
            case ast.Tuple(elts=[ast.Name(id=number), ast.Name(id=name)]), ast.Call(
                func=ast.Name(id="enumerate"), args=[row], keywords=[]
            ):
                self.each(node, name, self.value(row), number)
            case _:
                raise self.refused(node, "a loop has one variable, or two with enumerate")

    def count(self, node: ast.For, name: str, bounds: list[ast.expr]) -> None:
        """Translate a loop over a range with a constant step."""
        values = [self.whole(bound) for bound in bounds]
        step = values[2].constant if len(values) == 3 else 1
        if not step:
            raise self.refused(node, "the step of a range must be a constant")
        start, stop = (values[0], values[1]) if len(values) > 1 else (Value("0LL", INT), values[0])
        counter, end = self.temporary(), self.temporary()
        lvalue = self.local(node, name, Value("", INT))
        sign = "<" if step > 0 else ">"
        begin = f"int64_t {counter} = {start.code}, {end} = {stop.code}"
        head = f"{begin}; {counter} {sign} {end}; {counter} += {step}"
        self.lines.append(f"for ({head}) {{ {lvalue} = {counter};")
        self.block(node.body)

    def each(self, node: ast.For, name: str, row: Value, number: str = "") -> None:
        """Translate a loop over numbers or records; ``number`` is the variable that counts."""
        counter, held = self.temporary(), self.temporary()
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
        counted = f"{self.local(node, number, Value('', INT))} = {counter}; " if number else ""
        lvalue = self.local(node, name, Value("", kind))
        head = f"{{ {c_type(row.type)} {held} = {row.code};"
        loop = f"for (int64_t {counter} = 0; {counter} < {length}; {counter}++)"
        self.lines.append(f"{head} {loop} {{ {counted}{lvalue} = {code};")
        self.block(node.body)
        self.lines.append("}")
