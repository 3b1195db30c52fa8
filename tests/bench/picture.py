"""The results as a picture: a row for each network, on it a mark for each contender, at its time beside that of the hand-written program. SVG, without
libraries. It is drawn from what report.asJson() writes, so that it can be drawn again without measuring."""
import math
from xml.sax.saxutils import escape

LEFT, TOP, WIDTH, RIGHT = 250, 74, 640, 120
LANE, SIZE = 12, 4.5  # pixels between the marks of a row that would hide one another, and half of a mark
LIMIT = "limit"
SHOWN = {"ours-m2-1": ("ours, 1 thread", "#1f6fd0", "circle"), "ours-m2-2": ("ours, 2 threads", "#7fb5f0", "circle"),
         "verilator": ("Verilator", "#d0741f", "square"), "cxxrtl": ("CXXRTL", "#a03fb0", "diamond"),
         "cppsme-m2-1": ("C++SME style, m2", "#2f9a4f", "triangle")}
ESTIMATE = "#c00000"


class Scale:
    """Ratios to pixels, logarithmic, in whole decades, 1 among them."""

    def __init__(self, values):
        self.low = min(-1, math.floor(math.log10(min(values))))
        self.high = max(1, math.ceil(math.log10(max(values))))

    def at(self, value):
        return LEFT + WIDTH * (math.log10(value) - self.low) / (self.high - self.low)

    def decades(self):
        return [10.0 ** k for k in range(self.low, self.high + 1)]


def text(x, y, words, anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x1, y1, x2, y2, colour, width=1):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def mark(x, y, colour, shape, label):
    outline = {"square": ((-1, -1), (1, -1), (1, 1), (-1, 1)), "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
               "triangle": ((0, -1.2), (1.2, 1), (-1.2, 1))}
    title = f"<title>{escape(label)}</title>"
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{SIZE}" fill="{colour}">{title}</circle>'
    points = " ".join(f"{x + SIZE * dx:.1f},{y + SIZE * dy:.1f}" for dx, dy in outline[shape])
    return f'<polygon points="{points}" fill="{colour}">{title}</polygon>'


def lanes(places):
    """key -> lane, for keys at places (pixels): those too near to one another lie in different lanes, the first free one."""
    ends, found = [], {}
    for key in sorted(places, key=places.get):
        lane = next((k for k, end in enumerate(ends) if places[key] - end > 2.6 * SIZE), len(ends))
        ends[lane:lane + 1] = [places[key]]
        found[key] = lane
    return found


def timed(data):
    """(name, hand-written ns/step, estimate beside it, contender -> ratio) of the rows that have a hand-written program."""
    for row in data["rows"]:
        medians = {contender: of["nsPerStep"]["median"] for contender, of in row["contenders"].items() if "nsPerStep" in of}
        limit, estimate = medians.get(LIMIT), row.get("estimateNsPerStep")
        if limit:
            yield row["name"], limit, estimate and estimate / limit, {c: medians[c] / limit for c in SHOWN if c in medians}


def legend():
    parts, x = [], 16
    for label, colour, shape in SHOWN.values():
        parts += [mark(x, 16, colour, shape, label), text(x + 9, 20, label)]
        x += 28 + 7 * len(label)
    return parts + [line(x, 10, x, 22, ESTIMATE, 3), text(x + 7, 20, "estimate from bytes and operations")]


def axis(scale, bottom):
    parts = [text(scale.at(1), TOP - 26, "time beside hand-written C++ on one thread; to the left is faster", "middle"),
             text(LEFT + WIDTH + RIGHT - 8, TOP - 26, "hand-written,", "end"), text(LEFT + WIDTH + RIGHT - 8, TOP - 12, "ns/step", "end")]
    for value in scale.decades():
        x = scale.at(value)
        parts += [line(x, TOP - 8, x, bottom, "#555555" if value == 1 else "#dddddd", 1.5 if value == 1 else 1), text(x, TOP - 12, f"{value:g}×", "middle")]
    return parts


def nsText(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def rowParts(scale, top, height, name, limit, estimate, ratios):
    middle = top + height / 2
    places = {contender: scale.at(ratio) for contender, ratio in ratios.items()}
    found = lanes(places)
    first = middle - LANE * max(found.values(), default=0) / 2
    parts = [text(LEFT - 12, middle + 4, name, "end"), text(LEFT + WIDTH + RIGHT - 8, middle + 4, nsText(limit), "end"),
             line(LEFT, top, LEFT + WIDTH, top, "#eeeeee")]
    if estimate:
        parts.append(line(scale.at(estimate), top + 3, scale.at(estimate), top + height - 3, ESTIMATE, 3))
    return parts + [mark(places[c], first + LANE * found[c], *SHOWN[c][1:], f"{SHOWN[c][0]}: {ratio * limit:.4g} ns, {ratio:.3g}×") for c, ratio in ratios.items()]


def svg(data):
    """data: what report.asJson() has written, parsed."""
    rows = list(timed(data))
    scale = Scale([value for _, _, estimate, ratios in rows for value in (*ratios.values(), estimate) if value] or [1])
    parts, top = [], TOP
    for name, limit, estimate, ratios in rows:
        height = 10 + LANE * (1 + max(lanes({c: scale.at(ratio) for c, ratio in ratios.items()}).values(), default=0))
        parts += rowParts(scale, top, height, name, limit, estimate, ratios)
        top += height
    parts = legend() + axis(scale, top) + parts
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + RIGHT}" height="{top + 16:.0f}" font-family="sans-serif" font-size="12">\n'
            f'<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")
