"""What a torch file may hold: one ``torch.autograd.Function``, and the one function that applies it."""

from __future__ import annotations

import ast

from ..nodes import refuse
from ..syntax import DTYPES, FIELDS, Allowed, function, methods

CALLS = frozenset("abs cos sin exp exp2 sigmoid sign square neg where stack cat full_like zeros_like promote_types".split())
"""Functions of torch."""
BUILTINS = frozenset("isinstance tuple float ValueError".split())
RESERVED = frozenset({"torch", "Tensor", "list", "str", *BUILTINS})
ALLOWED = Allowed(
    modules={"torch": CALLS | DTYPES | {"dtype"}},
    members=frozenset(
        "dtype shape is_floating_point saved_tensors needs_input_grad layout "
        "to unsqueeze sum sum_to_size flatten chunk new_empty expand apply save_for_backward".split()
    ),
    calls=BUILTINS,
    reserved=RESERVED,
    fields=FIELDS,
)
HEAD = ("from __future__ import annotations", "import torch", "from torch import Tensor")


def module(tree: ast.Module) -> tuple[dict[str, ast.FunctionDef], str, ast.FunctionDef]:
    """The methods of the one class, its name, and the one function. Raises Refused for anything else at the top of the file."""
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    head = [ast.unparse(s) for s in body if isinstance(s, (ast.Import, ast.ImportFrom))]
    for statement in body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)) and ast.unparse(statement) not in HEAD:
            refuse(ast.unparse(statement), statement.lineno)
    if sorted(head) != sorted(HEAD) or tree.type_ignores:
        refuse("imports other than " + "; ".join(HEAD), body[0].lineno if body else 1)
    rest = [s for s in body if not isinstance(s, (ast.Import, ast.ImportFrom))]
    classes = [s for s in rest if isinstance(s, ast.ClassDef)]
    functions = [s for s in rest if isinstance(s, ast.FunctionDef)]
    for statement in rest:
        if not isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            refuse(f"{type(statement).__name__} outside a function", statement.lineno)
    for group, what in ((classes, "class"), (functions, "function")):
        if len(group) > 1:
            refuse(f"a second {what}, {group[1].name}", group[1].lineno)
        if not group:
            refuse(f"no {what}")
    own, only = classes[0], function(functions[0], (), ALLOWED)
    if own.name in RESERVED or own.name == only.name or only.name in RESERVED:
        refuse(f"name {own.name}", own.lineno)
    found = methods(own, ALLOWED)
    for part in (*found.values(), only):
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in (own.name, only.name):
                refuse(f"{node.id} bound to something else", node.lineno)
    return found, own.name, only
