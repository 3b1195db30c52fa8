"""Makes a failing program smaller while it still fails.

Works on the shape of the tree only. A candidate that is no valid program fails in another way (it is rejected), so the caller's test
refuses it; nothing here needs to know the language beyond what may take the place of an expression.
"""
import re
import time

from tree import Node

LISTS = ("program", "items", "block", "bus")


class Budget:
    def __init__(self, seconds):
        self.end = time.time() + seconds

    def left(self):
        return time.time() < self.end


def shrink(program, fails, seconds):
    """The smallest program found within `seconds` for which fails(program) still holds."""
    budget, best = Budget(seconds), program.copy()
    best = moduleItems(best, fails, budget)
    while budget.left():
        before = size(best)
        for stage in (dropItems, dropPorts, unwrapStatements, fewerInstances, simplifyExpressions):
            best = stage(best, fails, budget)
        if size(best) == before:
            break
    return best


def size(n):
    return 1 + sum(size(k) for k in n.kids)


def paths(n, at=()):
    """Paths (tuples of child indices) of all nodes, outer ones first."""
    yield at, n
    for i, k in enumerate(n.kids):
        yield from paths(k, at + (i,))


def node(n, path):
    for i in path:
        n = n.kids[i]
    return n


def replaced(program, path, new):
    twin = program.copy()
    if not path:
        return new
    node(twin, path[:-1]).kids[path[-1]] = new
    return twin


def moduleItems(program, fails, budget):
    """Instances first: the processes and types behind them can go afterwards."""
    return dropFrom(program, (len(program.kids) - 1, 1), fails, budget)


def dropFrom(program, path, fails, budget):
    """Drops runs of children of the list at `path`, long runs first."""
    run = max(len(node(program, path).kids) // 2, 1)
    while run >= 1:
        i = 0
        while i < len(node(program, path).kids) and budget.left():
            twin = program.copy()
            del node(twin, path).kids[i:i + run]
            if fails(twin):
                program = twin
            else:
                i += run
        run //= 2
    return program


def dropItems(program, fails, budget):
    done = 0
    while True:
        lists = [p for p, n in paths(program) if n.kind in LISTS and n.kids]
        if done >= len(lists) or not budget.left():
            return program
        program = dropFrom(program, lists[done], fails, budget)
        done += 1


def dropPorts(program, fails, budget):
    """Drops a parameter of a process together with its arguments, so that buses behind it can go."""
    for name in [k.a["name"] for k in program.kids if k.kind == "proc"]:
        process = next(k for k in program.kids if k.kind == "proc" and k.a["name"] == name)
        for port in [p.a.get("port") for p in process.kids[0].kids]:
            if port is None or not budget.left():
                continue
            twin = program.copy()
            for _, n in paths(twin):
                if n.kind == "proc" and n.a["name"] == name:
                    n.kids[0].kids = [p for p in n.kids[0].kids if p.a.get("port") != port]
                elif n.kind == "instance" and n.a["of"] == name:
                    n.a["args"] = [a for a in n.a["args"] if a[0] != port]
            if fails(twin):
                program = twin
    return program


def fewerInstances(program, fails, budget):
    """Makes the last bound of a generate 1 or 2."""
    for path in [p for p, n in paths(program) if n.kind == "generate"]:
        head = node(program, path).a["head"]
        found = re.match(r"(.* (?:to|until) )(\d+)$", head)
        for bound in ("1", "2"):
            if found and int(found.group(2)) > int(bound) and budget.left():
                twin = program.copy()
                node(twin, path).a["head"] = found.group(1) + bound
                if fails(twin):
                    program = twin
                    break
    return program


def spliced(program, path):
    """The block at `path` dissolved into the list that holds it."""
    twin = program.copy()
    above, i = node(twin, path[:-1]), path[-1]
    above.kids[i:i + 1] = above.kids[i].kids
    return twin


def unwrapStatements(program, fails, budget):
    """Replaces a statement or a generate by one of its blocks, or drops a branch."""
    i = 0
    while budget.left():
        found = [p for p, n in paths(program) if n.kind in ("if", "for", "while", "block", "switch", "generate") and p]
        if i >= len(found):
            return program
        path, n = found[i], node(program, found[i])
        candidates = [k for k in n.kids if k.kind in ("block", "items")]
        if n.kind == "if" and len(n.kids) > 2:
            candidates = [Node("if", *n.kids[:2]), *candidates]
        inside = node(program, path[:-1]).kind
        if n.kind == "block" and inside == "block" and n.kids and fails(spliced(program, path)):
            program = spliced(program, path)
            continue
        if inside in ("block", "items", "program"):
            smaller = next((c for c in candidates if budget.left() and fails(replaced(program, path, c))), None)
            if smaller is not None:
                program = replaced(program, path, smaller.copy())
                continue
        i += 1
    return program


def simplifyExpressions(program, fails, budget):
    i = 0
    while budget.left():
        found = [p for p, n in paths(program) if "cat" in n.a]
        if i >= len(found):
            return program
        path, n = found[i], node(program, found[i])
        smaller = None
        if not isTarget(program, path):
            smaller = next((c for c in simpler(n) if budget.left() and fails(replaced(program, path, c))), None)
        if smaller is None:
            i += 1
        else:
            program = replaced(program, path, smaller.copy())
    return program


def isTarget(program, path):
    above = node(program, path[:-1])
    return above.kind == "assign" and path[-1] == 0 or above.kind in ("fld", "idx", "bit", "slice", "plusslice") and path[-1] == 0


def simpler(n):
    """Expressions of the same category that are smaller."""
    category = n.a["cat"]
    if n.kind not in ("lit", "boollit", "enumlit", "floatlit"):
        if category == "int":
            for v in (0, 1):
                yield Node("lit", v=v, cat="int")
        elif category == "bool":
            yield Node("boollit", v=False, cat="bool")
            yield Node("boollit", v=True, cat="bool")
        elif category in ("f32", "f64"):
            yield Node("floatlit", v=1.0, cat=category)
        seen = list(n.kids)
        while seen:
            k = seen.pop(0)
            if k.a.get("cat") == category and k.kind not in ("ref",) or k.a.get("cat") == category and n.kind != "idx":
                yield k
            if k.kind in ("bin", "cond", "un", "builtin", "cast", "call"):
                seen += k.kids
    elif n.kind == "lit" and n.a["v"] not in (0, 1):
        for v in {n.a["v"] // 2 if n.a["v"] > 3 else 1, 1, 0}:
            if abs(v) < abs(n.a["v"]):
                yield Node("lit", v=v, cat="int")
    if n.a.get("paren") or n.a.get("style"):
        plain = n.copy()
        plain.a.pop("paren", None)
        plain.a.pop("style", None)
        yield plain
