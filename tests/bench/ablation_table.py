"""The table of ablation.py: of each rule what is gained by it where most, and lost where most."""

WHAT = {"time": "time", "instructions": "instructions", "code": "bytes of code", "memory": "memory", "compile": "compiling"}  # of programs whose C++ differs
WORTH = {"compile": 0.10}  # what counts as a gain, else OTHERWISE: compiling is measured once
OTHERWISE = 0.02


def ratios(results, name, what):
    """[(without it to with it, design)], in order, of the designs that differ."""
    found = []
    for design, one in results["designs"].items():
        for other in one["others"]:
            if name in other["without"] and other.get(what) and one["whole"].get(what):
                found.append((other[what] / one["whole"][what], design))
    return sorted(found)


def tables(results, name):
    """The same of model.bin, where it alone differs."""
    return sorted((one["tables"][name], design) for design, one in results["designs"].items() if name in one.get("tables", {}))


def noise(results, what):
    """The same of a copy of each program."""
    return sorted((one["again"][what] / one["whole"][what], design) for design, one in results["designs"].items() if "again" in one and one["whole"].get(what))


def cell(found):
    """The most that is gained, and the most that is lost."""
    if not found:
        return ""
    least, most = found[0], found[-1]
    if len(found) == 1:
        return f"{most[0]:.2f} ({most[1]})"
    return f"{most[0]:.2f} ({most[1]}) … {least[0]:.2f} ({least[1]})"


def worth(results, what):
    """What counts as a gain: beyond what a copy of the same program gains."""
    return max([1 + WORTH.get(what, OTHERWISE), *(max(ratio, 1 / ratio) for ratio, _ in noise(results, what) if what in ("time", "memory"))])


def gains(results, name):
    """What it gains, of time or instructions first: words for the last column. Of a number also what is gained by the other value."""
    found = {what: ratios(results, name, what) for what in WHAT} | {"tables": tables(results, name)}
    told = []
    for what in found:
        least, most = (found[what][0][0], found[what][-1][0]) if found[what] else (1, 1)
        if "=" in name:
            most = max(most, 1 / least)
        if most >= worth(results, what):
            told.append(WHAT.get(what, "bytes of tables"))
    isThere = found["tables"] or any(name in other["without"] for one in results["designs"].values() for other in one["others"])
    return ", ".join(told) or ("nothing" if isThere else "not there")


def markdown(results):
    differing = [name for name, one in results["designs"].items() if one["others"]]
    head = ["without", "designs", *WHAT.values(), "model.bin alone", "2 % gained of"]
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    again = [cell(noise(results, what)) if what in ("time", "instructions") else "" for what in WHAT]
    rows.append("| (a copy) | " + " | ".join([str(len(differing)), *again, "", ""]) + " |")
    for name in results["variations"]:
        count = sum(name in other["without"] for one in results["designs"].values() for other in one["others"])
        figures = [cell(ratios(results, name, what)) for what in WHAT]
        rows.append("| `" + name + "` | " + " | ".join([str(count), *figures, cell(tables(results, name)), gains(results, name)]) + " |")
    return "\n".join(rows) + "\n"
