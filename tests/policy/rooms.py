#!/usr/bin/env python3
"""docs/pictures/rooms.svg shows which room includes which, as it is in the sources. SMEC_UPDATE_GOLDEN=1 draws it anew.

A room stands above all that it includes. An arrow that follows from others is left out: driver includes ir, but the way there
through codegen shows it. A long arrow passes the rows between by places of its own, which count as rooms of no width there."""
import os
import sys

from includes import ROOT, owner, quoted, sources

PICTURE = os.path.join(ROOT, "docs", "pictures", "rooms.svg")
PANELS = [("compiler", "compiler", 0), ("compiler/driver", os.path.join("compiler", "driver"), 1),
          ("runtime/src", os.path.join("runtime", "src"), 0)]
BESIDE = ("formats", "contract")  # folders of their own, which rooms of all panels include
BOX, HEIGHT, GAP, ROW, THIN, TOP = 82, 24, 14, 58, 10, 52


def includes(folder, depth):
    """By room of `folder`: the rooms whose headers its files include. `depth` parts of an include stand before the room."""
    base, result = os.path.join(ROOT, folder), {}
    for path in sources(folder):
        parts = os.path.relpath(path, base).split(os.sep)
        if len(parts) > 1:
            seen = result.setdefault(parts[0], set())
            words = [include.split("/") for include in quoted(path)]
            seen.update(word[depth] for word in words if word[:depth] == folder.split(os.sep)[1:1 + depth] and word[depth + 1:])
            seen.update({owner("/".join(word)) for word in words} & set(BESIDE))
    for room in BESIDE:
        if any(room in seen for seen in result.values()):
            result[room] = {owner(include) for path in sources(room) for include in quoted(path)}
    return {room: {other for other in seen if other in result and other != room} for room, seen in result.items()}


def reached(graph, room):
    """What can be reached from a room, without the room."""
    todo, seen = list(graph[room]), set()
    while todo:
        other = todo.pop()
        if other not in seen:
            seen.add(other)
            todo += graph[other]
    return seen


def reduced(graph):
    """Without the arrows that follow from others."""
    return {room: {other for other in seen if not any(other in reached(graph, way) for way in seen)} for room, seen in graph.items()}


def heights(graph):
    """The length of the longest way down from each room. Raises where rooms include one another."""
    result, todo = {}, sorted(graph)
    while todo:
        ready = [room for room in todo if graph[room] <= result.keys()]
        if not ready:
            raise ValueError(f"rooms that include one another: {', '.join(todo)}")
        for room in ready:
            result[room] = max((result[other] + 1 for other in graph[room]), default=0)
        todo = [room for room in todo if room not in result]
    return result


def rows(graph):
    """Rooms from top to bottom, and the arrows as lists of places, one a row."""
    height = heights(graph)
    result = [sorted(room for room in graph if height[room] == h) for h in range(max(height.values()), -1, -1)]
    ways = []
    for room in sorted(graph):
        for other in sorted(graph[room]):
            way = [room]
            for h in range(height[room] - 1, height[other], -1):
                way.append((room, other, h))
                result[-1 - h].append(way[-1])
            ways.append(way + [other])
    return result, ways


def width(place):
    return THIN if isinstance(place, tuple) else BOX


def spread(row, x, wanted):
    """Puts the places of a row as near to where they are wanted as their widths let, in their order."""
    left = None
    for place in row:
        least = wanted[place] if left is None else left + GAP + width(place) / 2
        x[place] = max(wanted[place], least)
        left = x[place] + width(place) / 2
    shift = sum(wanted[place] - x[place] for place in row) / len(row)
    for place in row:
        x[place] += shift


def placed(lines, ways):
    """The middle of each place: near to those that it has arrows from and to."""
    near = {place: [] for row in lines for place in row}
    for way in ways:
        for above, below in zip(way, way[1:]):
            near[above].append(below)
            near[below].append(above)
    x = {}
    for row in lines:
        spread(row, x, {place: 0 for place in row})
    for turn in range(24):
        for row in lines if turn % 2 == 0 else reversed(lines):
            wanted = {place: sum(x[other] for other in near[place]) / len(near[place]) if near[place] else x[place] for place in row}
            row.sort(key=lambda place: (round(wanted[place], 6), str(place)))
            spread(row, x, wanted)
    least = min(x[place] - width(place) / 2 for place in x)
    return {place: x[place] - least for place in x}


def arrow(way, x, y):
    """A curve through the places of an arrow, upright at each."""
    path, tip = f"M{x[way[0]]:.0f} {y[way[0]] + HEIGHT:.0f}", None
    for above, below in zip(way, way[1:]):
        begin = y[above] + HEIGHT
        end = y[below] - (4 if below == way[-1] else 0)
        middle = (begin + end) / 2
        path += f" C{x[above]:.0f} {middle:.0f} {x[below]:.0f} {middle:.0f} {x[below]:.0f} {end:.0f}"
        tip = f" V{y[below] + HEIGHT:.0f}" if below != way[-1] else ""
        path += tip
    return f'<path class="way" marker-end="url(#tip)" d="{path}"/>'


def panel(title, graph):
    """What shows one graph, with its size."""
    lines, ways = rows(reduced(graph))
    x = placed(lines, ways)
    y = {place: TOP + i * ROW for i, row in enumerate(lines) for place in row}
    parts = [f'<text class="title" x="0" y="32">{title}</text>'] + [arrow(way, x, y) for way in ways]
    for room in sorted(graph):
        parts.append(f'<rect x="{x[room] - BOX / 2:.0f}" y="{y[room]}" width="{BOX}" height="{HEIGHT}" rx="4"/>')
        parts.append(f'<text class="room" x="{x[room]:.0f}" y="{y[room] + 16}">{room}</text>')
    return parts, max(x[place] + width(place) / 2 for place in x), TOP + len(lines) * ROW


def drawn(graphs):
    parts, left, bottom = [], 20, 0
    for title, graph in graphs:
        inner, wide, high = panel(title, graph)
        parts += [f'<g transform="translate({left} 0)">'] + inner + ["</g>"]
        left += round(max(wide, 9 * len(title))) + 50
        bottom = max(bottom, high)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left - 30} {bottom}" width="{left - 30}" height="{bottom}">',
        "<title>Which room includes which</title>",
        "<style>text{font-family:sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}.room{font-size:12px;text-anchor:middle}"
        "rect{fill:#eef3fa;stroke:#4a6fa5}.way{fill:none;stroke:#777}</style>",
        '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="4" refY="4" orient="auto">'
        '<path d="M0 1 L7 4 L0 7 z" fill="#777"/></marker></defs>',
        f'<rect width="{left - 30}" height="{bottom}" style="fill:#fff;stroke:none"/>', *parts, "</svg>", ""])


def check():
    """That what follows is left out, that the rest is not, and that circles are refused."""
    graph = {"a": {"b", "c"}, "b": {"c"}, "c": set(), "d": {"c"}}
    assert reduced(graph) == {"a": {"b"}, "b": {"c"}, "c": set(), "d": {"c"}}
    assert heights(graph) == {"a": 2, "b": 1, "c": 0, "d": 1}
    try:
        heights({"a": {"b"}, "b": {"a"}})
    except ValueError:
        return
    raise AssertionError("a circle has heights")


def main():
    check()
    text = drawn([(title, includes(folder, depth)) for title, folder, depth in PANELS])
    if os.environ.get("SMEC_UPDATE_GOLDEN"):
        with open(PICTURE, "w", encoding="utf-8") as f:
            f.write(text)
    with open(PICTURE, encoding="utf-8") as f:
        isCurrent = f.read() == text
    print("the picture is current" if isCurrent else f"{PICTURE} is not as the sources are; draw it with SMEC_UPDATE_GOLDEN=1")
    return 0 if isCurrent else 1


if __name__ == "__main__":
    sys.exit(main())
