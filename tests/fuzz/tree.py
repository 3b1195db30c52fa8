"""Types, syntax tree and printer of the random programs.

A program is a tree of Node. Every node has a kind, a list of children and named attributes; the shrinker works on that shape alone and
needs to know nothing else. Expressions know enough of the typing rules of the language (operand types and exact intervals) that the
printer can insert the casts that storing needs: a tree that was changed is printed with the casts that it needs now.
"""


class Node:
    """`kind` chooses the printer; `kids` are nodes; `a` holds the rest (names, types, numbers)."""
    __slots__ = ("kind", "kids", "a")

    def __init__(self, kind, *kids, **a):
        self.kind, self.kids, self.a = kind, list(kids), a

    def copy(self):
        twin = Node(self.kind, *[k.copy() for k in self.kids])
        twin.a = dict(self.a)
        return twin


# ---------------------------------------------------------------- types

class Type:
    """`category` is what decides which expressions may take the place of one another."""
    category = "none"

    def __init__(self, text):
        self.text = text


class Int(Type):
    """An integer. `low`, `high`: the values it may hold; `cast`: what a cast to it is called ("" = none needed: a range type).

    `fewest` is the least number of bits that it may have where the width depends on the instance (then `bits` is the most).
    """
    category = "int"

    def __init__(self, bits, signed, text=None, cast=None, limits=None, fewest=None, always=False):
        super().__init__(text or f"{'i' if signed else 'u'}{bits}")
        self.bits, self.signed = bits, signed
        self.low, self.high = limits or ((-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1))
        self.ranged = limits is not None
        self.cast = f"{'i' if signed else 'u'}{bits}" if cast is None else cast
        self.fewest = bits if fewest is None else fewest
        self.always = always          # a value stored here is always cast


class Plain(Type):
    def __init__(self, text, category):
        super().__init__(text)
        self.category = category


BOOL = Plain("bool", "bool")
F32, F64 = Plain("f32", "f32"), Plain("f64", "f64")


class Enum(Type):
    def __init__(self, name, members):
        super().__init__(name)
        self.members, self.category = members, "enum " + name        # members: [(name, value)]


class Struct(Type):
    def __init__(self, name, fields):
        super().__init__(name)
        self.fields, self.category = fields, "struct " + name        # fields: [(name, type)]


class Array(Type):
    def __init__(self, size, element):
        super().__init__(f"[{size}]{element.text}")
        self.size, self.element, self.category = size, element, f"array {size} {element.text}"


def smallest(low, high):
    """The operand type (bits, signed) that holds low … high."""
    if low >= 0:
        return max(high.bit_length(), 1), False
    return max((-low - 1).bit_length(), high.bit_length() if high > 0 else 0) + 1, True


def join(a, b):
    if a[1] == b[1]:
        return max(a[0], b[0]), a[1]
    unsigned, signed = (a, b) if b[1] else (b, a)
    return max(unsigned[0] + 1, signed[0]), True


def holds(target, operand):
    """Whether integer type `target` holds every value of operand type `operand`."""
    bits, signed = operand
    if target.signed:
        return target.fewest >= bits if signed else target.fewest > bits
    return not signed and target.fewest >= bits


# ---------------------------------------------------------------- typing of integer expressions

def isConstant(n):
    """Whether the compiler folds this expression (in some instance)."""
    if n.kind in ("lit", "boollit", "floatlit", "enumlit"):
        return True
    if n.kind == "ref":
        return n.a.get("constant", False)
    return bool(n.kids) and all(isConstant(k) for k in n.kids)


def operandType(n):
    """An operand type (bits, signed) that holds the real one."""
    found = leafType(n)
    return join(found, smallest(*interval(n))) if n.kind not in ("ref", "idx", "fld") and isConstant(n) else found


def leafType(n):
    kind, kids = n.kind, n.kids
    if kind == "lit":
        return smallest(n.a["v"], n.a["v"])
    if kind in ("ref", "fld", "idx", "call", "cast"):
        t = n.a["ty"]
        return (t.bits, t.signed)
    if kind == "bin":
        if n.a["op"] in ("<<", ">>"):
            return operandType(kids[0])
        return join(operandType(kids[0]), operandType(kids[1]))
    if kind == "un":
        return operandType(kids[0])
    if kind == "cond":
        return join(operandType(kids[1]), operandType(kids[2]))
    if kind == "slice":
        return n.a["hi"] - n.a["lo"] + 1, False
    if kind == "plusslice":
        return n.a["width"], False
    if kind in ("cycle", "random"):
        return 64, False
    return builtinType(n)


def builtinType(n):
    name = n.a["name"]
    widths = [(1, False) if k.a.get("cat") == "bool" else operandType(k) for k in n.kids]
    if name in ("min", "max"):
        return join(widths[0], widths[1])
    if name == "abs":
        return widths[0]
    if name == "popcount":
        return widths[0][0].bit_length(), False
    if name == "cat":
        return sum(w[0] for w in widths), False
    return widths[0][0] * n.a["times"], False        # rep


def interval(n):
    """Bounds of the exact value of an integer expression."""
    kind, kids = n.kind, n.kids
    if kind == "lit":
        return n.a["v"], n.a["v"]
    if kind in ("ref", "fld", "idx", "call", "cast"):
        return n.a.get("limits") or (n.a["ty"].low, n.a["ty"].high)
    if kind == "cond":
        (a, b), (c, d) = interval(kids[1]), interval(kids[2])
        return min(a, c), max(b, d)
    if kind == "un":
        return unaryInterval(n)
    if kind == "bin":
        return binaryInterval(n.a["op"], interval(kids[0]), interval(kids[1]))
    if kind == "builtin" and n.a["name"] in ("min", "max", "abs"):
        bounds = [interval(k) for k in kids]
        if n.a["name"] == "abs":
            a, b = bounds[0]
            return 0, max(abs(a), abs(b))
        pick = min if n.a["name"] == "min" else max
        return pick(b[0] for b in bounds), pick(b[1] for b in bounds)
    bits, _ = leafType(n)
    return 0, (1 << bits) - 1


def unaryInterval(n):
    a, b = interval(n.kids[0])
    if n.a["op"] == "-":
        return -b, -a
    if n.a["op"] == "+":
        return a, b
    bits, signed = operandType(n.kids[0])
    low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return (min(low, -b - 1), max(high, -a - 1)) if isConstant(n) else (low, high)


def binaryInterval(op, x, y):
    (a, b), (c, d) = x, y
    if op == "+":
        return a + c, b + d
    if op == "-":
        return a - d, b - c
    if op == "*":
        corners = (a * c, a * d, b * c, b * d)
        return min(corners), max(corners)
    if op == "/":
        top = max(abs(a), abs(b))
        return (-top if a < 0 or c < 0 else 0), top
    if op == "%":
        top = min(max(abs(a), abs(b)), max(abs(c), abs(d)))
        return (-top if a < 0 else 0), (top if b > 0 else 0)
    if op == "<<":
        count = min(max(d, 0), 4096)
        return min(a, a << count), max(b, b << count)
    if op == ">>":
        return min(a, 0), max(b, 0)
    if op == "&" and (a >= 0 or c >= 0):
        return 0, min([high for low, high in (x, y) if low >= 0])
    bits, signed = smallest(min(a, c), max(b, d))
    return (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


# ---------------------------------------------------------------- printing of expressions

LEVELS = {"*": 9, "/": 9, "%": 9, "+": 8, "-": 8, "<<": 7, ">>": 7, "<": 6, ">": 6, "<=": 6, ">=": 6, "==": 5, "!=": 5,
          "&": 4, "^": 4, "|": 4, "&&": 3, "||": 2}


def literal(v, style=""):
    if v < 0:
        return "-" + literal(-v, style)
    if style == "x":
        digits = f"{v:X}"
        return "0x" + (digits[:-4] + "_" + digits[-4:] if len(digits) > 4 else digits)
    return f"{v:#b}" if style == "b" else str(v)


def level(n):
    if n.a.get("paren"):
        return 11
    if n.kind == "bin":
        return LEVELS[n.a["op"]]
    if n.kind == "un" or n.kind == "lit" and n.a["v"] < 0 or n.kind == "floatlit" and n.a["v"] < 0:
        return 10
    return 1 if n.kind == "cond" else 11


def at(n, least):
    """Text of `n` where something that binds at `least` or tighter must stand."""
    text = bare(n)
    return f"({text})" if n.a.get("paren") or level(n) < least else text


def text(n):
    return at(n, 0)


def bare(n):
    return PRINTERS[n.kind](n)


def printBinary(n):
    own = LEVELS[n.a["op"]]
    return f"{at(n.kids[0], own)} {n.a['op']} {at(n.kids[1], own + 1)}"


def printUnary(n):
    return n.a["op"] + at(n.kids[0], 11)


def printCond(n):
    return f"{at(n.kids[0], 2)} ? {at(n.kids[1], 2)} : {at(n.kids[2], 2)}"


def printBuiltin(n):
    arguments = [text(k) for k in n.kids] + ([str(n.a["times"])] if n.a["name"] == "rep" else [])
    return f"{n.a['name']}({', '.join(arguments)})"


def printCall(n):
    return f"{n.a['name']}({', '.join(stored(t, k) for t, k in zip(n.a['params'], n.kids))})"


def printStruct(n):
    parts = (f"{name}: {stored(t, k)}" for (name, t), k in zip(n.a["ty"].fields, n.kids))
    return f"{n.a['ty'].text}({', '.join(parts)})"


def stored(target, n):
    """Text of `n` where it is stored into `target`: with a cast where the language asks for one."""
    if isinstance(target, Int) and target.cast and n.a.get("cat") == "int" and n.kind != "undefined":
        if target.always or not holds(target, operandType(n)):
            return f"{target.cast}({text(n)})"
    return text(n)


PRINTERS = {
    "lit": lambda n: n.a.get("as") or literal(n.a["v"], n.a.get("style", "")),
    "boollit": lambda n: "true" if n.a["v"] else "false",
    "floatlit": lambda n: repr(float(n.a["v"])),
    "enumlit": lambda n: n.a["text"],
    "undefined": lambda n: "'U",
    "ref": lambda n: n.a["name"],
    "fld": lambda n: f"{bare(n.kids[0])}.{n.a['name']}",
    "idx": lambda n: f"{bare(n.kids[0])}[{text(n.kids[1])}]",
    "bit": lambda n: f"{bare(n.kids[0])}[{text(n.kids[1])}]",
    "slice": lambda n: f"{bare(n.kids[0])}[{n.a['hi']}:{n.a['lo']}]",
    "plusslice": lambda n: f"{bare(n.kids[0])}[{text(n.kids[1])} +: {n.a['width']}]",
    "bin": printBinary, "un": printUnary, "cond": printCond, "builtin": printBuiltin, "call": printCall,
    "cast": lambda n: f"{n.a['name']}({text(n.kids[0])})",
    "cycle": lambda n: "cycle()", "random": lambda n: "random()",
    "struct": printStruct,
    "array": lambda n: "[" + ", ".join(stored(n.a["ty"].element, k) for k in n.kids) + "]",
}


# ---------------------------------------------------------------- printing of statements and declarations

def indented(lines):
    return ["    " + line for line in lines]


def block(n):
    lines = []
    for k in n.kids:
        lines += STATEMENTS[k.kind](k)
    return lines


def braced(head, body, tail="}"):
    return [head + " {"] + indented(block(body)) + [tail]


def assign(n):
    return [f"{bare(n.kids[0])} {n.a['op']}= {assigned(n)};"]


def assigned(n):
    target, value = n.kids[0].a["ty"], n.kids[1]
    if n.a["op"] in ("<<", ">>"):
        return text(value)
    return stored(target, value)


def ifs(n):
    """Children: condition, block, condition, block …, perhaps a last block."""
    lines, kids, word = [], n.kids, "if"
    for i in range(0, len(kids) - 1, 2):
        lines += braced(f"{word} ({text(kids[i])})", kids[i + 1])
        word = "elif"
    if len(kids) % 2:
        lines += braced("else", kids[-1])
    return lines


def switch(n):
    """Children: subject, then one block a case; the labels are attributes, None for the default."""
    lines = [f"switch {at(n.kids[0], 11)} {{"]
    for labels, body in zip(n.a["labels"], n.kids[1:]):
        lines += indented(braced("default" if labels is None else "case " + ", ".join(labels), body))
    return lines + ["}"]


def arguments(n):
    return "".join(", " + text(k) for k in n.kids)


STATEMENTS = {
    "assign": assign, "if": ifs, "switch": switch,
    "busassign": lambda n: [f"{n.a['to']} = {n.a['from']};"],
    "for": lambda n: braced(f"for {n.a['name']} = {text(n.kids[0])} {n.a['how']} {text(n.kids[1])}", n.kids[2]),
    "while": lambda n: braced(f"while ({text(n.kids[0])})", n.kids[1]),
    "block": lambda n: ["{"] + indented(block(n)) + ["}"],
    "var": lambda n: [f"var {n.a['name']}: {n.a['ty'].text} = {stored(n.a['ty'], n.kids[0])};"],
    "trace": lambda n: [f"trace(\"{n.a['format']}\"{arguments(n)});"],
    "assert": lambda n: [f"{n.a.get('word', 'assert')}({text(n.kids[0])}, \"{n.a['text']}\");"],
    "cover": lambda n: [f"cover({text(n.kids[0])}, \"{n.a['text']}\");"],
    "return": lambda n: [f"return {stored(n.a['ty'], n.kids[0])};"],
    "word": lambda n: [n.a["text"] + ";"],
    "wait": lambda n: [f"wait {text(n.kids[0])};"],
    "waituntil": lambda n: [f"wait until ({text(n.kids[0])});"],
}


def declared(t, init):
    """`: type = init` of a variable or field."""
    value = "" if init is None else " = " + init
    return f": {t.text}{value}"


def items(n):
    lines = []
    for k in n.kids:
        lines += DECLARATIONS[k.kind](k)
    return lines


def printProc(n):
    """Children: parameters, declarations, body."""
    params = ", ".join(p.a["text"] for p in n.kids[0].kids)
    word = {"clocked": "proc", "async": "async proc", "sim": "sim proc", "sync": "sync proc"}[n.a["mode"]]
    return [f"{word} {n.a['name']}({params})"] + indented(items(n.kids[1])) + ["{"] + indented(block(n.kids[2])) + ["}", ""]


def printNetwork(n):
    params = ", ".join(p.a["text"] for p in n.kids[0].kids)
    return [f"network {n.a['name']}({params}) {{"] + indented(items(n.kids[1])) + ["}", ""]


def printFunction(n):
    params = ", ".join(f"{name}: {t.text}" for name, t in n.a["params"])
    return [f"func {n.a['name']}({params}): {n.a['ty'].text} {{"] + indented(block(n.kids[0])) + ["}"]


def printGenerate(n):
    return [f"generate {n.a['head']} {{"] + indented(items(n.kids[0])) + ["}"] + (
        ["else {"] + indented(items(n.kids[1])) + ["}"] if len(n.kids) > 1 else [])


def argument(n, port, value):
    return f"{port}: {value}" if n.a.get("named") else value


DECLARATIONS = {
    "proc": printProc, "network": printNetwork, "func": printFunction, "generate": printGenerate,
    "line": lambda n: [n.a["text"]],                       # a declaration that is not worth looking into
    "instance": lambda n: [f"instance {n.a['name']} of {n.a['of']}({', '.join(argument(n, *a) for a in n.a['args'])});"],
    "bus": lambda n: [f"{n.a['head']} {{ " + " ".join(k.a["text"] for k in n.kids) + " };"],       # or a type; children: fields
    "vardecl": lambda n: [f"var {n.a['name']}{declared(n.a['ty'], n.a['init'])};"],
    "items": items,
}


def source(program):
    """The text of a program (children: module items)."""
    return "\n".join(items(program)) + "\n"
