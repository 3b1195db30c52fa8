"""Mutant schemata: a C++ source with every operator and condition replaced by a call that knows its mutants.

    a < b            ->  ::mutation::less(17, a, b)                               17: a <= b   18: a >= b
    if (isFlat(t))   ->  if (::mutation::condition(19, static_cast<bool>(isFlat(t))))    19: !isFlat(t)
    a && b           ->  ::mutation::both(20, …, [&] { return …; })              20: a || b   21: a   22: b

libclang says where the operators stand and what their types are; the text between two operands says which operator it is,
so that what a macro wrote is never touched. Left out: constant expressions (constexpr, static_assert, case labels, initialisers
of namespace scope, default arguments), pointer and iterator arithmetic, text (`+` of strings, `<<` of streams), headers.
Lines stay where they are, so that a compiler's message about rewritten text names the line of the source.
"""
import re
import sys

sys.path.append("/usr/lib/python3/dist-packages")   # Debian's python3-clang-16, for any python3
from clang import cindex                            # noqa: E402
from clang.cindex import CursorKind, TypeKind       # noqa: E402

COMPARISONS = {"<": ("less", "<=", ">="), "<=": ("lessEqual", "<", ">"), ">": ("greater", ">=", "<="), ">=": ("greaterEqual", ">", "<"),
               "==": ("equal", "!="), "!=": ("notEqual", "==")}
LOGIC = {"&&": ("both", "||"), "||": ("either", "&&")}
ARITHMETIC = {"+": ("plus", "-"), "-": ("minus", "+"), "*": ("times", "+"), "/": ("divided", "*"), "%": ("modulo", "/"),
              "<<": ("shiftLeft", ">>"), ">>": ("shiftRight", "<<"), "&": ("bitAnd", "|"), "|": ("bitOr", "&")}
SKIPPED = {CursorKind.STATIC_ASSERT, CursorKind.PARM_DECL, CursorKind.TEMPLATE_NON_TYPE_PARAMETER, CursorKind.TYPEDEF_DECL,
           CursorKind.TYPE_ALIAS_DECL, CursorKind.ENUM_DECL, CursorKind.FIELD_DECL}
FUNCTIONS = {CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE, CursorKind.CONSTRUCTOR,
             CursorKind.CONVERSION_FUNCTION, CursorKind.DESTRUCTOR}
NUMBERS = {TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG, TypeKind.UINT128,
           TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG, TypeKind.INT128,
           TypeKind.FLOAT, TypeKind.DOUBLE}


def kindOf(cursor):
    try:
        return cursor.kind
    except ValueError:      # newer than the binding
        return CursorKind.UNEXPOSED_EXPR


class Site:
    """A place with one or more mutants: `form` has a {} for each operand's text; `mutants` says what each is."""

    def __init__(self, start, end, operands, form, mutants):
        self.start, self.end, self.operands, self.form, self.mutants = start, end, operands, form, mutants
        self.first = -1       # number of its first mutant; set by number()

    def asList(self):
        return [self.start, self.end, self.operands, self.form, self.mutants]


class Finder:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.sites = {}

    # ---------------------------------------------------------------- where things stand

    def range(self, cursor):
        extent = cursor.extent
        if extent.start.file is None or extent.start.file.name != self.path:
            return None
        return extent.start.offset, extent.end.offset

    def slice(self, start, end):
        return self.text[start:end].decode("utf-8", "replace")

    def before(self, at):
        text = self.slice(max(0, at - 200), at).rstrip()
        return text[-1:]

    def after(self, at):
        text = self.slice(at, at + 200).lstrip()
        return text[:1]

    def add(self, start, end, operands, form, mutants):
        self.sites.setdefault((start, end), Site(start, end, operands, form, mutants))

    # ---------------------------------------------------------------- the walk

    def visit(self, cursor, inFunction=False):
        kind = kindOf(cursor)
        if kind in SKIPPED:
            return
        if kind in FUNCTIONS:
            inFunction = True
            if self.isConstant(cursor):
                return
        elif kind == CursorKind.VAR_DECL and (not inFunction or self.isConstant(cursor)):
            return
        children = list(cursor.get_children())
        if inFunction:
            self.look(cursor, children)
        if kind == CursorKind.CASE_STMT or self.isConstantIf(cursor):
            children = children[1:]
        for child in children:
            self.visit(child, inFunction)

    def isConstant(self, cursor):
        where = self.range(cursor)
        if where is None:
            return True
        return re.search(r"\b(constexpr|consteval)\b", re.split(r"[{=]", self.slice(*where), 1)[0]) is not None

    def isConstantIf(self, cursor):
        where = self.range(cursor) if kindOf(cursor) == CursorKind.IF_STMT else None
        return where is not None and re.match(r"if\s*(constexpr|consteval)", self.slice(where[0], where[0] + 20)) is not None

    def look(self, cursor, children):
        kind = kindOf(cursor)
        if kind in (CursorKind.BINARY_OPERATOR, CursorKind.CALL_EXPR, CursorKind.UNEXPOSED_EXPR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR):
            if len(children) >= 2:
                self.binary(cursor, children[0], children[-1])
        elif kind == CursorKind.UNARY_OPERATOR and len(children) == 1:
            self.negation(cursor, children[0])
        elif kind in (CursorKind.IF_STMT, CursorKind.WHILE_STMT, CursorKind.FOR_STMT):
            self.statement(cursor, children)
        elif kind == CursorKind.CONDITIONAL_OPERATOR and children:
            self.condition(children[0], "?")
        elif kind == CursorKind.RETURN_STMT and len(children) == 1:
            self.result(children[0])

    def binary(self, cursor, left, right):
        whole, a, b = self.range(cursor), self.range(left), self.range(right)
        if not whole or not a or not b or a[0] != whole[0] or b[1] != whole[1] or a[1] > b[0]:
            return
        between = self.slice(a[1], b[0])
        op = re.sub(r"//[^\n]*", "", between).strip()
        lines = "\n" * between.count("\n")
        left, right = self.slice(*a), self.slice(*b)
        if op in COMPARISONS:
            name, *others = COMPARISONS[op]
            self.add(*whole, [a, b], f"::mutation::{name}(@, {{}},{lines} {{}})", [f"{op} -> {other}" for other in others])
        elif op in LOGIC:
            name, other = LOGIC[op]
            form = f"::mutation::{name}(@, static_cast<bool>({{}}),{lines} [&] {{{{ return static_cast<bool>({{}}); }}}})"
            self.add(*whole, [a, b], form, [f"{op} -> {other}", f"{op}: only the left side", f"{op}: only the right side"])
        elif op in ARITHMETIC and self.isNumber(cursor):
            name, other = ARITHMETIC[op]
            if op in "+-" and right == "1":
                self.add(*whole, [a], f"::mutation::{name}One(@, {{}}{lines})", [f"{op} 1 -> {op} 0"])
            else:
                self.add(*whole, [a, b], f"::mutation::{name}(@, {{}},{lines} {{}})", [f"{op} -> {other}"])
        elif op[:-1] in ARITHMETIC and op.endswith("=") and self.isNumber(cursor):
            name, other = ARITHMETIC[op[:-1]]
            self.add(*whole, [a, b], f"::mutation::{name}To(@, {{}},{lines} {{}})", [f"{op} -> {other}="])

    def isNumber(self, cursor):
        type = cursor.type.get_canonical()
        return type.kind in NUMBERS or re.match(r"(const )?boost::multiprecision::", type.spelling) is not None

    def negation(self, cursor, operand):
        whole, inner = self.range(cursor), self.range(operand)
        if whole and inner and self.slice(whole[0], inner[0]).strip() == "!" and inner[1] == whole[1]:
            self.add(*whole, [inner], "::mutation::condition(@, !static_cast<bool>({}))", ["!a -> a"])

    def statement(self, cursor, children):
        where = self.range(cursor)
        if not where or self.isConstantIf(cursor):
            return
        for child in children:
            inner = self.range(child)
            if not inner or not kindOf(child).is_expression():
                continue
            around = self.before(inner[0]) + self.after(inner[1])
            if around in ((";;",) if kindOf(cursor) == CursorKind.FOR_STMT else ("()", ";)")):
                self.condition(child, around[1])
                return

    def condition(self, cursor, end):
        """Conditions that are operators themselves have mutants already."""
        where = self.range(cursor)
        if where and where not in self.sites and where[0] < where[1] and self.after(where[1]) == end and not self.isOperator(cursor):
            self.add(*where, [where], "::mutation::condition(@, static_cast<bool>({}))", ["c -> !c"])

    def isOperator(self, cursor):
        children = list(cursor.get_children())
        if len(children) == 1 and kindOf(cursor) in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
            return self.isOperator(children[0])
        before = len(self.sites)
        self.look(cursor, children)
        return len(self.sites) > before

    def result(self, cursor):
        where = self.range(cursor)
        if where and self.slice(*where) in ("true", "false"):
            value = self.slice(*where)
            self.add(*where, [where], "::mutation::condition(@, {})", [f"return {value} -> return {'false' if value == 'true' else 'true'}"])


def findSites(path, arguments, folder=None):
    """The sites of one source, outermost first. `arguments` are the compiler's, without its name, input and output."""
    unit = cindex.Index.create().parse(path, args=arguments)
    problems = [d.spelling for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if problems:
        raise RuntimeError(f"{path}: {problems[0]}")
    with open(path, "rb") as f:
        finder = Finder(path, f.read())
    for cursor in unit.cursor.get_children():
        if cursor.location.file is not None and cursor.location.file.name == path:
            finder.visit(cursor)
    return nested(sorted(finder.sites.values(), key=lambda s: (s.start, -s.end)))


def nested(sites):
    """Without sites that overlap another, or that stand across an operand's border."""
    kept, stack = [], []
    for site in sites:
        while stack and stack[-1].end <= site.start:
            stack.pop()
        if stack and not any(a <= site.start and site.end <= b for a, b in stack[-1].operands):
            continue
        kept.append(site)
        stack.append(site)
    return kept


def number(sites, first):
    """Numbers the mutants of the sites from `first` on; returns the next free number."""
    for site in sites:
        site.first = first
        first += len(site.mutants)
    return first


def render(text, sites):
    """The text with the sites rewritten. Sites stand in order, outermost first."""
    def piece(start, end, inside):
        out, at, i = [], start, 0
        while i < len(inside):
            site = inside[i]
            last = i + 1
            while last < len(inside) and inside[last].start < site.end:
                last += 1
            children = inside[i + 1:last]
            parts = [piece(a, b, [c for c in children if a <= c.start and c.end <= b]) for a, b in site.operands]
            out += [text[at:site.start].decode(), site.form.replace("@", str(site.first)).format(*parts)]
            at, i = site.end, last
        return "".join(out) + text[at:end].decode()

    return '#include "mutation.h"\n#line 1\n' + piece(0, len(text), sites)
