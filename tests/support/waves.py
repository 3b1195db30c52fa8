"""Reads value change dumps, and FST through GTKWave's fst2vcd, and compares them with traces in CSV, value by value."""
import math
import re
import struct
import subprocess


def fst(path, period=10):
    """The dump of a file in FST."""
    text = subprocess.run(["fst2vcd", "-e", path], stdout=subprocess.PIPE, check=True, encoding="utf-8", timeout=100).stdout
    dump = Dump(text, period)
    dump.isRounded = True                       # reals have 16 digits
    return dump


class Dump:
    """The signals of a value change dump by their names in the design, and their values in each cycle."""

    def __init__(self, text, period=10):
        self.period, self.isRounded = period, False
        self.types, self.widths, self.values, self.rows = {}, {}, {}, {}
        self.enums = {}                         # names of values, by signal
        self.places = {}                        # file and line, by scope
        tables, table, files, place = {}, None, {}, None
        self.clocks = []                        # times of rising edges
        codes, scopes, known, now = {}, [], {}, None
        head, _, body = text.partition("$enddefinitions $end\n")
        for words in (line.split() for line in head.splitlines()):
            if words[:1] == ["$scope"]:
                scopes.append((words[1], words[2]))
                if place:
                    self.places[nameOf(scopes[1:-1], words[2])], place = place, None
            elif words[:1] == ["$upscope"]:
                scopes.pop()
            elif words[:1] == ["$var"]:
                name = nameOf(scopes[1:], words[4])
                assert name not in self.types and words[3] not in codes, name
                self.types[name], self.widths[name], codes[words[3]] = words[1], int(words[2]), name
                if table:
                    self.types[name], self.enums[name], table = "enum", tables[table], None
            elif words[:3] == ["$attrbegin", "misc", "03"]:
                files[words[4]] = words[3]
            elif words[:3] == ["$attrbegin", "misc", "04"]:
                place = (files[words[3]], int(words[4]))
            elif words[:3] == ["$attrbegin", "misc", "07"] and words[3] == '""':
                table = words[4]
            elif words[:3] == ["$attrbegin", "misc", "07"]:
                names, bits = words[5:-2][:int(words[4])], words[5:-2][int(words[4]):]
                tables[words[-2]] = {int(value, 2): name for name, value in zip(names, bits)}
        self.isGood = not scopes
        for line in body.splitlines():
            if line.startswith("#"):
                self.keep(now, known)
                assert now is None or int(line[1:]) > now, "time goes on"
                now = int(line[1:])
            elif line and line[0] in "brs":
                value, code = line.split(" ")
                known[codes[code]] = value[1:] if value[0] == "s" else float(value[1:]) if value[0] == "r" else int(value[1:], 2)
            elif line and not line.startswith("$"):
                name = codes[line[1:]]
                if name == "clk" and line[0] == "1":
                    self.clocks.append(now)
                known[name] = int(line[0])
        self.keep(now, known)
        self.end = now

    def keep(self, time, known):
        if time is not None and (time % self.period == 0 or not self.rows):
            self.rows[time // self.period] = dict(known)

    def row(self, cycle):
        """What is shown in a cycle: the last change at its start or before."""
        while cycle not in self.rows and cycle > 0:
            cycle -= 1
        return self.rows[cycle]


def nameOf(scopes, leaf):
    name, before = "", ("", "")
    for kind, part in [*scopes, ("", leaf)]:
        isElement = before[0] in ("begin", "generate") and part.startswith(before[1] + "[")
        name = name[:len(name) - len(before[1])] + part if isElement else name + "." + part if name else part
        before = (kind, part)
    return name


def isSame(cell, value, kind, width, names=None, isRounded=False):
    if kind == "string":
        return cell == value
    if kind == "enum":
        return cell == names[value] if value in names else cell.lstrip("-").isdigit() and int(cell) % (1 << width) == value
    if kind == "real":
        wanted = float(cell)
        if math.isnan(wanted) or math.isnan(value):
            return math.isnan(wanted) and math.isnan(value)
        if isRounded and value != 0:
            single = struct.unpack("f", struct.pack("f", wanted))[0] if abs(wanted) < 3.4e38 else wanted
            return value in (float(f"{wanted:.16g}"), float(f"{single:.16g}"))
        single = value == struct.unpack("f", struct.pack("f", value))[0] if abs(value) < 3e38 else True
        return struct.pack("d", wanted) == struct.pack("d", value) \
            or single and abs(wanted) < 3.5e38 and struct.pack("f", wanted) == struct.pack("f", value)
    return {"true": 1, "false": 0}.get(cell, None) == value if cell in ("true", "false") else int(cell) % (1 << width) == value


def shownAs(name, shown):
    """What is `bus.v` in CSV is `bus` in waves."""
    ways = [name, *(name[:v.start()] + name[v.end():] for v in re.finditer(r"\.v(?=$|[.\[])", name))]
    return next((way for way in ways if way in shown), name)


def difference(csv, dump, only=None):
    """What a dump shows that CSV does not say, or the other way round, as a text; empty: they agree. `only`: names that both have.
    CSV does not say where processes wait."""
    header, *rows = csv.splitlines()
    names = header.split(",")[1:]
    shownNames = {name: shownAs(name, dump.types) for name in names}
    wanted, got = set(shownNames.values()), {name for name in dump.types if name != "clk" and not name.endswith(".wait")}
    if only is None and wanted != got:
        return f"signals: only in CSV {sorted(wanted - got)[:5]}, only in waves {sorted(got - wanted)[:5]}"
    for cells in (row.split(",") for row in rows):
        shown = dump.row(int(cells[0]))
        for column, cell in zip(names, cells[1:]):
            name = shownNames[column]
            if (only is None or name in only) and not isSame(cell, shown[name], dump.types[name], dump.widths[name], dump.enums.get(name), dump.isRounded):
                return f"cycle {cells[0]}, {column}: {cell} in CSV, {shown[name]} in waves"
    if rows and dump.end != (int(rows[-1].split(",")[0]) + 1) * dump.period:
        return f"the dump ends at {dump.end}, the rows after cycle {rows[-1].split(',')[0]}"
    return ""
