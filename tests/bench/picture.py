"""The results as a picture: a line for each network, on it a mark for each contender, at its ns/step. SVG, without libraries."""
import math
from xml.sax.saxutils import escape

LEFT, TOP, WIDTH, STEP = 250, 56, 620, 22
SHOWN = {"limit": ("hand-written limit", "#555555"), "ours-m2-1": ("ours, 1 thread", "#1f6fd0"), "ours-m2-2": ("ours, 2 threads", "#7fb5f0"),
         "verilator": ("Verilator", "#d0741f"), "cxxrtl": ("CXXRTL", "#a03fb0"), "cppsme-m2-1": ("C++SME style, m2", "#2f9a4f")}


class Scale:
    """ns to pixels, logarithmic, in whole decades."""

    def __init__(self, values):
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.high = max(self.high, self.low + 1)

    def at(self, value):
        return LEFT + WIDTH * (math.log10(value) - self.low) / (self.high - self.low)

    def decades(self):
        return [10.0 ** k for k in range(self.low, self.high + 1)]


def text(x, y, words, anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x1, y1, x2, y2, colour, width=1):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def dot(x, y, colour, label):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}" fill-opacity="0.85"><title>{escape(label)}</title></circle>'


def legend():
    parts, x = [], 16
    for label, colour in SHOWN.values():
        parts += [dot(x, 16, colour, label), text(x + 9, 20, label)]
        x += 24 + 7 * len(label)
    return parts + [line(x, 10, x, 22, "#c00000", 3), text(x + 7, 20, "roofline")]


def axis(scale, bottom):
    parts = []
    for value in scale.decades():
        x = scale.at(value)
        parts += [line(x, TOP - 8, x, bottom, "#dddddd"), text(x, TOP - 12, f"{value:g} ns", "middle")]
    return parts


def shown(results):
    """(name, roofline, contender -> ns/step) of the rows that were timed."""
    for name, result in results.rows.items():
        medians = {contender: results.median(name, contender) for contender in SHOWN}
        medians = {contender: value for contender, value in medians.items() if value}
        if medians:
            yield name, result.roofline, medians


def rowParts(scale, y, name, roofline, medians):
    parts = [text(LEFT - 12, y + 4, name, "end"), line(LEFT, y, LEFT + WIDTH, y, "#eeeeee")]
    if roofline:
        x = scale.at(roofline)
        parts.append(line(x, y - 7, x, y + 7, "#c00000", 3))
    return parts + [dot(scale.at(value), y, SHOWN[contender][1], f"{SHOWN[contender][0]}: {value:.4g} ns") for contender, value in medians.items()]


def svg(results):
    rows = list(shown(results))
    values = [value for _, roofline, medians in rows for value in (*medians.values(), roofline) if value] or [1]
    scale, bottom = Scale(values), TOP + STEP * (len(rows) + 1) - 8
    parts = legend() + axis(scale, bottom)
    for k, (name, roofline, medians) in enumerate(rows):
        parts += rowParts(scale, TOP + STEP * (k + 0.6), name, roofline, medians)
    parts.append(text(LEFT, bottom + 18, "time per process and cycle; to the left is better"))
    width, height = LEFT + WIDTH + 40, bottom + 30
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:.0f}" font-family="sans-serif" font-size="12">\n'
            f'<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")
