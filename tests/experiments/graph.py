"""Power-law graphs, and networks of processes that find their connected components by label propagation."""
import random


def powerLaw(vertices, edgesEach, parts, seed):
    """Neighbours by vertex. Preferential attachment (Barabási and Albert 1999) within each of `parts` components: a new vertex joins
    `edgesEach` others, each chosen in proportion to its degree. Vertices are then numbered at random."""
    rng = random.Random(seed)
    number = list(range(vertices))
    rng.shuffle(number)
    near = [set() for _ in range(vertices)]
    for part in range(parts):
        members, ends = [], []
        for v in range(part * vertices // parts, (part + 1) * vertices // parts):
            others = set()
            while len(others) < min(edgesEach, len(members)):
                others.add(rng.choice(ends) if ends else members[0])
            for other in others:
                near[number[v]].add(number[other])
                near[number[other]].add(number[v])
                ends += [v, other]
            members.append(v)
    return [sorted(others) for others in near]


def components(near):
    """For each vertex the lowest number of its component."""
    label = [-1] * len(near)
    for start in range(len(near)):
        stack = [start] if label[start] < 0 else []
        while stack:
            v = stack.pop()
            if label[v] < 0:
                label[v] = start
                stack += near[v]
    return label


def process(degree, rounds):
    """A vertex keeps the lowest label that it and its neighbours had. `rounds`: multiplications for each neighbour, for work that is not
    a comparison alone; what they compute goes into a field of its own."""
    inputs = ", ".join(f"in a{k}" for k in range(degree))
    lines = [f"proc vertex{degree}({inputs}, out y, const self: uint)", "    var best: u32 = self;", "    var mixed: u32;", "{"]
    for k in range(degree):
        lines.append(f"    best = min(best, a{k}.seen == 1 ? a{k}.label : best);")
        if rounds:
            lines += [f"    for i = 0 until {rounds} {{", f"        mixed = mixed * 1664525 + a{k}.label;", "    }"]
    return lines + ["    y.label = best;", "    y.seen = 1;", "    y.mixed = mixed;", "}", ""]


def padded(others):
    """The neighbours, the first ones repeated up to a number that many vertices share: a power of two, or half as much more."""
    ports = 2
    while ports < len(others):
        ports = ports * 4 // 3 if ports % 3 == 0 else ports * 3 // 2
    return others + [others[k % len(others)] for k in range(ports - len(others))]


def asSme(near, rounds):
    """A process for each vertex; those of about the same degree are a class."""
    lines, near = [], list(map(padded, near))
    for degree in sorted({len(others) for others in near}):
        lines += process(degree, rounds)
    lines += ["network components()", "{", f"    bus v[{len(near)}] {{ label: u32; seen: u1; mixed: u32; }};"]
    for v, others in enumerate(near):
        lines.append(f"    instance p{v} of vertex{len(others)}({', '.join(f'v[{other}]' for other in others)}, v[{v}], {v});")
    return "\n".join(lines + ["}", ""])
