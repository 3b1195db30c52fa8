#!/usr/bin/env python3
"""Draw the topology of mesh.sme: picture.py > mesh.svg"""

SIZE = 4
STEP, ROUTER, NODE = 150, 62, 17
MARGIN = 70
INK, LINK, BACK, NODE_FILL, ROUTER_FILL = "#24303c", "#2f6db3", "#b5651d", "#fdf3e0", "#e3eef9"


def centre(x, y):
    return MARGIN + ROUTER / 2 + x * STEP, MARGIN + ROUTER / 2 + y * STEP


def arrow(x1, y1, x2, y2, colour=LINK, both=False):
    start = ' marker-start="url(#link)"' if both else ""
    return (f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}" '
            f'stroke-width="1.6" marker-end="url(#link)"{start}/>')


def between(x, y, dx, dy):
    """The two links between a router and its neighbour to the east or south."""
    cx, cy = centre(x, y)
    half, gap, beside = ROUTER / 2, STEP - ROUTER / 2, 9
    ax, ay = cx + dx * half, cy + dy * half
    bx, by = cx + dx * gap, cy + dy * gap
    yield arrow(ax + dy * beside, ay - dx * beside, bx + dy * beside, by - dx * beside)
    yield arrow(bx - dy * beside, by + dx * beside, ax - dy * beside, ay + dx * beside)


def loop(x, y, dx, dy):
    """A link that leads back at the edge."""
    cx, cy = centre(x, y)
    half, out, beside = ROUTER / 2, ROUTER / 2 + 34, 9
    ax, ay = cx + dx * half - dy * beside, cy + dy * half + dx * beside
    bx, by = cx + dx * half + dy * beside, cy + dy * half - dx * beside
    px, py = cx + dx * out - dy * 20, cy + dy * out + dx * 20
    qx, qy = cx + dx * out + dy * 20, cy + dy * out - dx * 20
    return (f'<path d="M{ax:g} {ay:g}C{px:g} {py:g} {qx:g} {qy:g} {bx:g} {by:g}" fill="none" '
            f'stroke="{BACK}" stroke-width="1.6" marker-end="url(#back)"/>')


def router(x, y):
    cx, cy = centre(x, y)
    half, at = ROUTER / 2, ROUTER / 2 + 30
    yield (f'<rect x="{cx - half:g}" y="{cy - half:g}" width="{ROUTER}" height="{ROUTER}" rx="6" '
           f'fill="{ROUTER_FILL}" stroke="{INK}"/>')
    yield f'<text x="{cx:g}" y="{cy - 3:g}">router</text>'
    yield f'<text x="{cx:g}" y="{cy + 13:g}">[{y}][{x}]</text>'
    yield arrow(cx + half + 2, cy + half + 2, cx + at - 9, cy + at - 9, LINK, True)
    yield (f'<circle cx="{cx + at + 3:g}" cy="{cy + at + 3:g}" r="{NODE}" fill="{NODE_FILL}" '
           f'stroke="{INK}"/>')
    yield f'<text x="{cx + at + 3:g}" y="{cy + at + 7:g}" font-size="11">node</text>'


def marker(name, colour):
    return (f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" '
            f'markerHeight="6" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" '
            f'fill="{colour}"/></marker>')


def main():
    width = 2 * MARGIN + ROUTER + (SIZE - 1) * STEP
    height = width + 42
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13" '
             f'text-anchor="middle" fill="{INK}">',
             f'<defs>{marker("link", LINK)}{marker("back", BACK)}</defs>',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    last = SIZE - 1
    for y in range(SIZE):
        for x in range(SIZE):
            lines += between(x, y, 1, 0) if x < last else [loop(x, y, 1, 0)]
            lines += between(x, y, 0, 1) if y < last else [loop(x, y, 0, 1)]
            lines += [loop(x, y, -1, 0)] if x == 0 else []
            lines += [loop(x, y, 0, -1)] if y == 0 else []
            lines += router(x, y)
    legend = height - 28
    lines += [arrow(40, legend, 78, legend), f'<text x="86" y="{legend + 4}" text-anchor="start">'
              'a link: valid and the flit this way, ready the other</text>',
              f'<line x1="436" y1="{legend}" x2="474" y2="{legend}" stroke="{BACK}" '
              'stroke-width="1.6" marker-end="url(#back)"/>',
              f'<text x="482" y="{legend + 4}" text-anchor="start">leads back at the edge</text>',
              "</svg>"]
    print("\n".join(lines))


main()
