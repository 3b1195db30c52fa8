"""Random types, constants, functions, buses and processes: what networks are wired of."""
from common import Names, isRanged
from statements import Body
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


def walk(n):
    yield n
    for k in n.kids:
        yield from walk(k)


class Declarations:
    def __init__(self, rng, features, prefix):
        self.rng, self.features, self.prefix = rng, features, prefix
        self.names = Names(prefix)
        self.program = Node("program")
        self.main = Node("items")
        self.buses = []
        self.sizes = []            # constants of the top network: [(name, default)]
        self.referable = []        # (entity.bus, shape): buses of entities with one instance in the main network
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

    def makeModule(self):
        """Types, constants and functions."""
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
            data = self.dataFile(t)
            self.program.kids.append(Node("line", text=f"const {name}: {t.text} = {data[1] if data else self.initial(t)};", data=data and data[0]))
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

    def dataFile(self, t):
        """((file name, its text), initialiser) for an array that is filled from a file now and then."""
        rng = self.rng
        fits = isinstance(t, Array) and isinstance(t.element, Int) and not t.element.ranged and t.element.fewest == t.element.bits
        if not self.has("datafiles") or not fits or self.chance(0.6):
            return None
        words = [f"{rng.getrandbits(t.element.bits):{rng.choice(('x', 'X'))}}" for _ in range(rng.randint(1, t.size))]
        if t.size > 2 and self.chance(0.3):
            words = words[:t.size - 2] + [f"@{t.size - 1:x}", "1"]
        text = rng.choice(("// words\n", "/* words */ ", "")) + rng.choice(("\n", " ")).join(words) + "\n"
        name = self.names.outer("d") + ".hex"
        return (name, text), f'file("{name}")'

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
            self.extended.add(name)
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

    def makeClass(self, ins, outs, mode=None, consts=None, written=None, owned=False, refers=()):
        """A process over ports of these shapes. `written`: {out index: fields it drives} where others drive the rest; `refers`: paths it reads."""
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
        for path, shape in refers:
            self.addFields(b, path, shape.fields, False)
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
        inner = self.makeClass([shape], [shape], "clocked", owned=self.has("references") and self.chance(0.4))
        answer = self.addBus(shape, declarations)
        self.addFields(b, answer, shape.fields, False)
        made = self.instantiate(inner, [name], [answer], declarations)
        if inner.owned:            # a path inwards as an operand
            self.addFields(b, f"{made}.{inner.owned[0]}", inner.owned[1].fields, False)

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
            data = self.dataFile(t)
            init = data[1] if data else None if self.chance(0.3) else init
            declarations.kids.append(Node("vardecl", name=name, ty=t, init=init, data=data and data[0]))
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

    def constArguments(self, c, index=None, outer=()):
        args = []
        for name, low, high in c.consts:
            v = str(self.rng.randint(low, high))
            if outer and self.chance(0.4):
                v = self.rng.choice(outer)
            if index is not None and self.chance(0.7):
                span = high - low + 1
                v = f"({index}) % {span} + {low}" if low else f"({index}) % {span}"
            args.append((name, v))
        return args

    def instantiate(self, c, ins, outs, where=None, name=None, index=None, outer=None):
        """`ins` and `outs` are texts of buses; `outer`: constants of 1 … 6 that are visible. Returns the instance's name."""
        if outer is None:
            outer = [n for n, _ in self.sizes] if where in (None, self.main) else []
        given = [(p, text) for (p, _), text in zip(c.ins + c.outs, ins + outs)] + self.constArguments(c, index, outer)
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
