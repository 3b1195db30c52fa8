"""Random networks: types, constants, functions, processes, and the ways to wire them.

`network(seed, features, prefix)` makes one program: the items of a module whose last network, `<prefix>_net`, takes no parameters. Networks
with different prefixes fit into one file. Each uses only some of the features: few at a time reach deeper.
"""
import random
import re

import modules
from processes import Bus, Class, Declarations, Shape, walk
from tree import BOOL, Array, Int, Node, Struct


def network(seed, features, prefix, limits=()):
    """`limits`: "hardware", no loops whose bounds are not constant; "narrow", numbers of few bits: of at most 16 where they are divided."""
    rng = random.Random(seed)
    keep = rng.choice((0.3, 0.6, 0.8, 0.9, 1.0))
    builder = Builder(rng, frozenset(f for f in features if rng.random() < keep) | frozenset(limits), prefix)
    program = builder.build()
    program.a["features"] = builder.features
    return program


class Builder(Declarations):
    """The ways to wire processes."""

    def build(self):
        rng = self.rng
        self.extended = set()           # buses that have more fields than their shape
        self.makeModule()
        if self.has("topconsts"):
            self.sizes = [(self.names.fresh("size"), rng.randint(1, 6)) for _ in range(rng.choice((0, 1, 2)))]
        parts = [self.randomWiring] * 4 + [self.chain, self.ring, self.tree]
        for feature, part in (("generate", self.grid), ("nested", self.subnetwork), ("nested", self.subnetwork), ("fields", self.shared),
                              ("poly", self.poly), ("arrayports", self.gather), ("arrayports", self.scatter), ("flip", self.handshake),
                              ("tables", self.table), ("flipcopies", self.relay),
                              ("flip", self.handshake), ("generate", self.scoped), ("nested", self.deep), ("topconsts", self.sized)):
            if self.has(feature):
                parts.append(part)
        for _ in range(rng.choice((1, 1, 2, 3))):
            rng.choice(parts)()
        if self.has("mixedports") and self.has("async") and self.chance(0.3):
            self.mixture()
        if self.has("sums") and self.chance(0.7):
            self.sums()
        if self.has("stop") and self.chance(0.08):
            self.stopper()
        rng.shuffle(self.main.kids)
        self.program.kids.append(Node("network", self.topParameters(), self.main, name=self.prefix + "_net"))
        if self.has("imports") and self.chance(0.6):
            modules.split(rng, self.program, self.prefix)
        for item in self.program.kids:
            item.a["owner"] = self.prefix
        return self.program

    def topParameters(self):
        """Constants that `-G` may set; `given` are the values for that, or None."""
        return Node("items", *[Node("line", text=f"const {name}: uint = {value}", constant=name, value=value,
                                    given=self.rng.choice((None, self.rng.randint(1, 6)))) for name, value in self.sizes])

    def pick(self, most):
        return [self.rng.choice(self.shapes) for _ in range(self.rng.randint(0, most))]

    def randomWiring(self):
        rng, later = self.rng, []
        for _ in range(rng.randint(1, 3)):
            outs = self.pick(2) or [rng.choice(self.shapes)]
            refers = rng.sample(self.referable, 1) if self.referable and self.chance(0.6) else ()
            c = self.makeClass(self.pick(3), outs, owned=self.has("owned") and self.chance(0.25), refers=refers)
            twin = self.twin(c) if self.has("twins") and self.chance(0.25) else c
            instances = [twin] * (twin is not c) + [c] * rng.choice((1, 1, 1, 2, 3))
            alone = [x for x in (c, twin) if instances.count(x) == 1]
            for c in instances:
                names = [self.addBus(s) for s in outs]
                self.buses += [Bus(n, s) for n, s in zip(names, outs)]
                later.append((c, names, self.names.fresh("n") if c.owned else None))
                if c.owned:
                    self.own(c, later[-1][2], c in alone)
        if self.has("async"):
            for _ in range(rng.randint(0, 3)):
                self.combinational()
        for c, outs, name in later:
            self.instantiate(c, [self.readable(s) for _, s in c.ins], outs, name=name)

    def own(self, c, instance, alone):
        """The bus of an instance's own, reached by the instance or, where it is the only one, by the entity."""
        byEntity = f"{c.name}.{c.owned[0]}"
        named = alone and self.has("references") and self.chance(0.5)
        self.buses.append(Bus(byEntity if named else f"{instance}.{c.owned[0]}", c.owned[1]))
        if alone and self.has("references"):
            self.referable.append((byEntity, c.owned[1]))

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
        through = mode == "async" and self.chance(0.5)          # a combinational way from the port to the port
        first = self.makeClass([shape], [shape], mode)
        last = self.makeClass([shape], [shape], mode if through else None, owned=not through and self.has("owned") and self.chance(0.3))
        inside, params = Node("items"), Node("items")
        link = self.addBus(shape, inside, "[m]", combinational=mode == "async")
        params.kids += [Node("line", text=self.portText("in", "x", shape)), Node("line", text=self.portText("out", "y", shape)),
                        Node("line", text="const m: uint = 2")]
        self.instantiate(first, ["x"], [f"{link}[0]"], inside)
        if self.has("generate"):
            self.generated("i = 1 until m", first, [f"{link}[i - 1]"], [f"{link}[i]"], inside)
        inner = self.instantiate(last, [f"{link}[m - 1]"], ["y"], inside)
        rng.shuffle(inside.kids)
        name = self.names.outer("net")
        self.program.kids.append(Node("network", params, inside, name=name))
        for _ in range(rng.choice((1, 2, 3))):
            feed, out = self.readable(shape), self.addBus(shape, combinational=through)
            args = [("x", feed), ("y", out)] + ([] if self.chance(0.3) else [("m", str(rng.randint(1, 4)))])
            instance = self.names.fresh("n") if self.chance(0.8) else "_"
            self.main.kids.append(Node("instance", name=instance, of=name, args=args))
            self.buses.append(Bus(out, shape))
            if instance != "_":
                self.buses.append(Bus(f"{instance}.{link}[0]", shape))
                if last.owned:
                    self.buses.append(Bus(f"{instance}.{inner}.{last.owned[0]}", last.owned[1]))

    def scoped(self):
        """A generate whose body declares a constant and a bus for each index."""
        rng, shape, n = self.rng, self.rng.choice(self.shapes), self.rng.choice((1, 2, 4))
        first, last = self.makeClass([shape], [shape]), self.makeClass([shape], [shape])
        feed, out, inner = self.readable(shape), self.addBus(shape, dims=f"[{n}]"), Node("items")
        constant = self.names.fresh("c")
        self.line(f"const {constant}: uint = i % 6 + 1;", inner)
        link = self.addBus(shape, inner)
        self.instantiate(first, [feed], [link], inner, self.names.fresh("n") + "[i]", "i", [constant])
        self.instantiate(last, [link], [f"{out}[i]"], inner, self.names.fresh("n") + "[i]", "i", [constant])
        self.main.kids.append(Node("generate", inner, head=f"i = 0 until {n}"))
        self.buses += [Bus(f"{out}[{k}]", shape) for k in range(n)]

    def deep(self):
        """Networks in networks; buses at the bottom are read from the top."""
        rng, shape = self.rng, self.rng.choice(self.shapes)
        leaf, name = self.makeClass([shape], [shape]), None
        for _ in range(rng.choice((2, 3))):
            inside, around = Node("items"), self.names.outer("net")
            link = self.addBus(shape, inside)
            if name is None:
                below = self.instantiate(leaf, ["x"], [link], inside, self.names.fresh("n"))
                path = link
            else:
                below = self.names.fresh("n")
                inside.kids.append(Node("instance", name=below, of=name, args=[("x", "x"), ("y", link)], named=self.chance(0.5)))
                path = f"{below}.{path}"
            self.instantiate(leaf, [link], ["y"], inside)
            params = Node("items", Node("line", text=self.portText("in", "x", shape)), Node("line", text=self.portText("out", "y", shape)))
            self.program.kids.append(Node("network", params, inside, name=around))
            name = around
        feed, out, instance = self.readable(shape), self.addBus(shape), self.names.fresh("n")
        self.main.kids.append(Node("instance", name=instance, of=name, args=[("x", feed), ("y", out)]))
        self.buses += [Bus(out, shape), Bus(f"{instance}.{path}", shape)]

    def sized(self):
        """A chain as long as a constant of the top network says."""
        if not self.sizes:
            return self.chain()
        shape, (size, _) = self.rng.choice(self.shapes), self.rng.choice(self.sizes)
        c, feed = self.makeClass([shape], [shape]), self.readable(shape)
        bus = self.addBus(shape, dims=f"[{size} + 1]")
        self.instantiate(c, [feed], [f"{bus}[0]"])
        self.generated(f"i = 1 to {size}", c, [f"{bus}[i - 1]"], [f"{bus}[i]"])
        if self.chance(0.4):
            inner, other = Node("items"), Node("items")
            spare = self.addBus(shape)
            self.instantiate(c, [feed], [spare], inner)
            self.instantiate(c, [f"{bus}[{size}]"], [spare], other)
            self.main.kids.append(Node("generate", inner, other, head=f"if ({size} > 3)"))
            self.buses.append(Bus(spare, shape))
        self.buses.append(Bus(f"{bus}[{size}]", shape))

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

    def listed(self, shape, n):
        """A list of n buses that exist already, some of them chosen by a condition or from a list in the list."""
        usable = [b.text for b in self.buses
                  if b.shape is shape and not self.extended & set(re.findall(r"\w+", b.text))]
        while len(usable) < 2:
            name = self.addBus(shape)
            self.buses.append(Bus(name, shape))
            if name not in self.extended:
                usable.append(name)
        def element():
            a, b, k = self.rng.choice(usable), self.rng.choice(usable), self.rng.randint(0, 3)
            return self.rng.choice((a, a, a, f"{k} < 2 ? {a} : {b}", f"[{a}, {b}][{k} % 2]", f"({k} > 1 ? [{a}] : [{b}, {a}])[0]"))
        return "[" + ", ".join(element() for _ in range(n)) + "]"

    def arrayPort(self, dims, direction, name, shape):
        """A port of these sizes, typed where its buses may have more fields."""
        sizes = "".join(self.rng.choice(("[]", f"[{n}]")) for n in dims)
        return Node("line", text=f"{sizes} {direction} {name}" + (f": {shape.typeName}" if shape.typeName else ""))

    def table(self):
        """Array ports of two dimensions: read and written at any index, connected to arrays or to lists of lists."""
        rng, shape, rows, columns = self.rng, self.rng.choice(self.shapes), self.rng.choice((1, 2, 3)), self.rng.choice((1, 2, 4))
        name, params, declarations, b = self.names.outer("p"), Node("items"), Node("items"), self.body()
        params.kids += [self.arrayPort((rows, columns), "in", "x", shape), self.arrayPort((rows, columns), "out", "y", shape)]
        for port in ("x", "y"):
            for field, t in shape.fields:
                at = [Node("bin", Node("cycle", cat="int"), b.lit(n), op="%", cat="int") for n in (rows, columns)]
                row = Node("idx", Node("ref", name=port, ty=t), at[0], ty=t)
                places = [Node("ref", name=f"{port}[{rng.randrange(rows)}][{rng.randrange(columns)}].{field}", ty=t, cat=t.category),
                          Node("fld", Node("idx", row, at[1], ty=t), name=field, ty=t, cat=t.category)]
                b.places += places
                if port == "y":
                    b.targets += places
        self.variables(b, declarations)
        body = b.statements(rng.randint(2, 6), 2)
        body.kids.sort(key=lambda k: k.kind != "var")
        self.program.kids.append(Node("proc", params, declarations, body, name=name, mode="clocked"))
        feed = "[" + ", ".join(self.listed(shape, columns) for _ in range(rows)) + "]"
        if self.chance(0.5):
            out = self.addBus(shape, dims=f"[{rows}][{columns}]")
            driven = [[f"{out}[{r}][{c}]" for c in range(columns)] for r in range(rows)]
        else:
            driven = [[self.plainBus(shape) for _ in range(columns)] for _ in range(rows)]
            out = "[" + ", ".join("[" + ", ".join(row) + "]" for row in driven) + "]"
        self.main.kids.append(Node("instance", name=self.names.fresh("n"), of=name, args=[("x", feed), ("y", out)]))
        self.buses += [Bus(bus, shape) for row in driven for bus in row]

    def leaves(self, place, t):
        """Integers and truth values in a place: [(node, type)]; of an array one element."""
        if isinstance(t, Struct):
            return [leaf for name, inner in t.fields for leaf in self.leaves(Node("fld", place, name=name, ty=inner, cat=inner.category), inner)]
        if isinstance(t, Array):
            index = Node("lit", v=self.rng.randrange(t.size), cat="int", style="")
            return self.leaves(Node("idx", place, index, ty=t.element, cat=t.element.category), t.element)
        return [(place, t)] if t is BOOL or isinstance(t, Int) and not t.ranged else []

    def portLeaves(self, port, shape):
        return [leaf for name, t in shape.fields for leaf in self.leaves(Node("ref", name=f"{port}.{name}", ty=t, cat=t.category), t)]

    def changes(self, port, shape):
        """Statements after which what a port says is another thing in each cycle, or every few."""
        found = self.portLeaves(port, shape)
        if not found:
            return []
        place, t = self.rng.choice(found)
        bits = Node("bin", Node("cycle", cat="int"), Node("lit", v=1 << self.rng.randrange(3), cat="int", style=""), op="&" if t is BOOL else "^", cat="int")
        value = bits if t is not BOOL else Node("bin", bits, Node("lit", v=0, cat="int", style=""), op="==", cat="bool")
        return [Node("assign", place, value, op="")]

    def sums(self):
        """Processes that add up what some buses say: what was wrong in a cycle stays so to the end."""
        for bus in self.rng.sample(self.buses, min(len(self.buses), 4)):
            found = self.portLeaves("x", bus.shape)
            if not found:
                continue
            word = Int(32, False)
            total = Node("ref", name="sum", ty=word, cat="int")
            parts = [Node("bin", total.copy(), Node("lit", v=5, cat="int", style=""), op="*", cat="int")]
            parts += [leaf if t is not BOOL else Node("cond", leaf, *[Node("lit", v=v, cat="int", style="") for v in (1, 0)], cat="int") for leaf, t in found]
            while len(parts) > 1:
                parts[:2] = [Node("bin", *parts[:2], op="+", cat="int")]
            name, out = self.names.outer("p"), Node("assign", Node("ref", name="y.v", ty=word, cat="int"), total.copy(), op="")
            self.program.kids.append(Node("proc", Node("items", Node("line", text="in x"), Node("line", text="out y")),
                                          Node("items", Node("vardecl", name="sum", ty=word, init="0", data=None)),
                                          Node("block", Node("assign", total, parts[0], op=""), out), name=name, mode="clocked"))
            self.instantiate(Class(name, "clocked", [("x", bus.shape)], [("y", None)], []), [bus.text], [self.addBus(Shape([("v", word)]))])

    def plainBus(self, shape, combinational=False):
        """A new bus with the fields of its shape and no more."""
        name = self.addBus(shape, combinational=combinational)
        while name in self.extended:
            name = self.addBus(shape, combinational=combinational)
        return name

    def relay(self):
        """Streams copied as a whole: each field goes its own way."""
        rng, name = self.rng, self.names.outer("b")
        data, back = self.body().intType(), self.body().intType()
        self.line(f"type {name}: bus {{ data: {data.text}; flip ready: bool; valid: bool; flip credit: {back.text}; }};")
        ahead, after = [("data", data), ("valid", BOOL)], [("ready", BOOL), ("credit", back)]
        classes = []
        for ports in (("out s",), ("in r", "out s"), ("in r",)):
            process, params, declarations, b = self.names.outer("p"), Node("items"), Node("items"), self.body()
            for port in ports:
                params.kids.append(Node("line", text=f"{port}: {name}"))
                self.addFields(b, port[-1], ahead, port[-1] == "s")
                self.addFields(b, port[-1], after, port[-1] == "r")
            self.variables(b, declarations)
            body = b.statements(rng.randint(1, 4), 2)
            if len(ports) == 2:
                body.kids.insert(rng.randint(0, len(body.kids)), Node("word", text="s = r"))
            body.kids.sort(key=lambda k: k.kind != "var")
            self.program.kids.append(Node("proc", params, declarations, body, name=process, mode="clocked"))
            classes.append(process)
        links = [self.names.fresh("b") for _ in range(rng.choice((2, 3, 4)))]
        self.main.kids += [Node("line", text=f"bus {link}: {name};") for link in links]
        args = [[("s", links[0])], *([("r", a), ("s", b)] for a, b in zip(links, links[1:])), [("r", links[-1])]]
        for process, given in zip([classes[0], *[classes[1]] * (len(links) - 1), classes[2]], args):
            self.main.kids.append(Node("instance", name=self.names.fresh("n"), of=process, args=given))

    def gather(self):
        """An array port: read at any index, fed by a bus array, by the buses of an instance array, or by a list."""
        rng, shape, n = self.rng, self.rng.choice(self.shapes), self.rng.choice((1, 2, 3, 5))
        isList = self.has("lists") and self.chance(0.4)
        bus = self.listed(shape, n) if isList else self.feedArray(shape, n)
        port = self.arrayPort((n,), "in", "x", shape) if isList else Node("line", text=rng.choice(("[] in x", f"[{n}] in x")))
        self.chooser(shape, n, port, bus)

    def chooser(self, shape, n, port, feed, mode="clocked", certain=False):
        """A process that reads `feed`, n buses, by its port x at any index; `certain`: it hands on what it finds there."""
        rng = self.rng
        name, params, declarations, b = self.names.outer("p"), Node("items"), Node("items"), self.body()
        params.kids += [port, Node("line", text="out y")]
        self.variables(b, declarations)
        indices = [Node("bin", Node("cycle", cat="int"), b.lit(n), op="%", cat="int"), b.anyIndex(n, 2) if n > 1 else b.lit(0)]
        chosen = {}
        for field, t in shape.fields:
            ref = Node("ref", name=f"x[{rng.randrange(n)}].{field}", ty=t, cat=t.category)
            b.places.append(ref)
            chosen[field] = Node("fld", Node("idx", Node("ref", name="x", ty=t), rng.choice(indices).copy(), ty=t), name=field, ty=t, cat=t.category)
            b.places.append(chosen[field])
        self.addFields(b, "y", shape.fields, True, mode != "async")
        b.combinational = mode == "async"
        body = b.statements(rng.randint(2, 6), 2)
        if certain:
            field, t = rng.choice(shape.fields)
            body.kids.append(Node("assign", Node("ref", name=f"y.{field}", ty=t, cat=t.category), chosen[field], op=""))
        body.kids.sort(key=lambda k: k.kind != "var")
        self.program.kids.append(Node("proc", params, declarations, body, name=name, mode=mode))
        out = self.addBus(shape, combinational=mode == "async")
        self.main.kids.append(Node("instance", name=self.names.fresh("n"), of=name, args=[("x", feed), ("y", out)]))
        self.buses.append(Bus(out, shape))

    def mixture(self):
        """An array port in which buses of clocked processes stand beside those of combinational ones, and a run chooses among them."""
        rng, shape, n = self.rng, self.rng.choice(self.shapes), self.rng.choice((2, 2, 3, 4, 7))
        drivers = {}
        for mode in ("clocked", "async"):
            drivers[mode] = self.makeClass([shape], [shape], mode)
            self.program.kids[-1].kids[2].kids += self.changes(drivers[mode].outs[0][0], shape)
        modes = ["clocked", "async"] + [rng.choice(("clocked", "async")) for _ in range(n - 2)]
        rng.shuffle(modes)
        listed = []
        for mode in modes:
            feed = self.readable(shape)
            listed.append(self.plainBus(shape, combinational=mode == "async"))
            self.instantiate(drivers[mode], [feed], [listed[-1]])
            self.buses.append(Bus(listed[-1], shape))
        for _ in range(rng.choice((1, 1, 2))):
            self.chooser(shape, n, self.arrayPort((n,), "in", "x", shape), "[" + ", ".join(listed) + "]", rng.choice(("clocked", "async")), True)

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
