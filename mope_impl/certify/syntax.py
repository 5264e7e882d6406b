"""An allow-list of syntax: a file's tree is walked whole, branches that no run takes included, before anything is read from it.

For each class of node every field is named here. A field that is not named, as a later Python may add, is refused.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from .nodes import refuse

DTYPES = frozenset("float16 bfloat16 float32 float64".split())
DEEPEST = 60
"""How deep syntax may nest."""
ANNOTATION = re.compile(r"(?:Tensor|None|str|bool|int|torch\.dtype|torch\.Size|tl\.constexpr|tuple|list|\.\.\.|[\[\], |])*")
MEMBERS = ("forward", "setup_context", "backward")

FIELDS: Mapping[type[ast.AST], str] = {
    ast.Assign: "targets value type_comment",
    ast.AnnAssign: "target annotation value simple",
    ast.If: "test body orelse",
    ast.Return: "value",
    ast.Raise: "exc cause",
    ast.Expr: "value",
    ast.Constant: "value kind",
    ast.Name: "id ctx",
    ast.Tuple: "elts ctx",
    ast.List: "elts ctx",
    ast.Attribute: "value attr ctx",
    ast.Subscript: "value slice ctx",
    ast.Slice: "lower upper step",
    ast.Starred: "value ctx",
    ast.UnaryOp: "op operand",
    ast.BinOp: "left op right",
    ast.BoolOp: "op values",
    ast.Compare: "left ops comparators",
    ast.IfExp: "test body orelse",
    ast.Call: "func args keywords",
    ast.keyword: "arg value",
    ast.JoinedStr: "values",
    ast.FormattedValue: "value conversion format_spec",
    **dict.fromkeys(
        (
            ast.Load, ast.Store, ast.USub, ast.Not, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.And, ast.Or,
            ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn,
        ),
        "",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Allowed:
    """What may stand in a function."""

    modules: Mapping[str, frozenset[str]]
    """Modules, and what may be used of each."""
    members: frozenset[str]
    """Attributes and methods of anything else."""
    calls: frozenset[str]
    """Functions, and errors that may be raised."""
    reserved: frozenset[str]
    """Names that mean one thing and may not be bound."""
    fields: Mapping[type[ast.AST], str]


def parsed(source: bytes) -> ast.Module:
    """The tree of a file. Raises Refused where Python might read another text, or none."""
    try:
        text = source.decode("ascii")
    except UnicodeDecodeError as fault:
        refuse("a character beyond ASCII", source.count(b"\n", 0, fault.start) + 1)
    if "\f" in text or "\0" in text or "\r" in text.replace("\r\n", "\n"):
        refuse("a control character that hides a line")
    for number, line in enumerate(text.splitlines()[:2], 1):
        if re.match(r"[ \t]*#.*?coding[:=]", line):
            refuse("a coding cookie", number)
    try:
        return ast.parse(text)
    except SyntaxError as fault:
        refuse(f"no Python: {fault.msg}", fault.lineno)
    except (RecursionError, MemoryError, ValueError):
        refuse("syntax that nests too deep")


def fields(node: ast.AST, known: Mapping[type[ast.AST], str]) -> None:
    """Raise Refused unless the class of a node is allowed and its fields are those that are known."""
    line = getattr(node, "lineno", None)
    if type(node) not in known:
        refuse(type(node).__name__, line)
    if set(node._fields) != set(known[type(node)].split()):
        refuse(f"{type(node).__name__} with fields that are not known: {', '.join(node._fields)}", line)
    if getattr(node, "type_comment", None) is not None or getattr(node, "kind", None) is not None:
        refuse(f"{type(node).__name__} with a comment or a prefix", line)


def checked(node: ast.AST, allowed: Allowed, depth: int = 0) -> None:
    """Raise Refused for anything that is not allowed within a function."""
    line = getattr(node, "lineno", None)
    if depth > DEEPEST:
        refuse("syntax that nests too deep", line)
    fields(node, allowed.fields)
    match node:
        case ast.Call(func=ast.Name(id=name)):
            if name not in allowed.calls:
                refuse(f"call of {name}", line)
        case ast.Call(func=ast.Attribute()) | ast.Call(func=ast.Subscript(value=ast.Call(func=ast.Name(id="wrap_triton")))):
            pass
        case ast.Call():
            refuse("call of what is no name", line)
        case ast.Attribute(value=ast.Name(id=module), attr=name) if module in allowed.modules:
            if name not in allowed.modules[module] or not isinstance(node.ctx, ast.Load):
                refuse(f"{module}.{name}", line)
        case ast.Attribute(attr=name, ctx=ast.Load()):
            if name not in allowed.members:
                refuse(f"attribute {name}", line)
        case ast.Attribute(value=owner, attr=name):
            if name != "layout" or not (isinstance(owner, ast.Name) and owner.id == "ctx"):
                refuse(f"assignment to {ast.unparse(node)}", line)
        case ast.Name(id=name):
            if name.startswith("__"):
                refuse(f"name {name}", line)
            if isinstance(node.ctx, ast.Store) and name in allowed.reserved:
                refuse(f"{name} bound to something else", line)
        case ast.Constant(value=value):
            if value is not None and value is not Ellipsis and type(value) not in (bool, int, float, str):
                refuse(f"constant {value!r}", line)
        case ast.AnnAssign(annotation=annotation, simple=simple, value=value):
            annotated(annotation)
            if simple != 1 or value is None:
                refuse("annotation without a value", line)
        case ast.Assign(targets=targets):
            if len(targets) != 1:
                refuse("assignment to several targets", line)
        case ast.keyword(arg=None):
            refuse("arguments by a mapping", line)
        case ast.Raise(exc=exc, cause=cause):
            error = exc.func.id if isinstance(exc, ast.Call) and isinstance(exc.func, ast.Name) else ""
            if cause is not None or not error.endswith("Error"):
                refuse("raise of what is no plain error", line)
        case ast.FormattedValue(value=value, conversion=conversion, format_spec=layout):
            if not re.fullmatch(r"[a-z]\w*(\.dtype)?", ast.unparse(value)) or conversion not in (-1, 114) or layout:
                refuse("an f-string that does more than name a value", line)
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.AnnAssign) and child is node.annotation):
            checked(child, allowed, depth + 1)


def annotated(annotation: ast.expr | None) -> None:
    """Raise Refused for an annotation that is more than a type; none of them is evaluated."""
    if annotation is not None and not ANNOTATION.fullmatch(ast.unparse(annotation)):
        refuse(f"annotation {ast.unparse(annotation)}", annotation.lineno)


def function(node: ast.stmt, decorators: tuple[str, ...], allowed: Allowed) -> ast.FunctionDef:
    """A function with nothing but arguments, a body and the decorators expected; defaults are constants."""
    if not isinstance(node, ast.FunctionDef):
        refuse(type(node).__name__, node.lineno)
    if tuple(map(ast.unparse, node.decorator_list)) != decorators:
        refuse(f"decorators of {node.name} other than {', '.join(decorators) or 'none'}", node.lineno)
    known = {"name", "args", "body", "decorator_list", "returns", "type_comment", "type_params"}
    if not set(node._fields) <= known or getattr(node, "type_params", None) or node.type_comment is not None:
        refuse(f"{node.name} with type parameters or comments", node.lineno)
    a = node.args
    if set(a._fields) != {"posonlyargs", "args", "vararg", "kwonlyargs", "kw_defaults", "kwarg", "defaults"}:
        refuse(f"arguments of {node.name} of an unknown form", node.lineno)
    if a.posonlyargs or a.kwarg:
        refuse(f"arguments of {node.name}", node.lineno)
    given = [*a.args, *a.kwonlyargs, *([a.vararg] if a.vararg else [])]
    for one in given:
        if one.arg in allowed.reserved or one.type_comment is not None:
            refuse(f"argument {one.arg}", one.lineno)
        annotated(one.annotation)
    for default in (*a.defaults, *a.kw_defaults):
        if default is not None and not (isinstance(default, ast.Constant) and isinstance(default.value, (str, type(None)))):
            refuse("a default that is no constant", node.lineno)
    annotated(node.returns)
    for statement in node.body:
        checked(statement, allowed)
    return node


def methods(own: ast.ClassDef, allowed: Allowed) -> dict[str, ast.FunctionDef]:
    """The three methods of a ``torch.autograd.Function``. Raises Refused for anything else in it."""
    known = {"name", "bases", "keywords", "body", "decorator_list", "type_params"}
    if not set(own._fields) <= known or getattr(own, "type_params", None):
        refuse(f"class {own.name} of an unknown form", own.lineno)
    if list(map(ast.unparse, own.bases)) != ["torch.autograd.Function"] or own.keywords or own.decorator_list:
        refuse(f"class {own.name} that is no plain torch.autograd.Function", own.lineno)
    found: dict[str, ast.FunctionDef] = {}
    for place, statement in enumerate(own.body):
        if place == 0 and ast.get_docstring(own) is not None:
            continue
        if isinstance(statement, ast.FunctionDef) and statement.name in MEMBERS and statement.name not in found:
            found[statement.name] = function(statement, ("staticmethod",), allowed)
        elif not (isinstance(statement, ast.Assign) and ast.unparse(statement) == "generate_vmap_rule = True"):
            refuse(f"member {getattr(statement, 'name', type(statement).__name__)} of class {own.name}", statement.lineno)
    for name in MEMBERS:
        if name not in found:
            refuse(f"class {own.name} without {name}", own.lineno)
    return found
