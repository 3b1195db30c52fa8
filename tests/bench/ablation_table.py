"""The table of ablation.py: of each rule what is gained by it where most, and lost where most."""

WHAT = {"time": "time", "instructions": "instructions", "code": "bytes of code", "memory": "memory", "compile": "compiling"}
WORTH = 0.02  # what counts as a gain


def ratios(results, name, what):
    """[(without it to with it, design)], in order, of the designs that differ."""
    found = []
    for design, one in results["designs"].items():
        for other in one["others"]:
            if name in other["without"] and other.get(what) and one["whole"].get(what):
                found.append((other[what] / one["whole"][what], design))
    return sorted(found)


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


def gains(results, name):
    """What it gains, of time or instructions first: words for the last column."""
    found = {what: ratios(results, name, what) for what in WHAT}
    told = [WHAT[what] for what in WHAT if found[what] and found[what][-1][0] >= 1 + WORTH]
    return ", ".join(told) or ("nothing" if found["code"] else "not there")


def markdown(results):
    differing = [name for name, one in results["designs"].items() if one["others"]]
    head = ["without", "designs", *WHAT.values(), "2 % gained of"]
    rows = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    again = [cell(noise(results, what)) if what in ("time", "instructions") else "" for what in WHAT]
    rows.append("| (a copy) | " + " | ".join([str(len(differing)), *again, ""]) + " |")
    for name in results["variations"]:
        count = sum(name in other["without"] for one in results["designs"].values() for other in one["others"])
        rows.append("| `" + name + "` | " + " | ".join([str(count), *(cell(ratios(results, name, what)) for what in WHAT), gains(results, name)]) + " |")
    return "\n".join(rows) + "\n"
