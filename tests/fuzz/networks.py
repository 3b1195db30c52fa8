"""Random networks: types, constants, functions, processes, and the ways to wire them.

`network(seed, features, prefix)` makes one program: the items of a module whose last network, `<prefix>_net`, takes no parameters. Networks
with different prefixes fit into one file. Each uses only some of the features: few at a time reach deeper.
"""
import random

from generate import Body, Names, isRanged, rangeType
from tree import BOOL, F32, F64, Array, Enum, Int, Node, Struct


class Shape:
    """The fields of a bus, and the bus type that declares them (if one does)."""

    def __init__(self, fields, typeName=None):
        self.fields, self.typeName = fields, typeName


class Class:
    """A process with its ports: `ins` and `outs` are [(port name, shape)], `consts` [(name, low, high)]."""

    def __init__(self, name, mode, ins, outs, consts):
        self.name, self.mode, self.ins, self.outs, self.consts = name, mode, ins, outs, consts
        self.typed = set()       # names of ports with a bus type
        self.owned = None        # (bus name, shape) of a bus of its own


class Bus:
    """A bus that can be read: the text that names it where the parts of the main network stand."""

    def __init__(self, text, shape):
        self.text, self.shape = text, shape


def network(seed, features, prefix):
    rng = random.Random(seed)
    keep = rng.choice((0.3, 0.6, 0.8, 0.9, 1.0))
    return Builder(rng, frozenset(f for f in features if rng.random() < keep), prefix).build()


def walk(n):
    yield n
    for k in n.kids:
        yield from walk(k)


class Builder:
    def __init__(self, rng, features, prefix):
        self.rng, self.features, self.prefix = rng, features, prefix
        self.names = Names(prefix)
        self.program = Node("program")
        self.main = Node("items")
        self.buses = []
        self.enums, self.structs, self.aliases, self.globals, self.functions = [], [], [], [], []
        self.risk = rng.choice((0.0, 0.0, 0.0, 0.03, 0.1)) if "failures" in features else 0.0

    def has(self, feature):
        return feature in self.features

    def chance(self, p):
        return self.rng.random() < p

    def line(self, text, where=None):
        (where or self.program).kids.append(Node("line", text=text))

    # ------------------------------------------------------------ module level

    def body(self):
        b = Body(self.rng, self.features, self.names, self.risk)
        b.enums, b.structs, b.aliases = self.enums, self.structs, self.aliases
        b.places, b.functions = list(self.globals), list(self.functions)
        return b

    def build(self):
        rng = self.rng
        if self.has("aliases"):
            for _ in range(rng.choice((0, 0, 1, 2))):
                t, name = self.body().intType(), self.names.outer("w")
                self.line(f"type {name}: {t.text};")
                self.aliases.append(Int(t.bits, t.signed, name, name))
        if self.has("enums"):
            for _ in range(rng.randint(0, 2)):
                self.makeEnum()
        if self.has("structs"):
            for _ in range(rng.randint(0, 2)):
                self.makeStruct()
        if self.has("consts"):
            for _ in range(rng.randint(0, 2)):
                self.makeConst()
        if self.has("functions"):
            for _ in range(rng.choice((0, 0, 1, 1, 2))):
                b = self.body()
                self.program.kids.append(b.makeFunction(self.names.outer("f")))
                self.functions.append(b.functions[-1])
        self.shapes = [self.makeShape() for _ in range(rng.randint(1, 3))]
        parts = [self.randomWiring] * 4 + [self.chain, self.ring, self.tree]
        for feature, part in (("generate", self.grid), ("nested", self.subnetwork), ("nested", self.subnetwork), ("fields", self.shared),
                              ("poly", self.poly), ("arrayports", self.gather), ("arrayports", self.scatter), ("flip", self.handshake),
                              ("flip", self.handshake)):
            if self.has(feature):
                parts.append(part)
        for _ in range(rng.choice((1, 1, 2, 3))):
            rng.choice(parts)()
        if self.has("stop") and self.chance(0.08):
            self.stopper()
        rng.shuffle(self.main.kids)
        self.program.kids.append(Node("network", Node("items"), self.main, name=self.prefix + "_net"))
        return self.program

    def makeEnum(self):
        name, members, value = self.names.outer("e"), [], -1
        sparse = self.chance(0.25)
        for _ in range(self.rng.randint(1, 6)):
            value += 1 if not sparse else self.rng.randint(1, 9)
            members.append((self.names.outer("M"), value))
        self.line(f"enum {name} {{ " + ", ".join(f"{m} = {v}" if sparse else m for m, v in members) + " }")
        self.enums.append(Enum(name, members))

    def makeStruct(self):
        name = self.names.outer("s")
        b = self.body()
        fields = [(self.names.fresh("m"), b.anyType(1)) for _ in range(self.rng.randint(1, 4))]
        if not self.has("structranges"):
            fields = [(f, BOOL if isRanged(t) else t) for f, t in fields]
        self.line(f"type {name}: struct {{ " + " ".join(f"{f}: {t.text};" for f, t in fields) + " };")
        self.structs.append(Struct(name, fields))

    def makeConst(self):
        name, b = self.names.outer("k"), self.body()
        if self.chance(0.4):
            t = Array(self.rng.choice((2, 3, 4, 8)), self.rng.choice(self.structs) if self.structs and self.chance(0.2) else b.intType())
            self.line(f"const {name}: {t.text} = {self.initial(t)};")
            self.globals.append(Node("ref", name=name, ty=t, cat=t.category, constant=True, **{"global": True}))
            return
        v = b.number()
        t = Int(max(v.bit_length(), 1) + (v < 0), v < 0)
        if t.bits > 64 and not self.has("wide"):
            v, t = 7, Int(3, False)
        self.line(f"const {name}: {self.rng.choice((t.text, 'int' if v < 0 else 'uint'))} = {v};")
        self.globals.append(Node("ref", name=name, ty=t, cat="int", limits=(v, v), constant=True, **{"global": True}))

    def initial(self, t):
        """Text of a constant of type t."""
        rng = self.rng
        if isinstance(t, Int):
            low, high = t.low, t.high
            if t.fewest != t.bits:
                low, high = 0, 1
            return str(rng.choice((low, high, max(low, min(high, rng.randint(-9, 9))), rng.randint(low, high))))
        if t is BOOL:
            return rng.choice(("true", "false"))
        if isinstance(t, Enum):
            return f"{t.text}.{rng.choice(t.members)[0]}"
        if t in (F32, F64):
            return rng.choice(("0.0", "1.5", "-2.25", "1e6", "0.1"))
        if isinstance(t, Struct):
            return f"{t.text}({', '.join(f'{name}: {self.initial(inner)}' for name, inner in t.fields)})"
        return "[" + ", ".join(self.initial(t.element) for _ in range(t.size)) + "]"

    def makeShape(self):
        b = self.body()
        fields = [(self.names.fresh("v"), b.anyType(2)) for _ in range(self.rng.choice((1, 1, 2, 2, 3, 4)))]
        if self.chance(0.4):
            return Shape(fields)
        name = self.names.outer("b")
        self.program.kids.append(Node("bus", *self.fieldList(fields), head=f"type {name}: bus"))
        return Shape(fields, name)

    def fieldList(self, fields, held=False):
        parts = []
        for name, t in fields:
            word = "hold " if held and self.chance(0.5) else ""
            init = f" = {self.initial(t)}" if self.chance(0.4) or isRanged(t) and not t.low <= 0 <= t.high else ""
            parts.append(Node("line", text=f"{word}{name}: {t.text}{init};"))
        return parts

    # ------------------------------------------------------------ buses

    def addBus(self, shape, where=None, dims="", combinational=False, name=None, exposed=False):
        """Declares a bus of that shape and returns its name."""
        where, name = where or self.main, name or self.names.fresh("b")
        words = ""
        if self.has("hold") and not combinational and self.chance(0.2):
            words += "hold "
        if self.has("delay") and self.chance(0.15):
            words += f"delay {self.rng.randint(1, 4)} "
        if exposed or self.chance(0.05):
            words += "exposed "
        if shape.typeName and self.chance(0.6):
            where.kids.append(Node("line", text=f"{words}bus {name}{dims}: {shape.typeName};"))
            return name
        fields = list(shape.fields)
        if self.chance(0.3):
            self.rng.shuffle(fields)
        if self.chance(0.15) and (self.has("copyextra") or not shape.typeName):
            fields.append((self.names.fresh("extra"), BOOL))
        held = self.has("hold") and not combinational and self.chance(0.3)
        where.kids.append(Node("bus", *self.fieldList(fields, held), head=f"{words}bus {name}{dims}"))
        return name

    def readable(self, shape):
        """A bus of that shape that exists already; one that nobody drives where there is none."""
        fits = [b for b in self.buses if b.shape is shape]
        if fits and self.chance(0.95):
            return self.rng.choice(fits).text
        exposed = self.has("inputs") and self.chance(0.5)
        bus = Bus(self.addBus(shape, exposed=exposed), shape)
        if exposed:
            self.main.kids[-1].a.update(bus=bus.text, input=shape.fields)
        self.buses.append(bus)
        return bus.text

    # ------------------------------------------------------------ processes

    def portText(self, direction, name, shape, c=None):
        if shape.typeName and self.chance(0.5):
            if c is not None:
                c.typed.add(name)
            return f"{direction} {name}: {shape.typeName}"
        return f"{direction} {name}"

    def makeClass(self, ins, outs, mode=None, consts=None, written=None, owned=False):
        """A process over ports of these shapes. `written`: {out index: fields it drives} where others drive the rest."""
        rng = self.rng
        if mode is None:
            mode = rng.choice(("clocked", "clocked", "clocked", "sync"))
            if self.has("sim") and self.chance(0.15):
                mode = "sim"
        if consts is None:
            consts = [(self.names.fresh("g"),) + rng.choice(((0, 15), (-8, 7), (1, 6))) for _ in range(rng.choice((0, 0, 1, 2)))]
        c = Class(self.names.outer("p"), mode, [(self.names.fresh("x"), s) for s in ins], [(self.names.fresh("y"), s) for s in outs], consts)
        b, params, declarations = self.body(), Node("items"), Node("items")
        for name, shape in c.ins:
            params.kids.append(Node("line", text=self.portText("in", name, shape, c), port=name))
            self.addFields(b, name, shape.fields, False)
        for i, (name, shape) in enumerate(c.outs):
            fields = shape.fields if written is None or i not in written else written[i]
            params.kids.append(Node("line", text=self.portText("out", name, shape, c) if fields is shape.fields else f"out {name}", port=name))
            self.addFields(b, name, fields, True, mode != "async")
        for name, low, high in consts:
            self.constParam(b, params, name, low, high)
        self.variables(b, declarations)
        if self.has("functions") and self.chance(0.15):
            declarations.kids.append(b.makeFunction(self.names.fresh("local")))
        if owned:
            shape = rng.choice(self.shapes)
            c.owned = (self.addBus(shape, declarations), shape)
            self.addFields(b, c.owned[0], shape.fields, True)
            if self.has("inner") and self.chance(0.3):
                self.innerInstance(b, c, declarations)
        self.program.kids.append(Node("proc", params, declarations, self.classBody(b, c, mode), name=c.name, mode=mode))
        return c

    def innerInstance(self, b, c, declarations):
        """An instance inside of the process: it reads the process's own bus, and the process reads its answer."""
        name, shape = c.owned
        inner = self.makeClass([shape], [shape], "clocked")
        answer = self.addBus(shape, declarations)
        self.addFields(b, answer, shape.fields, False)
        self.instantiate(inner, [name], [answer], declarations)

    def addFields(self, b, port, fields, driven, readable=True):
        for name, t in fields:
            ref = Node("ref", name=f"{port}.{name}", ty=t, cat=t.category)
            if readable:
                b.places.append(ref)
            if driven:
                b.targets.append(ref)

    def constParam(self, b, params, name, low, high):
        t = Int(5, True) if low < 0 else Int(4, False)
        form = self.rng.choice((f"const {name}", f"const {name}: {t.text}", f"const {name}: i8", f"const {name}: int"))
        if form.endswith("i8"):
            t = Int(8, True)
        params.kids.append(Node("line", text=form, port=name))
        b.places.append(Node("ref", name=name, ty=t, cat="int", limits=(low, high), constant=True))

    def variables(self, b, declarations):
        for _ in range(self.rng.choice((0, 1, 2, 2, 3, 4))):
            t = b.anyType(2)
            name = self.names.fresh("a")
            init = self.initial(t)
            if isinstance(t, Array) and not isinstance(t.element, (Array, Struct)) and self.chance(0.3):
                init = self.initial(t.element)
            declarations.kids.append(Node("vardecl", name=name, ty=t, init=None if self.chance(0.3) else init))
            ref = Node("ref", name=name, ty=t, cat=t.category)
            b.places.append(ref)
            b.targets.append(ref)

    def classBody(self, b, c, mode):
        rng = self.rng
        b.waits = self.has("wait") and mode != "async" and self.chance(0.4)
        b.sim, b.combinational = mode == "sim", mode == "async"
        body = b.statements(rng.randint(1, 6), rng.choice((0, 1, 2, 2, 3)))
        if self.chance(0.85):         # most processes drive every field
            for target in b.targets:
                if "." in target.a["name"]:
                    value = Node("assign", target.copy(), b.valueFor(target.a["ty"], 2), op="")
                    body.kids.insert(rng.randint(0, len(body.kids)) if self.chance(0.5) else len(body.kids), value)
        if {name for name, _ in c.ins + c.outs} == c.typed and len(c.outs) == 1 and c.ins and c.ins[0][1] is c.outs[0][1] and self.chance(0.3):
            body.kids.insert(0, Node("busassign", to=c.outs[0][0], **{"from": c.ins[0][0]}))
        body.kids.sort(key=lambda k: k.kind != "var")          # what follows may name these
        return body

    # ------------------------------------------------------------ instances

    def constArguments(self, c, index=None):
        args = []
        for name, low, high in c.consts:
            v = str(self.rng.randint(low, high))
            if index is not None and self.chance(0.7):
                span = high - low + 1
                v = f"({index}) % {span} + {low}" if low else f"({index}) % {span}"
            args.append((name, v))
        return args

    def instantiate(self, c, ins, outs, where=None, name=None, index=None):
        """`ins` and `outs` are texts of buses. Returns the instance's name."""
        given = [(p, text) for (p, _), text in zip(c.ins + c.outs, ins + outs)] + self.constArguments(c, index)
        named = self.chance(0.25)
        if named:
            self.rng.shuffle(given)
        name = name or ("_" if c.owned is None and self.chance(0.3) else self.names.fresh("n"))
        (where or self.main).kids.append(Node("instance", name=name, of=c.name, args=given, named=named))
        return name

    def twin(self, c):
        """The same process under another name: the compiler may make one class of the two."""
        original = next(k for k in self.program.kids if k.kind == "proc" and k.a["name"] == c.name)
        copy, other = original.copy(), Class(self.names.outer("p"), c.mode, c.ins, c.outs, c.consts)
        copy.a["name"], other.owned = other.name, c.owned
        if self.chance(0.5):
            change = [n for n in walk(copy) if n.kind == "trace"]
            for n in change[:1]:
                n.a["format"] = "twin " + n.a["format"]
        self.program.kids.append(copy)
        return other

    def pick(self, most):
        return [self.rng.choice(self.shapes) for _ in range(self.rng.randint(0, most))]

    def randomWiring(self):
        rng, later = self.rng, []
        for _ in range(rng.randint(1, 3)):
            outs = self.pick(2) or [rng.choice(self.shapes)]
            c = self.makeClass(self.pick(3), outs, owned=self.has("owned") and self.chance(0.2))
            twin = self.twin(c) if self.has("twins") and self.chance(0.25) else c
            for c in [twin] * (twin is not c) + [c] * rng.choice((1, 1, 1, 2, 3)):
                names = [self.addBus(s) for s in outs]
                self.buses += [Bus(n, s) for n, s in zip(names, outs)]
                later.append((c, names, self.names.fresh("n") if c.owned else None))
                if c.owned:
                    self.buses.append(Bus(f"{later[-1][2]}.{c.owned[0]}", c.owned[1]))
        if self.has("async"):
            for _ in range(rng.randint(0, 3)):
                self.combinational()
        for c, outs, name in later:
            self.instantiate(c, [self.readable(s) for _, s in c.ins], outs, name=name)

    def combinational(self):
        """Reads only buses that exist already, so that there is no cycle."""
        outs = self.pick(1) or [self.rng.choice(self.shapes)]
        c = self.makeClass(self.pick(2), outs, "async")
        for _ in range(self.rng.choice((1, 1, 2))):
            ins = [self.readable(s) for _, s in c.ins]
            names = [self.addBus(s, combinational=True) for s in outs]
            self.instantiate(c, ins, names)
            self.buses += [Bus(n, s) for n, s in zip(names, outs)]

    def many(self, few, lots):
        """Now and then enough instances that they are run side by side, in chunks, by several threads."""
        return self.rng.choice(lots if self.has("many") and self.chance(0.25) else few)

    def generated(self, head, c, ins, outs, where=None):
        """An array of instances under `generate`."""
        inner = Node("items")
        self.instantiate(c, ins, outs, inner, self.names.fresh("n") + "[i]", "i")
        (where or self.main).kids.append(Node("generate", inner, head=head))
        return inner.kids[-1].a["name"][:-3]

    def ring(self):
        shape, n = self.rng.choice(self.shapes), self.many((1, 2, 3, 5, 8, 17), (33, 64, 100, 131, 257))
        two = self.chance(0.4)
        c = self.makeClass([shape, shape] if two else [shape], [shape], owned=self.has("owned") and self.chance(0.2))
        bus = self.addBus(shape, dims=f"[{n}]")
        ins = [f"{bus}[i]"] + ([f"{bus}[(i + {self.rng.randint(1, n)}) % {n}]"] if two else [])
        name = self.generated(self.rng.choice((f"i = 0 until {n}", f"i = 0 to {n - 1}")), c, ins, [f"{bus}[(i + 1) % {n}]"])
        self.buses += [Bus(f"{bus}[{k}]", shape) for k in range(min(n, 3))]
        if c.owned:
            self.buses.append(Bus(f"{name}[0].{c.owned[0]}", c.owned[1]))

    def chain(self):
        """Clocked or combinational stages, the first fed by some bus."""
        shape, n = self.rng.choice(self.shapes), self.rng.choice((1, 2, 4, 9))
        mode = "async" if self.has("async") and self.chance(0.5) else None
        feed = self.readable(shape)
        c = self.makeClass([shape], [shape], mode)
        bus = self.addBus(shape, dims=f"[{n}]", combinational=mode == "async")
        self.instantiate(c, [feed], [f"{bus}[0]"])
        if n > 1:
            self.generated(f"i = 1 until {n}", c, [f"{bus}[i - 1]"], [f"{bus}[i]"])
        self.buses.append(Bus(f"{bus}[{n - 1}]", shape))

    def tree(self):
        shape, leaves = self.rng.choice(self.shapes), self.rng.choice((2, 3, 4, 8))
        mode = "async" if self.has("async") and self.chance(0.4) else None
        feed = [self.readable(shape) for _ in range(leaves)]
        c = self.makeClass([shape, shape], [shape], mode)
        bus = self.addBus(shape, dims=f"[{leaves}]", combinational=mode == "async")
        if leaves > 2 and self.has("generate"):
            inner = Node("items")
            self.instantiate(c, [f"{bus}[2 * i]", f"{bus}[2 * i + 1]"], [f"{bus}[i]"], inner, self.names.fresh("n") + "[i]", "i")
            self.main.kids.append(Node("generate", inner, head=f"i = 1 until {leaves // 2}"))
        for k in range(max(leaves // 2, 1), leaves):
            self.instantiate(c, [feed[k], feed[k - 1]], [f"{bus}[{k}]"])
        self.buses.append(Bus(f"{bus}[1]", shape))

    def grid(self):
        shape, rows, columns = self.rng.choice(self.shapes), self.many((1, 2, 3, 4), (9, 16)), self.many((2, 3, 5), (8, 17))
        c = self.makeClass([shape, shape], [shape])
        bus = self.addBus(shape, dims=f"[{rows}][{columns}]")
        inner, cell = Node("items"), Node("items")
        name = self.names.fresh("n")
        up, left = (f"{bus}[(r + {rows - 1}) % {rows}][c]", f"{bus}[r][(c + {columns - 1}) % {columns}]")
        self.instantiate(c, [up, left], [f"{bus}[r][c]"], cell, f"{name}[r][c]", "r * 3 + c")
        if self.chance(0.5):
            other = self.makeClass([shape], [shape])
            plain = Node("items")
            self.instantiate(other, [up], [f"{bus}[r][c]"], plain, f"{self.names.fresh('n')}[r][c]", "r + c")
            cell = Node("items", Node("generate", cell, plain, head=self.rng.choice(("if (r == c)", "if (r > 0 && c > 0)", "if ((r + c) % 2 == 0)"))))
        inner.kids.append(Node("generate", cell, head=f"c = 0 until {columns}"))
        self.main.kids.append(Node("generate", inner, head=f"r = 0 until {rows}"))
        self.buses.append(Bus(f"{bus}[{rows - 1}][{columns - 1}]", shape))

    def subnetwork(self):
        """A network with ports and a constant, instantiated a few times; perhaps an array inside."""
        rng, shape = self.rng, self.rng.choice(self.shapes)
        mode = "async" if self.has("async") and self.chance(0.3) else None
        first, last = self.makeClass([shape], [shape], mode), self.makeClass([shape], [shape])
        inside, params = Node("items"), Node("items")
        link = self.addBus(shape, inside, "[m]", combinational=mode == "async")
        params.kids += [Node("line", text=self.portText("in", "x", shape)), Node("line", text=self.portText("out", "y", shape)),
                        Node("line", text="const m: uint = 2")]
        self.instantiate(first, ["x"], [f"{link}[0]"], inside)
        if self.has("generate"):
            self.generated("i = 1 until m", first, [f"{link}[i - 1]"], [f"{link}[i]"], inside)
        self.instantiate(last, [f"{link}[m - 1]"], ["y"], inside)
        rng.shuffle(inside.kids)
        name = self.names.outer("net")
        self.program.kids.append(Node("network", params, inside, name=name))
        for _ in range(rng.choice((1, 2, 3))):
            feed, out = self.readable(shape), self.addBus(shape)
            args = [("x", feed), ("y", out)] + ([] if self.chance(0.3) else [("m", str(rng.randint(1, 4)))])
            instance = self.names.fresh("n") if self.chance(0.8) else "_"
            self.main.kids.append(Node("instance", name=instance, of=name, args=args))
            self.buses.append(Bus(out, shape))
            if instance != "_":
                self.buses.append(Bus(f"{instance}.{link}[0]", shape))

    def shared(self):
        """Two processes drive different fields of one bus."""
        shape = self.rng.choice(self.shapes)
        if len(shape.fields) < 2:
            return self.randomWiring()
        cut = self.rng.randint(1, len(shape.fields) - 1)
        bus = self.addBus(shape)
        for part in (shape.fields[:cut], shape.fields[cut:]):
            c = self.makeClass(self.pick(2), [shape], written={0: part})
            self.instantiate(c, [self.readable(s) for _, s in c.ins], [bus])
        self.buses.append(Bus(bus, shape))

    def poly(self):
        """One process with untyped ports over buses of several widths; its types follow a constant."""
        rng = self.rng
        widths = [rng.choice((1, 2, 5, 8, 13, 16, 31, 32, 40) + ((70, 129) if self.has("wide") else ())) for _ in range(rng.randint(2, 3))]
        low, high = min(widths), max(widths)
        name, params, declarations, b = self.names.outer("p"), Node("items"), Node("items"), self.body()
        for text in ("in x", "out y", "const w: uint"):
            params.kids.append(Node("line", text=text))
        t = Int(high, False, "wt", "wt", fewest=low, always=True)
        if self.has("typeof"):
            declarations.kids.append(Node("line", text="type wt: type(y.v);"))
        else:
            declarations.kids.append(Node("line", text="type wt: u(w);"))
        wider = Int(high + 3, False, "u(w + 3)", "wider", fewest=low + 3, always=True)
        self.line("type wider: u(w + 3);", declarations)
        self.addFields(b, "x", [("v", t)], False)
        self.addFields(b, "y", [("v", t)], True)
        self.variables(b, declarations)
        for variable, vt in (("own", t), ("more", wider)):
            declarations.kids.append(Node("vardecl", name=variable, ty=vt, init=rng.choice((None, "1"))))
            ref = Node("ref", name=variable, ty=vt, cat="int")
            b.places.append(ref)
            b.targets.append(ref)
        body = b.statements(rng.randint(1, 5), 2)
        body.kids.append(Node("assign", b.targets[0].copy(), b.integer(3), op=""))
        body.kids.sort(key=lambda k: k.kind != "var")
        self.program.kids.append(Node("proc", params, declarations, body, name=name, mode="clocked"))
        for width in widths:
            bus, out = self.names.fresh("b"), self.names.fresh("b")
            self.line(f"bus {bus} {{ v: u{width} = {rng.getrandbits(width)}; }};", self.main)
            self.line(f"bus {out} {{ v: u{width}; }};", self.main)
            self.main.kids.append(Node("instance", name=self.names.fresh("n"), of=name, args=[("x", bus), ("y", out), ("w", str(width))]))
            self.main.kids.append(Node("instance", name=self.names.fresh("n"), of=name, named=True,
                                       args=[("x", out), ("w", str(width)), ("y", bus)]))

    def gather(self):
        """An array port: read at any index, fed by a bus array or by the buses of an instance array."""
        rng, shape, n = self.rng, self.rng.choice(self.shapes), self.rng.choice((1, 2, 3, 5))
        bus = self.feedArray(shape, n)
        name, params, declarations, b = self.names.outer("p"), Node("items"), Node("items"), self.body()
        params.kids += [Node("line", text=rng.choice(("[] in x", f"[{n}] in x"))), Node("line", text="out y")]
        for field, t in shape.fields:
            ref = Node("ref", name=f"x[{rng.randrange(n)}].{field}", ty=t, cat=t.category)
            b.places.append(ref)
            index = Node("bin", Node("cycle", cat="int"), b.lit(n), op="%", cat="int")
            b.places.append(Node("fld", Node("idx", Node("ref", name="x", ty=t), index, ty=t), name=field, ty=t, cat=t.category))
        self.addFields(b, "y", shape.fields, True)
        self.variables(b, declarations)
        body = b.statements(rng.randint(2, 6), 2)
        body.kids.sort(key=lambda k: k.kind != "var")
        self.program.kids.append(Node("proc", params, declarations, body, name=name, mode="clocked"))
        out = self.addBus(shape)
        self.main.kids.append(Node("instance", name=self.names.fresh("n"), of=name, args=[("x", bus), ("y", out)]))
        self.buses.append(Bus(out, shape))

    def scatter(self):
        """An array port that is written: at constant indices, or at any (then the instance drives every element)."""
        rng, shape, n = self.rng, self.rng.choice(self.shapes), self.rng.choice((1, 2, 3, 5))
        name, params, declarations, b = self.names.outer("p"), Node("items"), Node("items"), self.body()
        params.kids += [Node("line", text="in x"), Node("line", text=rng.choice(("[] out y", f"[{n}] out y")))]
        self.addFields(b, "x", shape.fields, False)
        for field, t in shape.fields:
            ref = Node("ref", name=f"y[{rng.randrange(n)}].{field}", ty=t, cat=t.category)
            index = Node("bin", Node("cycle", cat="int"), b.lit(n), op="%", cat="int")
            b.places.append(ref)
            b.targets.append(ref)
            b.targets.append(Node("fld", Node("idx", Node("ref", name="y", ty=t), index, ty=t), name=field, ty=t, cat=t.category))
        self.variables(b, declarations)
        body = b.statements(rng.randint(2, 6), 2)
        body.kids.sort(key=lambda k: k.kind != "var")
        self.program.kids.append(Node("proc", params, declarations, body, name=name, mode="clocked"))
        out = self.addBus(shape, dims=f"[{n}]")
        self.main.kids.append(Node("instance", name=self.names.fresh("n"), of=name, args=[("x", self.readable(shape)), ("y", out)]))
        self.buses += [Bus(f"{out}[{k}]", shape) for k in range(n)]

    def feedArray(self, shape, n):
        """Text of n buses: a bus array, or the buses of an array of instances."""
        if self.chance(0.5):
            leaf = self.makeClass([], [shape])
            bus = self.addBus(shape, dims=f"[{n}]")
            self.generated(f"i = 0 until {n}", leaf, [], [f"{bus}[i]"])
            return bus
        kept, self.shapes = self.shapes, [shape]
        leaf = self.makeClass([], [shape], owned=True)
        self.shapes = kept
        spare = self.addBus(shape, dims=f"[{n}]")
        name = self.generated(f"i = 0 until {n}", leaf, [], [f"{spare}[i]"])
        return f"{name}[*].{leaf.owned[0]}"

    def handshake(self):
        """A stream with a field that goes the other way."""
        rng, name = self.rng, self.names.outer("b")
        data, back = self.body().intType(), self.body().intType()
        self.line(f"type {name}: bus {{ data: {data.text}; valid: bool; flip ready: bool; flip credit: {back.text}; }};")
        classes = []
        for direction in ("out", "in"):
            process, params, declarations, b = self.names.outer("p"), Node("items"), Node("items"), self.body()
            params.kids.append(Node("line", text=f"{direction} s: {name}"))
            self.addFields(b, "s", [("data", data), ("valid", BOOL)], direction == "out")
            self.addFields(b, "s", [("ready", BOOL), ("credit", back)], direction == "in")
            self.variables(b, declarations)
            body = b.statements(rng.randint(2, 6), 2)
            body.kids.sort(key=lambda k: k.kind != "var")
            self.program.kids.append(Node("proc", params, declarations, body, name=process, mode="clocked"))
            classes.append(process)
        for _ in range(rng.choice((1, 2))):
            bus = self.names.fresh("b")
            self.line(f"bus {bus}: {name};", self.main)
            for process in classes:
                self.main.kids.append(Node("instance", name=self.names.fresh("n"), of=process, args=[("s", bus)]))

    def stopper(self):
        name, k = self.names.outer("p"), self.rng.randint(1, 20)
        status = self.rng.choice(("stop;", f"stop({self.rng.randint(0, 9)});"))
        body = Node("block", Node("if", Node("bin", Node("cycle", cat="int"), Node("lit", v=k, cat="int"), op="==", cat="bool"),
                                  Node("block", Node("word", text=status[:-1]))))
        self.program.kids.append(Node("proc", Node("items"), Node("items"), body, name=name, mode="clocked"))
        self.main.kids.append(Node("instance", name="_", of=name, args=[]))
