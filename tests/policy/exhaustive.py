#!/usr/bin/env python3
"""A node or an operator that is added does not compile, or warns, in each phase that has to know it.

Two things would let it pass in silence:

    smec::visit(Overloaded{…, [](const auto&) { return false; }}, node)     a catch-all; list the kinds: const AnyOf<A, B> auto&
    switch (op) { case BinaryOp::Add: …; default: … }                      -Wswitch says nothing; list the members

An unconstrained lambda that hands its node to an overloaded function is none: `[&](const auto& node) { return lower(node); }`.
"""
import os
import re
import sys

# Where the enumerations of nodes stand.
NODES = ["ir/types.h", "ir/expressions.h", "ir/statements.h", "ir/body.h", "ir/storage.h", "ir/design.h",
         "hir/body.h", "hir/types.h", "hir/design.h", "ast/expressions.h", "ast/statements.h", "ast/ast.h",
         "hdl/hdl.h", "elab/integer_expr.h"]
ENUM = re.compile(r"\benum class (\w+)[^{;]*\{(.*?)\}", re.DOTALL)
TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
LAMBDA = re.compile(r"\[[^\[\]]*\]\s*\(\s*(?:const\s+)?auto\s*&{0,2}\s*(\w*)\s*\)[^{;,]*\{")
VISITOR = re.compile(r"\bOverloaded\s*\{")
SWITCH = re.compile(r"\bswitch\s*\([^{]*\{")
LABEL = re.compile(r"\bcase\s+((?:\w+::)*\w+)\s*:(?!:)")
DEFAULT = re.compile(r"\bdefault\s*:")


def blanked(text):
    """`text` with comments and literals as spaces, at the same places."""
    return TOKENS.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def closing(text, start):
    """The place of the brace that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text)


def members(text):
    """Names of the enumerations' members, by name of the enumeration."""
    result = {}
    for m in ENUM.finditer(blanked(text)):
        names = re.findall(r"(?:^|,)\s*(\w+)", m.group(2))
        result.setdefault(m.group(1), set()).update(names)
    return result


def catchAlls(text):
    """Places of the lambdas in a visitor that take any node and do not look at it."""
    for visitor in VISITOR.finditer(text):
        end = closing(text, visitor.end() - 1)
        for m in LAMBDA.finditer(text, visitor.end(), end):
            body = text[m.end():closing(text, m.end() - 1)]
            if not m.group(1) or not re.search(rf"\b{m.group(1)}\b", body):
                yield m.start()


def defaults(text, enums):
    """Places of the defaults in switches over one of the enumerations."""
    everyName = set().union(*enums.values())
    for m in SWITCH.finditer(text):
        body = text[m.end():closing(text, m.end() - 1)]
        inner = [(s.start(), closing(body, s.end() - 1)) for s in SWITCH.finditer(body)]
        own = [d for d in DEFAULT.finditer(body) if not any(a < d.start() < b for a, b in inner)]
        labels = [l.group(1).split("::") for l in LABEL.finditer(body) if not any(a < l.start() < b for a, b in inner)]
        isOfNodes = labels and all(len(l) > 1 and l[-1] in enums.get(l[-2], ()) or len(l) == 1 and l[0] in everyName for l in labels)
        if own and isOfNodes:
            yield m.end() + own[0].start()


def check():
    """That both are found, and nothing else."""
    enums = members("enum class Op : int { Add,  // +\n Sub };\nenum class Kind { A, B = 2 };")
    assert enums == {"Op": {"Add", "Sub"}, "Kind": {"A", "B"}}, enums
    cases = [("switch (x) { case Op::Add: return 1; default: return 2; }", 1), ("switch (x) { case ir::Op::Add: break; case Sub: break; }", 0),
             ("switch (c) { case 'x': return 1; default: return 2; }", 0), ("switch (x) { case Token::Add: return 1; default: return 2; }", 0),
             ("switch (x) { case Sub: switch (c) { case 1: break; default: break; } }", 0),
             ("smec::visit(Overloaded{[](const A&) {}, [](const auto&) {}}, x)", 1), ("std::visit(Overloaded{[](const auto& n) { f(n); }}, x)", 0),
             ("smec::visit(Overloaded{[](const auto& n) { return 1; }}, x)", 1), ("std::visit(Overloaded{[](const AnyOf<A, B> auto&) {}}, x)", 0),
             ("smec::visit(Overloaded{[&](const A&) { all([](const auto& e) { return e.x; }); }}, x)", 0), ('"switch (x) { case Op::Add: default: }"', 0)]
    for text, count in cases:
        found = list(catchAlls(blanked(text))) + list(defaults(blanked(text), enums))
        assert len(found) == count, (text, found)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def main():
    root = os.path.join(os.environ["SMEC_SOURCE_DIR"], "compiler")
    check()
    enums = {}
    for header in NODES:
        for name, names in members(read(os.path.join(root, header))).items():
            enums.setdefault(name, set()).update(names)
    visitors, bad = 0, []
    for folder, _, files in sorted(os.walk(root)):
        for name in sorted(files):
            if not name.endswith((".h", ".cpp")):
                continue
            path = os.path.join(folder, name)
            text = blanked(read(path))
            visitors += len(VISITOR.findall(text))
            where = lambda place: f"compiler/{os.path.relpath(path, root)}:{text.count(chr(10), 0, place) + 1}"
            bad += [f"{where(place)}: a catch-all in a visitor; name the kinds: const AnyOf<A, B> auto&" for place in catchAlls(text)]
            bad += [f"{where(place)}: a default in a switch over nodes; name the members" for place in defaults(text, enums)]
    print("\n".join(bad + [f"{visitors} visitors, {len(enums)} enumerations, {len(bad)} that hide what is added"]))
    return 1 if bad or not visitors or not enums else 0


if __name__ == "__main__":
    sys.exit(main())
