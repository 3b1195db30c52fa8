"""Pictures as data, which are kept beside the page of an experiment, and drawn with gnuplot. To draw them again costs no measurement.

A point is [x, value] or [x, value, lowest, highest]; a value over a group is [value] or [value, lowest, highest].
"""
import math
import re
import shutil
import subprocess

COLOURS = ("#1f6fd0", "#d0741f", "#2f9a4f", "#a03fb0", "#c02020", "#555555", "#17a2b8", "#b8a017")
FILLED, HOLLOW = (7, 5, 9, 11, 13), (6, 4, 8, 10, 12)  # gnuplot's shapes of points
APART = 0.05  # of the distance between neighbours on a logarithmic axis: series that meet stand side by side


def lines(title, xlabel, ylabel, series, xtics=None, logx=False, yrange=(0, None), size=(860, 460)):
    """Curves. series: name -> points; xtics: x -> label; yrange: lowest, highest, None for what the points ask."""
    return {"kind": "lines", "title": title, "xlabel": xlabel, "ylabel": ylabel, "series": series, "logx": logx, "yrange": list(yrange),
            "xtics": [[x, label] for x, label in (xtics or {}).items()], "size": list(size)}


def bars(title, ylabel, groups, series, levels=None, size=(860, 460)):
    """Bars from 0 on, side by side. series: name -> a value for each group; levels: what goes right across, name -> (series, value)."""
    return {"kind": "bars", "title": title, "ylabel": ylabel, "groups": list(groups), "series": series,
            "levels": {name: list(level) for name, level in (levels or {}).items()}, "size": list(size)}


def dots(title, ylabel, groups, panels, hollow=(), reference=None, size=(980, 480)):
    """Marks on a logarithmic axis, which has no 0 for bars to start from. panels: title -> series (name -> a value for each group); a
    series is named alike in all panels. hollow: pairs of names (the one has the colour of the other, and hollow marks)."""
    return {"kind": "dots", "title": title, "ylabel": ylabel, "groups": list(groups), "panels": panels, "hollow": [list(pair) for pair in hollow],
            "reference": reference, "size": list(size)}


# ---------------------------------------------------------------- gnuplot


def quoted(text):
    return '"' + str(text).replace('"', "'") + '"'


def numbers(values):
    return " ".join("NaN" if value is None else f"{value:.8g}" for value in values)


def preamble(picture):
    return (f'set terminal svg size {picture["size"][0]},{picture["size"][1]} enhanced font "sans-serif,12" background "white"\nset encoding utf8\n'
            "set termoption noenhanced\nset grid y lc rgb '#dddddd' lt 1\nset border 3\nset tics nomirror\nset rmargin 4\n"
            "set key above center horizontal maxrows 3 samplen 2 spacing 1.1\n"
            f"set title {quoted(picture['title'])}\nset ylabel {quoted(picture['ylabel'])}\n")


def withSpread(points, first):
    """Points whose lowest and highest are the value itself where they are not known."""
    return [[*point, *([point[first]] * 2 if len(point) == first + 1 else [])] for point in points]


def block(name, rows):
    return f"${name} << EOD\n" + "".join(numbers(row) + "\n" for row in rows) + "EOD\n"


def ends(yrange):
    return "set yrange [" + ":".join("*" if end is None else f"{end:g}" for end in yrange) + "]\n"


def ticsOf(labels):
    return "set xtics (" + ", ".join(f"{quoted(label)} {x:g}" for x, label in labels) + ")\n"


def shifted(points, k, count, logx):
    """A series beside those that have points at the same places."""
    shift = (k - (count - 1) / 2) * APART
    return [[point[0] * 2 ** shift if logx else point[0] + shift, *point[1:]] for point in points]


def spread(data, colour):
    """From the lowest to the highest. Not `yerrorbars`, which paint a white disc around each value."""
    return f"${data} using 1:3:(0):($4 - $3) with vectors heads size graph 0.004,90 lw 1 lc rgb '{colour}' notitle"


def linesScript(picture):
    series, logx = picture["series"], picture["logx"]
    text = preamble(picture) + f"set xlabel {quoted(picture['xlabel'])}\n" + ("set logscale x 2\n" if logx else "") + ends(picture["yrange"])
    xs = sorted({point[0] for points in series.values() for point in points})
    text += ticsOf(picture["xtics"] or [[x, f"{x:g}"] for x in xs])
    margin = 1.15 if logx else 0.2
    text += f"set xrange [{xs[0] / margin:g}:{xs[-1] * margin:g}]\n" if logx else f"set xrange [{xs[0] - margin:g}:{xs[-1] + margin:g}]\n"
    blocks, spreads, curves = "", [], []
    for k, (name, points) in enumerate(series.items()):
        hasSpread = len(points[0]) == 4
        blocks += block(f"d{k}", withSpread(shifted(points, k, len(series), logx) if hasSpread else points, 1))
        colour = f"lc rgb '{COLOURS[k % len(COLOURS)]}'"
        if hasSpread:
            spreads.append(spread(f"d{k}", COLOURS[k % len(COLOURS)]))
        curves.append(f"$d{k} using 1:2 with lines lw 2 {colour} notitle")
        curves.append(f"$d{k} using 1:2 with points pt {FILLED[k % len(FILLED)]} ps 0.6 {colour} notitle")
        curves.append(f"NaN with linespoints lw 2 pt {FILLED[k % len(FILLED)]} ps 0.6 {colour} title {quoted(name)}")
    return text + blocks + "plot " + ", \\\n    ".join(spreads + curves) + "\n"


def barsScript(picture):
    groups, series, levels = picture["groups"], picture["series"], picture["levels"]
    text = preamble(picture) + ends((0, None)) + "set xtics rotate by -25\n" + ticsOf([[k, group] for k, group in enumerate(groups)])
    text += f"set xrange [-0.6:{len(groups) - 0.4}]\nset style fill solid 0.75 noborder\n"
    width = 0.8 / len(series)
    blocks, plots = "", []
    for k, (name, values) in enumerate(series.items()):
        place = (k - (len(series) - 1) / 2) * width
        blocks += block(f"d{k}", [[group + place, *row] for group, row in enumerate(withSpread(values, 0))])
        colour = f"lc rgb '{COLOURS[k % len(COLOURS)]}'"
        plots.append(f"$d{k} using 1:2:({0.94 * width:g}) with boxes {colour} title {quoted(name)}")
        plots.append(spread(f"d{k}", "#222222"))
    for name, (of, value) in levels.items():
        colour = COLOURS[list(series).index(of) % len(COLOURS)] if of in series else "#222222"
        plots.append(f"{value:g} with lines lw 2 dt 2 lc rgb '{colour}' title {quoted(name)}")
    return text + blocks + "plot " + ", \\\n    ".join(plots) + "\n"


def decadesOf(panels):
    """The whole decades that hold all values of all panels."""
    values = [value for series in panels.values() for row in series.values() for point in row for value in point if value]
    return 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)))


def stylesOf(names, hollow):
    """name -> colour and shape; a hollow one has the colour of its partner, and the next column."""
    partner, styles = {b: a for a, b in map(tuple, hollow)}, {}
    full = [name for name in names if name not in partner]
    for name in names:
        k = full.index(partner.get(name, name)) if partner.get(name, name) in full else len(full)
        styles[name] = (COLOURS[k % len(COLOURS)], (HOLLOW if name in partner else FILLED)[k % len(FILLED)])
    return styles


def dotsScript(picture):
    groups, panels = picture["groups"], picture["panels"]
    names = list(next(iter(panels.values())))
    styles = stylesOf(names, picture["hollow"])
    low, high = decadesOf(panels)
    several = len(panels) > 1
    text = preamble(picture) + f"set logscale y\nset format y '%.10g'\nset yrange [{low:g}:{high:g}]\nset xrange [-0.5:{len(groups) - 0.5}]\n"
    text += ticsOf([[k, group] for k, group in enumerate(groups)])
    if several:
        text += f"set multiplot layout 1,{len(panels)} title {quoted(picture['title'])}\n"
    for number, (heading, series) in enumerate(panels.items()):
        blocks, spreads, marks = "", [], []
        for k, name in enumerate(names):
            place = (k - (len(names) - 1) / 2) * 0.8 / len(names)
            blocks += block(f"p{number}d{k}", [[group + place, *row] for group, row in enumerate(withSpread(series[name], 0))])
            colour, shape = styles[name]
            spreads.append(spread(f"p{number}d{k}", colour))
            marks.append(f"$p{number}d{k} using 1:2 with points pt {shape} ps 0.9 lw 1.5 lc rgb '{colour}' title {quoted(name)}")
        if picture["reference"]:
            value, words = picture["reference"]
            marks.append(f"{value:g} with lines lw 1 dt 2 lc rgb '#222222' title {quoted(words)}")
        if several:  # all alike, with one legend
            text += f"set title {quoted(heading)}\nset tmargin 7\n" + ("unset key\n" if number else "")
        text += blocks + "plot " + ", \\\n    ".join(spreads + marks) + "\n"
    return text + ("unset multiplot\n" if several else "")


def script(picture):
    return {"lines": linesScript, "bars": barsScript, "dots": dotsScript}[picture["kind"]](picture)


def drawn(picture, path):
    """False where gnuplot is missing."""
    return drawnScript(script(picture), path)


def drawnScript(text, path):
    if not shutil.which("gnuplot"):
        return False
    svg = subprocess.run(["gnuplot"], input=text, text=True, check=True, stdout=subprocess.PIPE).stdout
    with open(path, "w") as file:  # no trailing blanks in files that are kept
        file.write(re.sub(r"[ \t]+$", "", svg, flags=re.M))
    return True
