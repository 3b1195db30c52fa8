"""A random program as files, and the options that its runs need."""
import random

import modules
import networks
import tree


class Case:
    def __init__(self, seed, program):
        self.seed, self.program = seed, program
        self.cycles = None

    @property
    def prefix(self):
        return f"f{self.seed}"


def joined(cases):
    """All these networks and their top as one program, so that it can shrink as a whole."""
    program = tree.Node("program", *[k for c in cases for k in c.program.kids])
    program.a["whole"] = [c.prefix for c in cases]
    program.kids.append(tree.Node("network", topParameters(cases), tree.Node("items", *topInstances(cases)), name="fuzz_top"))
    return program


def topConstants(case):
    """Nodes of the constants of a case's last network: name, value, and what `-G` gives."""
    top = next((k for k in case.program.kids if k.kind == "network" and k.a["name"] == case.prefix + "_net"), None)
    return [p for p in top.kids[0].kids if "constant" in p.a] if top is not None else []


def topParameters(cases):
    return tree.Node("items", *[tree.Node("line", **dict(p.a, text=f"const {c.prefix}_{p.a['constant']}: uint = {p.a['value']}",
                                                         option=f"{c.prefix}_{p.a['constant']}")) for c in cases for p in topConstants(c)])


def topInstances(cases):
    return [tree.Node("instance", name=f"a{c.seed}", of=c.prefix + "_net", named=True,
                      args=[(p.a["constant"], f"{c.prefix}_{p.a['constant']}") for p in topConstants(c)]) for c in cases]


def options(cases):
    """`-G name=value` for some constants of the top network."""
    whole = joined(cases) if "whole" not in cases[0].program.a else cases[0].program
    given = [(n.a["option"], n.a["given"]) for n in networks.walk(whole) if "option" in n.a and n.a["given"] is not None]
    return [word for name, value in given for word in ("-G", f"{name}={value}")]


def filesOf(cases):
    """{file name: text} with these networks below one top in fuzz.sme, the files it imports and those that initialisers read."""
    whole = joined(cases) if "whole" not in cases[0].program.a else cases[0].program
    found, imports, rest = modules.dataFiles(whole), [], ""
    for prefix in whole.a["whole"]:
        own = tree.Node("program", *[k for k in whole.kids if k.a.get("owner") == prefix])
        parts, more, text = modules.files(own, prefix)
        found.update((name + ".sme", part) for name, part in parts)
        imports += more
        rest += text
    top = tree.Node("items", *[k for k in whole.kids if "owner" not in k.a])
    found["fuzz.sme"] = "".join(x + "\n" for x in imports) + rest + "\n".join(tree.items(top)) + "\n"
    return found


def moduleOf(cases):
    """All files as one text, each below a line that names it."""
    files = filesOf(cases)
    if len(files) == 1:
        return files["fuzz.sme"]
    return "".join(f"// ---- {name}\n{text}" for name, text in sorted(files.items()))


def leaves(path, t):
    """The columns of a field: [(name, type)]."""
    if isinstance(t, tree.Array):
        return [x for i in range(t.size) for x in leaves(f"{path}[{i}]", t.element)]
    if isinstance(t, tree.Struct):
        return [x for name, inner in t.fields for x in leaves(f"{path}.{name}", inner)]
    return [(path, t)]


def sample(rng, t):
    if isinstance(t, tree.Int):
        return str(rng.choice((t.low, t.high, rng.randint(t.low, t.high), max(t.low, min(t.high, rng.randint(-9, 9))))))
    if isinstance(t, tree.Enum):
        name, value = rng.choice(t.members)
        return rng.choice((name, str(value)))
    return rng.choice(("true", "false")) if t is tree.BOOL else rng.choice(("0.0", "-0.0", "1.5", "-1e10", "0.1", "inf"))


def inputColumns(cases, rows):
    """[[name, value, …]] for some leaves of the inputs of these networks. A column depends on its name alone, so it outlives shrinking."""
    columns = []
    for c in cases:
        for n in networks.walk(c.program):
            for field, t in n.a.get("input", ()):
                for name, leaf in leaves(f"a{c.seed}.{n.a['bus']}.{field}", t):
                    rng = random.Random(name)
                    if rng.random() < 0.8:
                        columns.append([name] + [sample(rng, leaf) for _ in range(rows)])
    return columns
