#!/usr/bin/env python3
"""Many instances of a few kinds, some of which fail in one cycle: what they wrote before, and what all others did, as interpreted.

    failing.py [--smec PATH] [--seed N] [--count N] [--runs N] [--keep DIR] [--print]
    failing.py [--smec PATH] --checks       each kind of check, alone and in kinds that were merged, in the first, middle and last lanes and in several

A program is a ring of cells of two to four kinds, which differ in constants, in statements or in shape, so that smec merges their classes and
computes them in lanes. Checks stand in its bodies that fail where an exposed bus says so: which check, in which cells, in which cycle. So
one build serves many runs. Several programs share a build; a run fails in one of them and completes the cycle in all.
"""
import os
import random
import re
import shutil
import subprocess
import sys

import campaign

COUNTS = (16, 17, 31, 33, 64, 100)
BUILDS = ([], ["--no-simd"])
PLANS = (["--model", "m1", "--threads", "1"], ["--model", "m1", "--threads", "2"], ["--model", "m2", "--threads", "1"],
         ["--model", "m2", "--threads", "2"], ["--model", "m3", "--threads", "1"], ["--model", "m3", "--threads", "2"])
CYCLES = 6
INDENT = "    "


class Kind:
    """The statements of a process: `form` is a list of texts and of lists (blocks), in which `{n}` is a constant of its own."""

    def __init__(self, name, form):
        self.name, self.form = name, form


class Program:
    """One ring, as text. `checks`: how many there are; `count`: instances."""

    def __init__(self, seed):
        self.rng, self.seed, self.name = random.Random(seed), seed, f"r{seed}"
        rng = self.rng
        self.group = seed % 500 + 1                 # what the exposed bus calls it
        self.count, self.checks, self.temps = rng.choice(COUNTS), 0, 0
        isRich = self.isRich = rng.random() < 0.35  # lanes compute most of the others
        self.isAsync = rng.random() < 0.2           # the kinds read a ring in the same cycle
        self.waits = not self.isAsync and rng.random() < (0.3 if isRich else 0.15)
        self.slow = isRich and rng.random() < 0.3   # what no lane computes
        self.calls = rng.random() < (0.5 if isRich else 0.1)
        self.isHeld = not self.isAsync and rng.random() < 0.3
        self.hasArray = rng.random() < (0.6 if isRich else 0.25)
        self.hasStruct = rng.random() < (0.6 if isRich else 0.2)
        self.hasField = rng.random() < 0.3
        self.hasHeldArray = not self.isAsync and isRich and rng.random() < 0.4
        self.heldLength = rng.choice((4, 64, 128))
        self.hasFloat = rng.random() < (0.2 if isRich else 0.05)
        self.kinds = self.makeKinds()

    # ------------------------------------------------------------ expressions

    def places(self):
        found = ["x.v", "w.v", "x.b", "n", "m", "g"] + ["w.f"] * self.hasField
        found += ["o.v", "o.b"] * (not self.isAsync) + ["o.f"] * (self.hasField and not self.isAsync)
        found += ["s.p", "s.q"] * self.hasStruct + ["a[1]", "a[n & 3]"] * self.hasArray
        return found + [f"h.t[n & {self.heldLength - 1}]", f"h.t[2]"] * self.hasHeldArray

    def bad(self):
        """Whether the next check is to fail."""
        self.checks += 1
        return f"(bad && ctl.why == {self.checks})"

    def value(self, depth=2):
        rng = self.rng
        depth = min(depth, 1 + self.isRich)
        if depth == 0 or rng.random() < 0.3:
            return rng.choice(self.places()) if rng.random() < 0.75 else self.constant()
        a, b = self.value(depth - 1), self.value(depth - 1)
        pick = rng.random()
        if pick < 0.6:
            return f"({a} {rng.choice('+-^&|')} {b})"
        if pick < 0.7:
            return f"u8({a}) * {self.constant()}"
        if pick < 0.8:
            return f"(u16({a}) >> {rng.randint(1, 5)})"
        if pick < 0.9:
            return f"({self.condition(0)} ? u16({a}) : u16({b}))"
        return f"min(u16({a}), u16({b}))"

    def constant(self):
        return "{n}" if self.rng.random() < 0.5 else str(self.rng.randint(0, 40))

    def condition(self, depth=1):
        rng = self.rng
        if depth and rng.random() < 0.3:
            return f"({self.condition(0)} {rng.choice(('&&', '||'))} {self.condition(0)})"
        return f"(u16({self.value(1)}) {rng.choice(('<', '>=', '==', '!='))} {self.constant()})" if rng.random() < 0.4 else \
            f"(u8({self.value(1)}) & {rng.choice((1, 2, 4))}) == 0"

    # ------------------------------------------------------------ statements

    def block(self, count, depth):
        count = count if self.isRich else (count + 1) // 2
        return [s for _ in range(count) for s in self.statement(depth)]

    def targets(self):
        found = [("o.v", "u16"), ("n", "u8"), ("m", "u32"), ("o.b", "u8"), ("g", "u8")]
        found += [("s.p", "u8"), ("s.q", "u16")] * self.hasStruct + [("a[2]", "u16"), ("a[m & 3]", "u16")] * self.hasArray
        found += [("o.f", "u8")] * self.hasField
        return found + [(f"h.t[m & {self.heldLength - 1}]", "u8"), ("h.t[1]", "u8")] * self.hasHeldArray

    def assignment(self):
        to, t = self.rng.choice(self.targets())
        return f"{to} = {t}({self.value()});"

    def statement(self, depth):
        rng, pick = self.rng, self.rng.random()
        if pick < 0.42:
            return [self.assignment()]
        if pick < 0.6:
            return self.check()
        if pick < 0.68:
            return self.choice()
        if depth and pick < 0.86:
            found = [f"if ({self.condition()})", self.block(rng.randint(1, 3), depth - 1)]
            if rng.random() < 0.6:
                found += ["else", self.block(rng.randint(1, 3), depth - 1)]
            return found
        if depth and pick < 0.91:
            cases = ["case 0, 1", self.block(rng.randint(1, 2), depth - 1), "case 2", self.block(rng.randint(1, 2), depth - 1),
                     "default", self.block(rng.randint(0, 2), depth - 1)]
            return [f"switch u8(({self.value(1)}) & 3)", cases]
        if depth and pick < 0.95:
            inner = self.block(rng.randint(1, 2), 0)
            if rng.random() < 0.3:
                inner = [f"if ({self.condition(0)})", [rng.choice(("break;", "continue;"))], *inner]
            return [f"for i = 0 until {rng.choice((2, 3, 4))}", inner]
        if self.waits and depth == 2:
            return [rng.choice(("wait;", "wait 2;", f"wait {self.bad()} ? 0 : 1;", f"wait until ({self.condition(0)});"))]
        if self.hasFloat and pick < 0.98:
            return [f"r = r * 1.5 + f32(u8({self.value(1)}));", "if (r > 1000.0)", ["r = 0.25;"]]
        if self.slow:
            return self.slowly()
        return [self.assignment()]

    def choice(self):
        """Both sides set the same, before a check or behind it."""
        (to, t), rng = self.rng.choice(self.targets()), self.rng
        found = []
        for _ in range(2):
            side = [f"{to} = {t}({self.value()});"]
            side = rng.choice((side, side + self.check(), self.check() + side, side + self.check() + [self.assignment()]))
            found.append(side)
        return [f"if ((u8({self.value(1)}) & {rng.choice((1, 2))}) == 0)", found[0], "else", found[1]]

    def slowly(self):
        rng, pick = self.rng, self.rng.random()
        if pick < 0.3:
            return [f"trace(\"{{}} {{}}\", k, {self.value(1)});"]
        if pick < 0.6:
            return [f"if ({self.bad()})", [f"stop({rng.randint(0, 5)});"]]
        self.temps += 1
        name = f"rounds{self.temps}"
        return [f"var {name}: u8 = 0;", f"while ({name} < ({self.bad()} ? 90 : 3))", [f"{name} = u8({name} + 1);", self.assignment()]]

    def check(self):
        rng, bad = self.rng, self.bad()
        self.temps += 1
        t, value = f"t{self.temps}", f"u8({self.value(1)})"
        makers = [lambda: [f"assert(!{bad}, \"check {self.checks}: {{}} {{}}\", k, {self.value(1)});"],
                  lambda: [f"assert(!{bad});"],
                  lambda: [f"var {t}: u8 = {bad} ? 9 : {value} & 7;", f"r07 = {t};"],
                  lambda: [f"var {t}: i8 = {bad} ? -1 : i8({value} & 3);", f"m = u32(m << {t});"],
                  lambda: [f"var {t}: u8 = {bad} ? 77 : {value} & 1;", f"e = mood({t});"],
                  lambda: [f"var {t}: u8 = {bad} ? 200 : {value} & 3;", f"g = u8(x.v[{t}] ? 1 : 0);"],
                  lambda: [f"assert(!({bad} && {self.condition(0)}), \"once in a while\");"]]
        if self.calls:
            makers += [lambda: [f"m = u32(guarded({value}, {bad}));"]] * 2
        if self.hasArray:
            makers += [lambda: [f"var {t}: u8 = {bad} ? 9 : {value} & 3;", f"a[{t}] = u16({self.value(1)});"],
                       lambda: [f"var {t}: u8 = {bad} ? 4 : {value} & 3;", f"n = u8(a[{t}]);"]]
        if self.hasHeldArray:
            makers += [lambda: [f"var {t}: u8 = {bad} ? {self.heldLength} : {value} & 3;", f"h.t[{t}] = {value};"]]
        if self.slow:
            makers += [lambda: [f"m = u32(m / ({bad} ? 0 : 3));"], lambda: [f"m = u32(m % ({bad} ? 0 : u8(n | 1)));"]]
        return rng.choice(makers)()

    # ------------------------------------------------------------ kinds

    def makeKinds(self):
        rng = self.rng
        forms = [self.block(rng.randint(4, 8), 2)]
        for _ in range(rng.choice((1, 1, 2, 3))):
            form = rng.choice(forms)
            pick = rng.random()
            if pick < 0.35:
                forms.append(form)
            elif pick < 0.7:
                forms.append(self.changed(form))
            else:
                forms.append(self.block(rng.randint(2, 5), 2))
        return [Kind(f"{self.name}_p{i}", form) for i, form in enumerate(forms)]

    def changed(self, form):
        """With statements of its own in front, in the middle or behind."""
        at = self.rng.randint(0, len(form))
        while at < len(form) and (isinstance(form[at], list) or form[at] == "else"):
            at += 1
        return [*form[:at], *self.block(self.rng.randint(1, 2), 1), *form[at:]]

    # ------------------------------------------------------------ text

    def bodyText(self, kind, number):
        rng = random.Random(self.seed * 31 + number)

        def lines(form, indent, isSwitch=False):
            for i, part in enumerate(form):
                if isinstance(part, list):
                    continue
                text = re.sub(r"\{n\}", lambda _: str(rng.randint(0, 40)), part)
                if i + 1 < len(form) and isinstance(form[i + 1], list):
                    yield indent + text + " {"
                    yield from lines(form[i + 1], indent + INDENT)
                    yield indent + "}"
                else:
                    yield indent + text
        return "\n".join(lines(kind.form, INDENT))

    def processText(self, kind, number):
        hold = "hold " if self.isHeld else ""
        field = " f: u8 = 5;" if self.hasField else ""
        variables = ["n: u8 = 1", "m: u32 = k", "g: u8 = 0", "r07: uint range 0 to 7 = 0", "e: mood = mood.GLAD"]
        variables += ["a: [4]u16 = [1, 2, 3, 4]"] * self.hasArray + ["s: pair = pair(p: 1, q: 2)"] * self.hasStruct + ["r: f32 = 0.5"] * self.hasFloat
        lines = [f"{hold}bus o {{ v: u16 = k; b: u8 = 3;{field} }};"]
        lines += [f"hold bus h {{ t: [{self.heldLength}]u8; }};"] * self.hasHeldArray
        hit = f"var bad: bool = (ctl.every || ctl.group == {self.group}) && (ctl.all || k == ctl.a || k == ctl.b || k == ctl.c);"
        variables = [f"var {v};" for v in variables]
        lines, body = (lines, [*variables, hit]) if self.isAsync else (lines + variables, [hit])
        head = f"{'async proc' if self.isAsync else 'proc'} {kind.name}(in x, in w, in ctl, const k: u8)"
        return "\n".join([head, *(INDENT + x for x in lines), "{", *(INDENT + x for x in body), self.bodyText(kind, number), "}\n"])

    def text(self):
        """A ring in which kinds follow one another by a rule, and what reads it: with a constant of its own, since one class of the readers of
        all rings would make their kinds candidates for one class together."""
        rng, n, kinds = random.Random(self.seed + 5), self.count, len(self.kinds)
        step = rng.choice((2, 3, 3, 5, 7))
        choice = f"i * {rng.choice((1, 3, 5))} % {step}"
        text = "".join(self.processText(kind, number) for number, kind in enumerate(self.kinds))
        reach = rng.choice((2, 3, n - 1, n // 2))
        source = "q" if self.isAsync else "p"
        args = f"({source}[(i + {n - 1}) % {n}].o, {source}[(i + {reach}) % {n}].o, ctl, i)"
        inner = f"instance p[i] of {self.kinds[-1].name}{args};"
        for number in range(kinds - 2, -1, -1):
            inner = f"generate if ({choice} == {number}) {{ instance p[i] of {self.kinds[number].name}{args}; }} else {{ {inner} }}"
        fields = " ^ ".join(["x.v", "y.v", "x.b", "y.b"] + ["x.f"] * self.hasField + [str(self.group)])
        text += f"proc {self.name}_tap(in x, in y)\n{INDENT}bus o {{ v: u16; }};\n{{\n{INDENT}o.v = {fields};\n}}\n"
        taps = f"instance t[i] of {self.name}_tap(p[i].o, p[(i + {reach}) % {n}].o);"
        if self.isAsync:
            more = "o.f = u8(n ^ 5); " * self.hasField
            field = " f: u8 = 5;" * self.hasField
            text += f"proc {self.name}_source(in x, const k: u8)\n{INDENT}bus o {{ v: u16 = k; b: u8 = 3;{field} }};\n{INDENT}var n: u8 = k;\n" \
                f"{{ n = u8(n * 5 + 1); o.v = u16(x.v * 3 + n); o.b = n; {more}}}\n"
            taps += f" instance q[i] of {self.name}_source(q[(i + 1) % {n}].o, i);"
        return text + f"network {self.name}_net(in ctl) {{\n{INDENT}generate i = 0 until {n} {{ {inner} }}\n{INDENT}generate i = 0 until {n} {{ {taps} }}\n}}\n"


class Fixed(Program):
    """A ring for one check, which stands behind what is set before it and in front of what both sides of a branch set."""

    CHECKS = {"assert": ["assert(!{bad}, \"no {{}}\", x.v);"], "range": ["var t: u8 = {bad} ? 9 : x.b & 7;", "r07 = t;"],
              "read": ["var t: u8 = {bad} ? 4 : x.b & 3;", "g = u8(a[t]);"], "write": ["var t: u8 = {bad} ? 4 : x.b & 3;", "a[t] = x.v;"],
              "held": ["var t: u8 = {bad} ? 64 : x.b & 3;", "h.t[t] = x.b;"], "bit": ["var t: u8 = {bad} ? 16 : x.b & 3;", "g = u8(x.v[t] ? 1 : 0);"],
              "shift": ["var t: i8 = {bad} ? -1 : i8(x.b & 3);", "m = u32(m << t);"], "divide": ["m = u32(m / ({bad} ? 0 : 3));"],
              "enum": ["var t: u8 = {bad} ? 3 : x.b & 1;", "e = mood(t);"], "function": ["m = u32(guarded(x.b & 7, {bad}));"],
              "wait": ["g = 5;", "wait {bad} ? 0 : 1;", "g = u8(g + x.b);"], "rounds": ["for i = 0 until 3", ["g = u8(g + i);", "assert(!({bad} && i == 2));"]],
              "switch": ["switch x.b & 3", ["case 0, 1", ["g = 1;", "assert(!{bad});"], "default", ["g = 2;", "assert(!{bad});"]]],
              "loop": ["var t: u8 = 0;", "while (t < ({bad} ? 90 : 3))", ["t = u8(t + 1);", "g = u8(g + t);"]],
              "stop": ["if ({bad})", ["stop(3);"]]}

    def __init__(self, number, check, arrangement):
        super().__init__(number)
        self.name, self.group, self.count, self.check, self.arrangement = f"r_{check}_{arrangement}", number + 1, 33, check, arrangement
        self.isAsync = self.waits = self.hasFloat = False
        self.hasArray = self.isHeld = check in ("read", "write")
        self.hasStruct, self.hasField, self.hasHeldArray, self.heldLength, self.checks = True, True, check == "held", 64, 1
        first = [self.form("x.v + {n}")]
        self.kinds = [Kind(f"{self.name}_p{i}", form) for i, form in
                      enumerate(first + {"alone": [], "constants": first, "shapes": [self.form("w.v ^ {n}", ["n = u8(n + x.b);"])]}[arrangement])]

    def form(self, value, more=()):
        def filled(part):
            return [filled(x) for x in part] if isinstance(part, list) else part.format(bad="(bad && ctl.why == 1)")
        sets = ["m = u32(m + 7);", f"o.v = u16({value});", "s.p = u8(w.v);", *["a[n & 3] = w.v;"] * self.hasArray]
        check = filled(self.CHECKS[self.check])
        if self.check == "wait":
            return [*sets, *more, *check, "o.b = 9;"]
        return [*more, "if ((x.b & 1) == 0 || bad)", [*sets, *check, "o.b = 9;"], "else", ["m = 5;", "o.v = u16(w.v + 3);", "s.p = 3;", "o.b = 2;"],
                "o.f = u8(o.v + {n});"]


def fixed():
    return [Fixed(len(Fixed.CHECKS) * k + i, check, arrangement)
            for k, arrangement in enumerate(("alone", "constants", "shapes")) for i, check in enumerate(Fixed.CHECKS)]


HEAD = """// of types that no field of a cell has, so that it takes the place of none where kinds are merged
type control: bus { group: u9; every: bool; why: u10; all: bool; a: u7; b: u7; c: u7; };
type pair: struct { p: u8; q: u16; };
enum mood { GLAD, SAD, CALM }
func guarded(v: u8, bad: bool): u8 {
    if (v > 100) { return u8(v - 3); }
    assert(!bad, "guarded {}", v);
    return u8(v + 1);
}
"""


def design(programs):
    text = HEAD + "\n".join(p.text() for p in programs) + "network top() {\n    exposed bus ctl: control;\n"
    return text + "".join(f"    instance {p.name} of {p.name}_net(ctl);\n" for p in programs) + "}\n"


class Campaign:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.programs = self.runs = self.failing = self.findings = self.merged = self.lanes = self.checked = 0

    def run(self, command, seconds=300):
        p = subprocess.run(command, cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds, text=True)
        return p.returncode, p.stdout, p.stderr

    def write(self, programs):
        with open(os.path.join(self.scratch, "failing.sme"), "w", encoding="utf-8") as f:
            f.write(design(programs))

    def scenarios(self, programs, count):
        """Rows of the inputs: in which programs (most of the time in all of them) which check fails, in which cells, in which cycle."""
        rng = random.Random(programs[0].seed * 13 + 1)
        for _ in range(count):
            p = rng.choice(programs)
            isEvery = rng.random() < 0.8
            last, why = p.count - 1, rng.randint(1, max(p.checks, 1))
            some = [rng.randrange(p.count) for _ in range(3)]
            a, b, c = rng.choice(([0, 0, 0], [last, last, last], [last // 2] * 3, [some[0]] * 3, some, [0, last, last // 2], [some[0], some[0] + 1, 127]))
            isAll = rng.random() < 0.4
            yield f"{p.group},{isEvery},{why},{isAll},{a},{b},{c}".lower(), rng.randrange(1, CYCLES - 1)

    def give(self, row, cycle):
        with open(os.path.join(self.scratch, "input.csv"), "w", encoding="utf-8") as f:
            f.write("cycle,ctl.group,ctl.every,ctl.why,ctl.all,ctl.a,ctl.b,ctl.c\n")
            for k in range(CYCLES):
                f.write(f"{k}," + (row if k == cycle else "0,false,0,false,0,0,0") + "\n")

    def simulate(self, command):
        """What a run shows: status, output, reports, and the values of all in each cycle."""
        trace = os.path.join(self.scratch, "rows.csv")
        if os.path.exists(trace):
            os.remove(trace)
        status, out, err = self.run([*command, "--input", "input.csv", "--cycles", str(CYCLES), "--checksum", "--loop-limit", "60", "--trace", "rows.csv",
                                     "--trace-all"])
        with open(trace, encoding="utf-8") as f:
            rows = f.read()
        reports = "\n".join(x for x in err.split("\n") if re.match(r"\S+:\d+:\d+: error: |  in instance ", x))
        return status, out, reports, rows

    def build(self, words, name, level):
        status, _, err = self.run([self.options.smec, "compile", "failing.sme", *words, level, "-j", "1", "-q", "-o", name, "--build-dir", "build_" + name], 1200)
        if status != 0:
            self.report(f"build {' '.join(words)}", err[:600])
        return status == 0

    def count(self, programs):
        """What became of the kinds."""
        status, out, _ = self.run([self.options.smec, "compile", "failing.sme", "--emit", "ir"])
        names = re.findall(r"^class \d+ (\S+):", out, re.M)
        self.merged += sum(len([k for k in p.kinds if k.name in names]) < len(p.kinds) for p in programs)
        folder = os.path.join(self.scratch, "build_plain")
        text = "".join(open(os.path.join(folder, f), encoding="utf-8").read() for f in os.listdir(folder) if f.startswith("unit_") and f.endswith(".cpp"))
        self.lanes += len(set(re.findall(r"SME_LANES void (r\w+)_p\d", text)))
        self.checked += len(set(re.findall(r"SME_CHECKS bool (r\w+)_p\d", text)))

    def report(self, label, text):
        self.findings += 1
        stem = os.path.join(self.options.keep, f"failing_{self.first}_{self.findings}")
        os.makedirs(self.options.keep, exist_ok=True)
        shutil.copy(os.path.join(self.scratch, "failing.sme"), stem + ".sme")
        if os.path.exists(os.path.join(self.scratch, "input.csv")):
            shutil.copy(os.path.join(self.scratch, "input.csv"), stem + ".csv")
        print(f"FINDING {stem}.sme: {label}: {text}", flush=True)

    def batch(self, seeds):
        programs = [Program(seed) for seed in seeds]
        self.first = seeds[0]
        rng = random.Random(seeds[0])
        self.write(programs)
        level = rng.choice(("-O2", "-O2", "-O1", "-O3"))
        names = ["plain", "nosimd"]
        status, _, err = self.run([self.options.smec, "check", "failing.sme"])
        if status != 0:
            return self.report("check", err[:800])
        if not all(self.build(words, name, level) for words, name in zip(BUILDS, names)):
            return
        self.count(programs)
        self.programs += len(programs)
        for row, cycle in self.scenarios(programs, self.options.runs):
            self.compare(row, cycle, [("plain", rng.choice(PLANS)), ("plain", rng.choice(PLANS)), ("nosimd", rng.choice(PLANS))])
            if self.findings >= self.options.most:
                return

    def checks(self):
        """Every check of Fixed, in some lanes of all its rings."""
        programs = fixed()
        self.first = "checks"
        self.write(programs)
        for words, name in zip(BUILDS, ("plain", "nosimd")):
            self.build(words, name, "-O1")
        if self.findings:
            return 1
        self.count(programs)
        lanes = (["0", "0", "0"], ["16", "16", "16"], ["32", "32", "32"], ["0", "32", "15"], ["15", "16", "17"])
        for number, cells in enumerate(lanes + (None,)):
            for group in (0, *range(1, len(Fixed.CHECKS) + 1)) if number == 0 else (0,):
                row = f"{group},{'false' if group else 'true'},1,{'false' if cells else 'true'}," + ",".join(cells or ["127"] * 3)
                self.compare(row, 3, [("plain", PLANS[number % 6]), ("nosimd", PLANS[(number + 3) % 6])])
        print(f"{len(programs)} rings ({self.merged} whose kinds were merged, {self.checked} with checks ahead of lanes), {self.runs} runs, "
              f"{self.failing} scenarios that failed; {self.findings} findings")
        return 1 if self.findings or self.merged < 20 or self.checked < 24 else 0

    def compare(self, row, cycle, plans):
        self.give(row, cycle)
        wanted = self.simulate([self.options.smec, "run", "--interpret", "failing.sme"])
        self.failing += wanted[0] != 0
        for name, plan in plans:
            self.runs += 1
            got = self.simulate(["./" + name, *plan])
            if got != wanted:
                self.report(f"{name} {' '.join(plan)}", self.difference(wanted, got))

    @staticmethod
    def difference(wanted, got):
        for what, a, b in zip(("status", "output", "reports"), wanted, got):
            if a != b:
                other = f"; {what}: {str(a)[:300]!r} interpreted, {str(b)[:300]!r} compiled"
                break
        else:
            other = ""
        names = wanted[3].split("\n", 1)[0].split(",")
        for x, y in zip(wanted[3].split("\n"), got[3].split("\n")):
            for name, p, q in zip(names, x.split(","), y.split(",")):
                if p != q:
                    return f"row {x.split(',')[0]}, {name}: {p} interpreted, {q} compiled{other}"
        return "rows agree" + other

    def main(self):
        campaign.batches(self.options, lambda: self.findings >= self.options.most, self.batch, lambda: f"{self.programs} programs, {self.runs} runs")
        print(f"{self.programs} programs ({self.merged} whose kinds were merged, {self.lanes} in lanes, {self.checked} with checks ahead of lanes), "
              f"{self.runs} runs, {self.failing} scenarios that failed; {self.findings} findings")
        return 1 if self.findings else 0


def main():
    parser = campaign.parser("kinds in lanes, some of which fail, interpreted and compiled", count=64, batch=16)
    parser.add_argument("--runs", type=int, default=24, help="scenarios of each build")
    parser.add_argument("--checks", action="store_true", help="each kind of check, and nothing at random")
    parser.add_argument("--print", action="store_true", help="print the program of --seed and stop")
    options = parser.parse_args()
    if options.print:
        print(design([Program(s) for s in range(options.seed, options.seed + options.batch)]))
        return 0

    def tried(scratch):
        made = Campaign(options, scratch)
        return made.checks() if options.checks else made.main()
    return campaign.inScratch(options, "failing", tried)


if __name__ == "__main__":
    sys.exit(main())
