"""Random statements and functions. networks.py puts them into processes and networks.

Every choice comes from one random.Random, so that a seed names a program for ever (until the generator changes).
"""
from common import isRanged, rangeType, root, weighted
from expressions import Expressions
from tree import BOOL, F32, F64, Array, Int, Node, Struct, interval, isConstant, operandType, smallest


class Body(Expressions):
    """What a body may name, and the means to make its statements."""

    # ------------------------------------------------------------ statements

    def statements(self, count, depth):
        return Node("block", *[s for s in (self.statement(depth) for _ in range(count)) if s is not None])

    def statement(self, depth):
        makers = [(34, self.assignment), (9, self.compound), (6, self.partWrite), (5, self.temporary)]
        if self.has("traces"):
            makers.append((3, self.trace))
        makers.append((2, self.assertion))
        if depth > 0:
            makers += [(12, self.branch), (2, self.inner)]
            if self.has("switch"):
                makers.append((4, self.switch))
            if self.has("loops") and self.rounds <= 32:
                makers += [(6, self.forLoop), (3, self.whileLoop)]
        if self.loop:
            makers.append((3, self.jump))
        if self.waits:
            makers.append((6, self.wait))
        if self.has("cover") and not self.function:
            makers.append((1, self.cover))
        return weighted(self.rng, makers)(depth)

    def assignment(self, depth):
        target = self.place(lambda t: True, self.targets)
        if target is None:
            return None
        t = target.a["ty"]
        value = self.valueFor(t, self.rng.randint(1, self.deepest))
        if self.chance(0.03):
            value = Node("undefined", cat=t.category) if not t.category.startswith(("array", "struct")) and not isRanged(t) else value
        elif isinstance(t, Int) and t.cast and not t.ranged and self.chance(0.05):     # any count: storing keeps the low bits
            big = Node("bin", self.natural(1), self.natural(1), op="<<", cat="int")
            if interval(big.kids[1])[1] < 65536 - 300:
                value = Node("cast", big, name=t.cast, ty=t, cat="int")
        return Node("assign", target, value, op="")

    def compound(self, depth):
        target = self.place(lambda t: isinstance(t, Int) and not t.ranged and not t.always, self.targets)
        if target is None or self.combinational and "." in root(target).a["name"]:      # it would read its own output
            return None
        op = self.rng.choice(("+", "-", "*", "&", "|", "^", "<<", ">>"))
        if op in ("<<", ">>"):
            value = self.count(9)
            return Node("assign", target, value, op=op)
        value = self.integer(2)
        t = target.a["ty"]
        return Node("assign", target, Node("cast", value, name=t.cast, ty=t, cat="int"), op=op)

    def partWrite(self, depth):
        target = self.place(lambda t: isinstance(t, Int) and not t.ranged, self.targets)
        if target is None:
            return None
        if self.chance(0.5):
            bit = Node("bit", target, self.index(target.a["ty"].fewest), cat="bool", ty=BOOL)
            return Node("assign", bit, self.boolean(2), op="")
        return Node("assign", self.sliceOf(target), self.integer(2), op="")

    def temporary(self, depth):
        t = self.anyType(1)
        name = self.names.fresh("t")
        value = self.valueFor(t, 2)
        ref = Node("ref", name=name, ty=t, cat=t.category)
        self.places.append(ref)
        self.targets.append(ref)
        return Node("var", value, name=name, ty=t)

    def anyType(self, depth=2):
        pick = self.rng.random()
        if pick < 0.14:
            return BOOL
        if pick < 0.22 and self.enums:
            return self.rng.choice(self.enums)
        if pick < 0.30 and self.structs and depth > 0:
            return self.rng.choice(self.structs)
        if pick < 0.36 and self.has("floats"):
            return self.rng.choice((F32, F64))
        if pick < 0.46 and self.has("arrays") and depth > 0:
            inner = self.anyType(depth - 1)
            while isinstance(inner, Struct) and not self.has("structarrays"):
                inner = self.anyType(depth - 1)
            return Array(self.rng.choice((1, 2, 3, 4, 5, 8)), inner) if not isRanged(inner) else inner
        if pick < 0.52 and self.has("ranges"):
            low, high = sorted((self.number(-12, 40), self.number(-12, 1000)))
            return rangeType(low, high)
        if pick < 0.55 and not self.has("narrow"):
            signed = self.rng.random() < 0.5
            return Int(64, signed, "int" if signed else "uint")
        return self.intType()

    def branch(self, depth):
        kids = []
        for _ in range(1 if self.chance(0.8) else 2):
            kids += [self.boolean(2), self.child().statements(self.rng.randint(1, 3), depth - 1)]
        if self.chance(0.45):
            kids.append(self.child().statements(self.rng.randint(1, 3), depth - 1))
        return Node("if", *kids)

    def inner(self, depth):
        return self.child().statements(self.rng.randint(1, 3), depth - 1)

    def switch(self, depth):
        rng = self.rng
        if self.enums and self.chance(0.5):
            e = rng.choice(self.enums)
            subject, choices = self.enumValue(e, 1), [f"{e.text}.{name}" for name, _ in e.members]
        else:
            subject = self.place(lambda t: isinstance(t, Int)) or self.natural(1)
            if isConstant(subject):
                subject = self.natural(1)
            low, high = interval(subject)
            if subject.kind in ("ref", "fld", "idx") and subject.a["ty"].fewest != subject.a["ty"].bits:
                low, high = 0, 1
            near = range(max(low, -3), min(high, 12) + 1)
            choices = [str(v) for v in set(list(near) + [low, high])]
            choices.sort(key=int)
            if self.chance(0.1):
                choices.append("'U")
        if isConstant(subject):
            return None
        rng.shuffle(choices)
        labels, bodies = [], []
        while choices and len(labels) < 5:
            n = 1 if self.chance(0.7) else 2
            labels.append(choices[:n])
            choices = choices[n:]
            bodies.append(self.child().statements(rng.randint(0, 2), depth - 1))
            if self.chance(0.2):
                break
        if self.chance(0.8) or not isinstance(subject, Node):
            labels.append(None)
            bodies.append(self.child().statements(rng.randint(0, 2), depth - 1))
        return Node("switch", subject, *bodies, labels=labels)

    def forLoop(self, depth):
        rng, inside = self.rng, self.child()
        name = self.names.fresh("it")
        pick = rng.random()
        if pick < 0.7:
            a = rng.choice((0, 0, 0, 1, 2, -1, -3, 5))
            b = a + rng.randint(-2, 5)
            how = rng.choice(("to", "until", "downto"))
            low, high = min(a, b), max(a, b)
            start, end, rounds = self.lit(a), self.lit(b), 6
            limits = (low, high)
        else:
            how = rng.choice(("to", "until", "downto"))
            start = self.lit(0)
            end = Node("bin", self.natural(1), self.lit(rng.choice((3, 5, 7))), op="%", cat="int")
            if self.chance(0.3):
                start, end = end, start
            limits, rounds = (0, 6), 7
        bits, signed = smallest(*limits)
        for side in (start, end):
            t = operandType(side)
            bits, signed = (max(bits, t[0]) if signed == t[1] else max(bits, t[0]) + 1, signed or t[1])
        inside.places.append(Node("ref", name=name, ty=Int(bits, signed, fewest=1), cat="int", limits=limits, loop=True))
        inside.loop += 1
        inside.rounds *= rounds
        return Node("for", start, end, inside.statements(rng.randint(1, 3), depth - 1), name=name, how=how)

    def foreverLoop(self, inside, depth):
        """A loop that waits at its head, so that every path back to it has waited."""
        inside.loop += 1
        inside.rounds *= 4
        leave = Node("if", inside.boolean(2), Node("block", Node("word", text="break")))
        body = inside.statements(self.rng.randint(1, 3), depth - 1)
        return Node("while", Node("boollit", v=True, cat="bool"), Node("block", Node("word", text="wait"), *body.kids, leave))

    def whileLoop(self, depth):
        """A loop whose counter nothing else writes."""
        inside = self.child()
        if self.waits and self.chance(0.4):
            return self.foreverLoop(inside, depth)
        if self.has("hardware"):
            return self.forLoop(depth)
        name = self.names.fresh("w")
        t = Int(4, False)
        counter = Node("ref", name=name, ty=t, cat="int", limits=(0, 15))
        rounds = self.rng.randint(1, 6)
        inside.places.append(counter)
        inside.loop += 1
        inside.rounds *= rounds
        body = inside.statements(self.rng.randint(1, 3), depth - 1)
        step = Node("assign", counter.copy(), Node("bin", counter.copy(), self.lit(1), op="+", cat="int"), op="")
        guard = Node("bin", counter.copy(), self.lit(rounds), op="<", cat="bool")
        if self.chance(0.4):
            guard = Node("bin", guard, self.boolean(1), op="&&", cat="bool")
        return Node("block", Node("var", self.lit(0), name=name, ty=t), Node("while", guard, Node("block", step, *body.kids)))

    def jump(self, depth):
        word = Node("word", text=self.rng.choice(("break", "continue")))
        return Node("if", self.boolean(1), Node("block", word))

    def wait(self, depth):
        pick = self.rng.random()
        if pick < 0.5:
            return Node("word", text="wait")
        if pick < 0.65:
            return Node("wait", self.lit(self.rng.randint(1, 3)))
        if pick < 0.75:
            return Node("wait", Node("bin", self.index(3), self.lit(1), op="+", cat="int"))
        return Node("waituntil", self.boolean(2))

    def trace(self, depth):
        parts, values = [self.names.fresh("x")], []
        for _ in range(self.rng.randint(1, 3)):
            value = self.anyValue()
            form = ""
            if value.a["cat"] == "int" and self.chance(0.4):
                form = self.rng.choice((":x", ":b", ":d", ":5", ":08x", ":4d", ":012b"))
            parts.append("{" + form + "}")
            values.append(value)
        trace = Node("trace", *values, format=" ".join(parts))
        if self.loop == 0 and self.chance(0.5):
            return trace
        cycle = self.boolean(1) if self.function else Node("bin", Node("bin", Node("cycle", cat="int"), self.lit(4), op="%", cat="int"),
                                                           self.lit(self.rng.randrange(4)), op="==", cat="bool")
        return Node("if", cycle, Node("block", trace))

    def anyValue(self):
        found = self.place(lambda t: True)
        if found is not None and self.chance(0.5):
            return found
        return self.boolean(2) if self.chance(0.2) else self.integer(2)

    def assertion(self, depth):
        c = self.boolean(2)
        if isConstant(c) or not (self.has("failures") and self.chance(self.risk)):
            c = Node("bin", c, Node("boollit", v=True, cat="bool"), op="||", cat="bool")
        return Node("assert", c, text=self.names.fresh("claim"), word="assume" if self.chance(0.2) else "assert")

    def cover(self, depth):
        return Node("cover", self.boolean(2), text=self.names.fresh("seen"))

    # ------------------------------------------------------------ functions

    def makeFunction(self, name):
        rng = self.rng
        inside = Body(rng, self.features, self.names, 0.0)
        inside.function, inside.enums, inside.structs, inside.aliases = True, self.enums, self.structs, self.aliases
        inside.functions = list(self.functions)
        inside.places = [p for p in self.places if p.a.get("global")]
        params = []
        for k in range(rng.randint(1, 3)):
            t = inside.anyType(1) if k else inside.intType()
            while not self.has("arrayargs") and isinstance(t, (Array, Struct)):
                t = inside.anyType(0)
            params.append((self.names.fresh("p"), t))
            inside.places.append(Node("ref", name=params[-1][0], ty=t, cat=t.category))
        inside.anchor = Node("ref", name=params[0][0], ty=params[0][1], cat="int")
        result = inside.anyType(2 if self.has("arrayargs") and self.chance(0.3) else 0)
        start = [inside.temporary(0) for _ in range(rng.randint(0, 2))]
        body = inside.statements(rng.randint(1, 3), 2)
        if self.chance(0.4):
            early = Node("return", inside.valueFor(result, 1), ty=result)
            body.kids.append(Node("if", inside.boolean(1), Node("block", early)))
        body.kids = start + body.kids + [Node("return", inside.valueFor(result, 2), ty=result)]
        self.functions.append({"name": name, "params": params, "ty": result})
        return Node("func", body, name=name, params=params, ty=result)
