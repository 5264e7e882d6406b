"""What a Triton file may hold: kernels, the operators that launch them, the classes that differentiate these, one function."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace

from ..nodes import refuse
from ..syntax import DTYPES, FIELDS, Allowed, function, methods

HEAD = (
    "from __future__ import annotations",
    "from itertools import count",
    "import torch",
    "import triton",
    "import triton.language as tl",
    "from torch import Tensor",
    "from torch.library import custom_op, triton_op, wrap_triton",
)
OPERATOR = re.compile(r"_operator = triton_op if isinstance\((\w+), triton\.JITFunction\) else custom_op")
"""Registration, whether kernels are compiled or interpreted."""
LOAD = re.compile(r"_load = next\(\(n for n in count\(\) if not hasattr\(torch\.ops\.mope, f'(\w+)(_\w+)_\{n\}'\)\)\)")
"""The first number under which the names of the operators are free: to register one again would destroy that of another load."""
DECORATOR = re.compile(r"_operator\(f'mope::(\w+)_\{_load\}', mutates_args=\(\)\)")
BUILTINS = frozenset("all isinstance tuple list zip len ValueError RuntimeError wrap_triton".split())
RESERVED = BUILTINS | frozenset(
    "torch triton tl Tensor triton_op custom_op count float range str int bool _operator _load".split()
)
KERNEL = Allowed(
    modules={
        "tl": DTYPES
        | frozenset("int64 abs arange cos exp exp2 full load program_id range sigmoid sin store sum where zeros".split())
    },
    members=frozenset({"to", "dtype", "element_ty"}),
    calls=frozenset({"float", "range"}),
    reserved=RESERVED,
    fields={kind: names for kind, names in FIELDS.items() if kind not in (ast.List, ast.Return, ast.Raise, ast.Starred)}
    | {ast.For: "target iter body orelse type_comment", ast.AugAssign: "target op value"}
    | dict.fromkeys((ast.FloorDiv, ast.Mod, ast.BitAnd), ""),
)
HOST = Allowed(
    modules={
        "torch": DTYPES | frozenset("dtype full_like promote_types broadcast_shapes".split()),
        "triton": frozenset({"cdiv"}),
    },
    members=frozenset(
        "dtype shape is_floating_point saved_tensors needs_input_grad layout stride dim expand reshape flatten "
        "unflatten transpose sum_to_size to new_empty apply save_for_backward".split()
    ),
    calls=BUILTINS,
    reserved=RESERVED,
    fields={
        **FIELDS,
        ast.FloorDiv: "",
        ast.Pass: "",
        ast.GeneratorExp: "elt generators",
        ast.comprehension: "target iter ifs is_async",
    },
)


@dataclass
class Module:
    """A file by its parts."""

    constants: dict[str, int] = field(default_factory=dict)
    kernels: dict[str, ast.FunctionDef] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    """Operators among them."""
    operators: dict[str, str] = field(default_factory=dict)
    """For each operator the class of its gradient; empty until that is registered."""
    fakes: dict[str, ast.FunctionDef] = field(default_factory=dict)
    """For each operator what gives empty results like its own."""
    classes: dict[str, dict[str, ast.FunctionDef]] = field(default_factory=dict)
    free: list[str] = field(default_factory=list)
    """Names that operators may still be registered under."""


def module(tree: ast.Module) -> Module:
    """The parts of a file. Raises Refused for anything else at the top of it."""
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    head = [ast.unparse(s) for s in body if isinstance(s, (ast.Import, ast.ImportFrom))]
    if sorted(head) != sorted(HEAD) or tree.type_ignores:
        bad = next((s for s in body if isinstance(s, (ast.Import, ast.ImportFrom)) and ast.unparse(s) not in HEAD), None)
        refuse(ast.unparse(bad) if bad else f"imports other than {'; '.join(HEAD)}", bad.lineno if bad else 1)
    names = [s.name for s in body if isinstance(s, (ast.FunctionDef, ast.ClassDef))]
    bound = [node.id for s in body if isinstance(s, ast.Assign) for node in ast.walk(s.targets[0]) if isinstance(node, ast.Name)]
    reserved = RESERVED | frozenset((*names, *bound))
    found, host = Module(), replace(HOST, calls=BUILTINS | frozenset(names), reserved=reserved)
    for statement in body:
        line = statement.lineno
        match statement:
            case ast.Import() | ast.ImportFrom():
                pass
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if names.count(name) > 1 or name in RESERVED:
                refuse(f"a second {name}", line)
            case ast.FunctionDef():
                _function(found, statement, host)
            case ast.ClassDef(name=name):
                found.classes[name] = methods(statement, host)
            case ast.Assign(targets=[ast.Tuple(elts=[*targets])], value=ast.Tuple(elts=[*values])) if len(targets) == len(values):
                for target, value in zip(targets, values, strict=True):
                    if not isinstance(target, ast.Name) or not isinstance(value, ast.Constant) or type(value.value) is not int:
                        refuse(ast.unparse(statement), line)
                    found.constants[target.id] = value.value
            case ast.Assign() if (match := OPERATOR.fullmatch(ast.unparse(statement))) and match[1] in found.kernels:
                pass
            case ast.Assign() if match := LOAD.fullmatch(ast.unparse(statement)):
                found.free += [f"{match[1]}{match[2]}", f"{match[1]}_backward{match[2]}"]
            case ast.Expr(value=ast.Call() as call):
                _registered(found, ast.unparse(call), line)
            case _:
                refuse(f"{type(statement).__name__} outside a function", line)
    if set(found.constants) & {*names, *RESERVED} or len(bound) > len(set(bound)):
        refuse("a constant named as something else, or bound twice")
    if set(found.fakes) != set(found.operators) or "" in found.operators.values():
        refuse("an operator without a gradient, or without one that gives empty results")
    return found


def _function(found: Module, node: ast.FunctionDef, host: Allowed) -> None:
    decorators = tuple(map(ast.unparse, node.decorator_list))
    if decorators == ("triton.jit",):
        a = node.args
        if a.defaults or a.kwonlyargs or a.vararg or node.returns:
            refuse(f"arguments of {node.name}", node.lineno)
        for one in a.args:
            if one.annotation is not None and ast.unparse(one.annotation) != "tl.constexpr":
                refuse(f"annotation of {one.arg}", one.lineno)
        found.kernels[node.name] = function(node, decorators, KERNEL)
    elif len(decorators) == 1 and decorators[0].removesuffix(".register_fake") in found.operators:
        found.fakes[decorators[0].removesuffix(".register_fake")] = function(node, decorators, host)
    else:
        operator = DECORATOR.fullmatch(decorators[0]) if len(decorators) == 1 else None
        found.functions[node.name] = function(node, decorators if operator else (), host)
        if operator:
            if operator[1] not in found.free:
                refuse(f"an operator under a name that may be taken, {operator[1]}", node.lineno)
            found.free.remove(operator[1])
            found.operators[node.name] = ""


def _registered(found: Module, call: str, line: int) -> None:
    """``operator.register_autograd(Class.backward, setup_context=Class.setup_context)``, or without what keeps nothing."""
    match = re.fullmatch(r"(\w+)\.register_autograd\((\w+)\.backward(?:, setup_context=(\w+)\.setup_context)?\)", call)
    if match is None or found.operators.get(match[1]) != "" or match[2] not in found.classes:
        refuse(call, line)
    setup = found.classes[match[2]]["setup_context"]
    if match[3] != match[2] and not (match[3] is None and [type(s) for s in setup.body] == [ast.Pass]):
        refuse(call, line)
    found.operators[match[1]] = match[2]
