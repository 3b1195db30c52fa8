"""Random expressions, valid by construction: typed places, exact intervals, and indices, divisors and counts made safe."""
from common import reaches, weighted
from tree import BOOL, F32, F64, Array, Enum, Int, Node, Struct, interval, isConstant, operandType, smallest


class Expressions:
    """What a body may name, and the means to make expressions and statements of it."""

    def __init__(self, rng, features, names, risk=0.0):
        self.rng, self.features, self.names, self.risk = rng, features, names, risk
        self.places = []          # expressions that may be read
        self.targets = []         # places that may be written
        self.functions = []       # call nodes' attributes: name, params, ty
        self.enums, self.structs, self.aliases = [], [], []
        self.loop, self.rounds = 0, 1
        self.waits = self.sim = self.function = self.combinational = False
        self.deepest = 3
        self.nested = [0]         # indices inside indices; shared by inner blocks
        self.anchor = Node("cycle", cat="int")       # an integer that is no constant
        self.most = 420 if "wide" in features else 110        # bits of any intermediate

    def has(self, feature):
        return feature in self.features

    def chance(self, p):
        return self.rng.random() < p

    def child(self):
        """A body for an inner block: what it declares does not leave it."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.places, twin.targets = list(self.places), list(self.targets)
        return twin

    # ------------------------------------------------------------ leaves

    def number(self, low=None, high=None):
        """A literal's value, with a liking for the ends."""
        rng = self.rng
        if low is None:
            bits = rng.choice((1, 2, 3, 4, 7, 8, 8, 15, 16, 31, 32, 33, 63, 64) + ((65, 100, 128, 190) if self.has("wide") else ()))
            low, high = -1 << bits - 1, (1 << bits) - 1
            if rng.random() < 0.5:
                low, high = max(low, -9), min(high, 9)
        pick = rng.random()
        if pick < 0.15:
            return low
        if pick < 0.3:
            return high
        return rng.randint(low, high)

    def lit(self, v):
        return Node("lit", v=v, cat="int", style=self.rng.choice(("", "", "x", "b") if v.bit_length() < 20 else ("", "x")))

    def descend(self, place, wanted):
        """From a place to a part of it for which wanted(type) holds, or None."""
        for _ in range(5):
            t = place.a["ty"]
            if wanted(t) and (not isinstance(t, (Array, Struct)) or self.chance(0.8)):
                return place
            if isinstance(t, Array):
                place = Node("idx", place, self.index(t.size), ty=t.element, cat=t.element.category, loops=place.a.get("loops"))
            elif isinstance(t, Struct):
                name, inner = self.rng.choice(t.fields)
                place = Node("fld", place, ty=inner, name=name, cat=inner.category)
            else:
                return None
        return None

    def place(self, wanted, among=None):
        among = self.places if among is None else among
        for _ in range(12):
            if not among:
                return None
            base = self.rng.choice(among)
            if not reaches(base.a["ty"], wanted):
                continue
            found = self.descend(base.copy(), wanted)
            if found is not None:
                return found
        return None

    def index(self, size, depth=1):
        """An index into `size` elements: in range, unless this program may fail."""
        rng = self.rng
        if size == 1:
            return self.lit(0)
        if rng.random() < 0.35 or self.nested[0] >= 3:
            return self.lit(rng.randrange(size))
        self.nested[0] += 1
        e = self.anyIndex(size, depth)
        self.nested[0] -= 1
        return e

    def anyIndex(self, size, depth):
        rng = self.rng
        if self.has("failures") and self.chance(self.risk):
            e = self.integer(1)
            narrow = self.has("wideindices") or smallest(*interval(e))[0] <= 64
            return e if narrow and not isConstant(e) else self.lit(rng.randrange(size))
        bits = size.bit_length() - 1
        if self.has("bitindices") and bits > 0 and self.chance(0.3):
            t = Int(bits, False)
            sides = [Node("cast", self.natural(depth), name=t.text, ty=t, cat="int") for _ in range(2)]
            return Node("bin", *sides, op=rng.choice("&|^"), cat="int", paren=self.chance(0.1))
        loops = [p for p in self.places if p.a.get("loop") and p.a["limits"][0] >= 0 and p.a["limits"][1] < size]
        if loops and rng.random() < 0.7:
            return rng.choice(loops).copy()
        return Node("bin", self.natural(depth), self.lit(size), op="%", cat="int")

    def natural(self, depth):
        """An integer expression, not constant, that is never negative."""
        e = self.leaf()
        if depth > 1 and self.chance(0.3):
            e = self.integer(depth - 1)
        if isConstant(e):
            e = self.anchor.copy()
        if smallest(*interval(e))[0] > 64 and not self.has("wideindices"):
            return Node("cast", e, name="u40", ty=Int(40, False), cat="int")
        if interval(e)[0] >= 0:
            return self.few(e)
        bits = self.rng.choice((3, 8, 13, 13 if self.has("narrow") else 32))
        return Node("cast", e, name=f"u{bits}", ty=Int(bits, False), cat="int")

    def few(self, e):
        """Of 16 bits at most, where numbers are narrow."""
        if not self.has("narrow") or smallest(*interval(e))[0] <= 16:
            return e
        signed = interval(e)[0] < 0
        return Node("cast", e, name="i16" if signed else "u16", ty=Int(16, signed), cat="int")

    def leaf(self):
        if self.chance(0.8):
            found = self.place(lambda t: isinstance(t, Int))
            if found is not None:
                return found
        if self.chance(0.1) and not self.function:
            return Node("random" if self.sim and self.chance(0.5) else "cycle", cat="int")
        return self.lit(self.number())

    # ------------------------------------------------------------ integers

    def integer(self, depth):
        e = self.integerOnce(depth)
        low, high = interval(e)
        if smallest(low, high)[0] > self.most:
            bits = self.rng.choice((1, 5, 8, 16, 20, 32, 47, 64))
            signed = self.chance(0.5) and bits > 1
            t = Int(bits, signed)
            return Node("cast", e, name=t.text, ty=t, cat="int") if smallest(low, high)[0] < 4000 else self.leaf()
        return e

    def integerOnce(self, depth):
        if depth <= 0 or self.chance(0.18):
            return self.leaf()
        makers = [(30, self.arithmetic), (10, self.division), (12, self.shift), (12, self.bitwise), (6, self.unary),
                  (7, self.conditional), (9, self.cast), (6, self.slice), (8, self.builtin), (3, self.folded)]
        if self.functions:
            makers.append((7, self.call))
        return weighted(self.rng, makers)(depth)

    def two(self, depth):
        """Two operands of which one at least is no constant."""
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        if isConstant(a) and isConstant(b):
            a = self.natural(1)
        return (a, b) if self.chance(0.5) else (b, a)

    def arithmetic(self, depth):
        a, b = self.two(depth)
        op = self.rng.choice("++--*")
        if op == "*":
            a, b = self.few(a), self.few(b)
        return Node("bin", a, b, op=op, cat="int", paren=self.chance(0.1))

    def bitwise(self, depth):
        a, b = self.two(depth)
        if self.chance(0.2) and not isConstant(a):
            b = Node("un", self.lit(self.rng.choice((0, 1, 3, 7, 0x80, 0xFF))), op="~", cat="int")
        return Node("bin", a, b, op=self.rng.choice("&|^"), cat="int", paren=self.chance(0.7))

    def division(self, depth):
        op, a = self.rng.choice("/%"), self.integer(depth - 1)
        pick = self.rng.random()
        if pick < 0.5:
            b = self.lit(self.number(-9, -1) if self.chance(0.25) else self.rng.choice((1, 2, 3, 4, 5, 7, 8, 10, 100, 255, 256, 1000)))
        else:
            b = self.integer(depth - 1)
            if isConstant(b):
                b = self.natural(1)
            if not (self.has("failures") and self.chance(self.risk)):
                b = Node("bin", b, self.lit(self.rng.choice((1, 1, 2, 0x81))), op="|", cat="int", paren=True)
        if isConstant(a) and isConstant(b):
            a = self.natural(1)
        return Node("bin", self.few(a), self.few(b), op=op, cat="int", paren=self.chance(0.1))

    def count(self, most):
        """A shift count of 0 … most."""
        if self.chance(0.5):
            return self.lit(self.rng.randint(0, most))
        mask = (1 << max(most.bit_length() - 1, 1)) - 1
        return Node("bin", self.natural(1), self.lit(min(mask, most) or 1), op="&", cat="int", paren=True)

    def shift(self, depth):
        a = self.integer(depth - 1)
        if isConstant(a):
            a = self.natural(1)
        if self.chance(0.45):
            return Node("bin", a, self.count(12 if self.chance(0.9) else 40), op="<<", cat="int", paren=self.chance(0.1))
        if self.has("failures") and self.chance(self.risk):
            b = self.integer(1)
            narrow = self.has("wideindices") or smallest(*interval(b))[0] <= 64
            b = b if narrow and not isConstant(b) else self.count(9)
        else:
            b = self.natural(depth - 1) if self.chance(0.4) else self.count(40)
        return Node("bin", a, b, op=">>", cat="int", paren=self.chance(0.1))

    def unary(self, depth):
        e = self.integer(depth - 1)
        if isConstant(e):
            e = self.natural(1)
        return Node("un", e, op=self.rng.choice("-~~+" if self.chance(0.9) else "-"), cat="int")

    def conditional(self, depth):
        return Node("cond", self.boolean(depth - 1), *self.two(depth), cat="int", paren=self.chance(0.3))

    def intType(self):
        rng = self.rng
        if self.aliases and self.chance(0.15):
            return rng.choice(self.aliases)
        if self.has("narrow"):
            bits = rng.randint(1, 8)
        elif self.has("wide") and self.chance(0.3):
            bits = rng.choice((65, 66, 96, 100, 127, 128, 129, 150, 192, 200))
        else:
            bits = rng.choice((1, 2, 3, 4, 5, 7, 8, 8, 9, 12, 15, 16, 16, 17, 24, 31, 32, 32, 33, 40, 48, 63, 64, 64))
        return Int(bits, rng.random() < 0.45)

    def cast(self, depth):
        pick = self.rng.random()
        t = self.intType()
        if pick < 0.1:
            inner = self.boolean(depth - 1)
        elif pick < 0.2 and self.enums:
            inner = self.enumValue(self.rng.choice(self.enums), depth - 1)
        elif pick < 0.3 and self.has("floats"):
            inner = self.real(self.rng.choice((F32, F64)), 1)
        else:
            inner = self.integer(depth - 1)
        return Node("cast", inner, name=t.cast, ty=t, cat="int")

    def slice(self, depth):
        found = self.place(lambda t: isinstance(t, Int) and not t.ranged and t.fewest > 1)
        if found is None or isConstant(found):
            return self.leaf()
        return self.sliceOf(found, depth)

    def sliceOf(self, place, depth=1):
        """Bits of a place: `[hi:lo]` or `[k +: w]`."""
        bits = place.a["ty"].fewest
        if self.has("plusslices") and self.chance(0.4):
            width = self.rng.randint(1, bits)
            return Node("plusslice", place, self.index(bits - width + 1, depth), width=width, cat="int", ty=Int(width, False))
        low = self.rng.randrange(bits)
        high = self.rng.randint(low, bits - 1)
        return Node("slice", place, lo=low, hi=high, cat="int", ty=Int(high - low + 1, False))

    def builtin(self, depth):
        name = self.rng.choice(("min", "max", "min", "max", "abs", "popcount", "cat", "rep"))
        if name in ("min", "max"):
            return Node("builtin", *self.two(depth), name=name, cat="int")
        if name == "abs":
            return Node("builtin", self.two(depth)[0] if self.chance(0.3) else self.natural(2), name=name, cat="int")
        if name == "popcount":
            return Node("builtin", self.natural(2), name=name, cat="int")
        parts, room = [], self.most if self.chance(0.3) else 64
        for _ in range(self.rng.randint(1, 4) if name == "cat" else 1):
            part = self.boolean(1) if self.chance(0.2) else self.place(lambda t: isinstance(t, Int)) or self.natural(1)
            width = 1 if part.a["cat"] == "bool" else operandType(part)[0]
            if width <= room:
                parts.append(part)
                room -= width
        if not parts or all(isConstant(p) for p in parts):
            return self.leaf()
        if name == "cat":
            return Node("builtin", *parts, name=name, cat="int")
        width = 1 if parts[0].a["cat"] == "bool" else operandType(parts[0])[0]
        return Node("builtin", parts[0], name=name, times=self.rng.randint(1, max(1, min(5, room // width))), cat="int")

    def folded(self, depth):
        """A constant expression that fails nowhere."""
        if self.has("lengths") and self.chance(0.3):
            return self.length()
        if self.chance(0.3):
            return self.foldedNumber(2)
        a, b = self.lit(self.number(-20, 300)), self.lit(self.number(-20, 300))
        return Node("bin", a, b, op=self.rng.choice("+-*&|^"), cat="int", paren=True)

    def foldedNumber(self, depth):
        """A number that builtins make of literals alone: it counts by its value, as they do."""
        if depth == 0 or self.chance(0.3):
            return self.lit(self.number(-20, 300))
        name = self.rng.choice(("min", "max", "abs", "popcount"))
        parts = [self.foldedNumber(depth - 1) for _ in range(2 if name in ("min", "max") else 1)]
        return Node("builtin", *parts, name=name, cat="int")

    def length(self):
        """A constant that is written len(a) or clog2(n)."""
        arrays = [p for p in self.places if p.kind == "ref" and isinstance(p.a["ty"], Array)]
        if arrays and self.chance(0.6):
            array = self.rng.choice(arrays)
            return Node("lit", v=array.a["ty"].size, cat="int", **{"as": f"len({array.a['name']})"})
        n = self.rng.randint(1, 300)
        return Node("lit", v=(n - 1).bit_length(), cat="int", **{"as": f"clog2({n})"})

    def call(self, depth):
        f = self.rng.choice(self.functions)
        if f["ty"].category != "int":
            return self.leaf()
        return self.callOf(f, depth)

    def callOf(self, f, depth):
        return Node("call", *[self.valueFor(t, depth - 1) for _, t in f["params"]], name=f["name"], ty=f["ty"],
                    params=[t for _, t in f["params"]], cat=f["ty"].category)

    # ------------------------------------------------------------ bools, enums, floats, aggregates

    def boolean(self, depth):
        rng = self.rng
        if depth <= 0 or self.chance(0.15):
            found = self.place(lambda t: t is BOOL)
            if found is not None and not isConstant(found):
                return found
            if self.chance(0.15):
                return Node("boollit", v=rng.random() < 0.5, cat="bool")
            return Node("bin", self.natural(1), self.lit(self.number(0, 40)), op=rng.choice(("<", ">", "==", "!=")), cat="bool")
        return weighted(rng, [(40, self.comparison), (20, self.logic), (8, self.boolBits), (10, self.bitOf), (6, self.reduction),
                              (5, self.boolCond), (5, self.boolCast), (6, self.otherComparison)])(depth)

    def comparison(self, depth):
        return Node("bin", *self.two(depth), op=self.rng.choice(("<", ">", "<=", ">=", "==", "!=")), cat="bool")

    def logic(self, depth):
        if self.chance(0.25):
            return Node("un", self.boolean(depth - 1), op="!", cat="bool")
        return Node("bin", self.boolean(depth - 1), self.boolean(depth - 1), op=self.rng.choice(("&&", "||")), cat="bool")

    def boolBits(self, depth):
        return Node("bin", self.boolean(depth - 1), self.boolean(depth - 1), op=self.rng.choice(("&", "|", "^", "==", "!=")), cat="bool",
                    paren=True)

    def bitOf(self, depth):
        found = self.place(lambda t: isinstance(t, Int) and not t.ranged)
        if found is None or isConstant(found):
            return self.comparison(depth)
        return Node("bit", found, self.index(found.a["ty"].fewest, depth), cat="bool")

    def reduction(self, depth):
        return Node("builtin", self.natural(depth), name=self.rng.choice(("any", "all", "parity")), cat="bool")

    def boolCond(self, depth):
        return Node("cond", self.boolean(depth - 1), self.boolean(depth - 1), self.boolean(depth - 1), cat="bool", paren=True)

    def boolCast(self, depth):
        return Node("cast", self.two(depth)[0] if self.chance(0.3) else self.natural(depth), name="bool", ty=BOOL, cat="bool")

    def otherComparison(self, depth):
        if self.enums and self.chance(0.6):
            e = self.rng.choice(self.enums)
            return Node("bin", self.enumValue(e, depth - 1), self.enumValue(e, 0), op=self.rng.choice(("==", "!=")), cat="bool")
        if self.has("floats"):
            t = self.rng.choice((F32, F64))
            return Node("bin", self.real(t, 1), self.real(t, 1), op=self.rng.choice(("<", ">", "<=", ">=", "==", "!=")), cat="bool")
        return self.comparison(depth)

    def enumValue(self, e, depth):
        pick = self.rng.random()
        if pick < 0.5:
            found = self.place(lambda t: t.category == e.category)
            if found is not None:
                return found
        values = sorted(v for _, v in e.members)
        if depth > 0 and pick < 0.75 and values == list(range(len(values))):
            inner = self.integer(1) if self.has("failures") and self.chance(self.risk) else self.index(len(values), depth)
            if not isConstant(inner):
                return Node("cast", inner, name=e.text, ty=e, cat=e.category)
        if depth > 0 and pick > 0.9:
            return Node("cond", self.boolean(depth - 1), self.enumValue(e, depth - 1), self.enumValue(e, 0), cat=e.category, paren=True)
        return Node("enumlit", text=("" if self.chance(0.2) else e.text + ".") + self.rng.choice(e.members)[0], cat=e.category)

    def real(self, t, depth):
        found = self.place(lambda x: x is t) if self.chance(0.6) else None
        if depth <= 0 or self.chance(0.2):
            return found or Node("cast", self.natural(1), name=t.text, ty=t, cat=t.category)
        pick = self.rng.random()
        if pick < 0.6:
            a = self.real(t, depth - 1)
            b = self.real(t, depth - 1) if self.chance(0.6) else Node("floatlit", v=self.rng.choice((0.0 if self.has("zeros") else 3.0, 0.5, 1.0, 1.5, 3.25, 1e10, 2e-3, 0.1)),
                                                                     cat=t.category)
            a, b = (a, b) if self.chance(0.5) else (b, a)
            return Node("bin", a, b, op=self.rng.choice("++--**/"), cat=t.category)
        if pick < 0.7:
            return Node("un", self.real(t, depth - 1), op="-", cat=t.category)
        if pick < 0.8:
            other = F32 if t is F64 else F64
            return Node("cast", self.real(other, depth - 1), name=t.text, ty=t, cat=t.category)
        if pick < 0.9:
            return Node("cond", self.boolean(depth - 1), self.real(t, depth - 1), self.real(t, depth - 1), cat=t.category, paren=True)
        return Node("cast", self.two(depth)[0], name=t.text, ty=t, cat=t.category)

    def valueFor(self, t, depth):
        """An expression that may be stored into a place of type t."""
        if isinstance(t, Int):
            return self.rangeValue(t, depth) if t.ranged else self.integer(depth)
        if t is BOOL:
            return self.boolean(depth)
        if isinstance(t, Enum):
            return self.enumValue(t, depth)
        if t in (F32, F64):
            return self.real(t, depth)
        found = self.place(lambda x: x.category == t.category) if self.chance(0.5) else None
        if found is not None:
            return found
        inside = self.child()
        if not self.has("nestedcalls"):
            inside.functions = []
        return inside.aggregate(t, depth)

    def aggregate(self, t, depth):
        if isinstance(t, Struct):
            return Node("struct", *[self.valueFor(inner, min(depth, 2) - 1) for _, inner in t.fields], ty=t, cat=t.category)
        return Node("array", *[self.valueFor(t.element, min(depth, 2) - 1) for _ in range(t.size)], ty=t, cat=t.category)

    def rangeValue(self, t, depth):
        if self.has("failures") and self.chance(self.risk):
            e = self.integer(1)
            if not isConstant(e):
                return e
        if self.chance(0.2):
            return self.lit(self.rng.randint(t.low, t.high))
        if self.chance(0.3):
            clamped = Node("builtin", self.two(depth)[0] if self.chance(0.3) else self.natural(depth), self.lit(t.low), name="max", cat="int")
            return Node("builtin", clamped, self.lit(t.high), name="min", cat="int")
        e = Node("bin", self.natural(depth), self.lit(t.high - t.low + 1), op="%", cat="int")
        return e if t.low == 0 else Node("bin", e, self.lit(t.low), op="+", cat="int")
