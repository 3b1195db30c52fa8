"""What makers of expressions, statements and networks share."""
from tree import Array, Int, Struct, smallest


def root(place):
    while place.kids:
        place = place.kids[0]
    return place


def isRanged(t):
    return isinstance(t, Int) and t.ranged


def rangeType(low, high):
    bits, signed = smallest(low, high)
    return Int(bits, signed, f"{'int' if low < 0 else 'uint'} range {low} to {high}", "", (low, high))


def reaches(t, wanted):
    if wanted(t):
        return True
    if isinstance(t, Array):
        return reaches(t.element, wanted)
    return isinstance(t, Struct) and any(reaches(inner, wanted) for _, inner in t.fields)


def weighted(rng, makers):
    at = rng.random() * sum(w for w, _ in makers)
    for w, make in makers:
        at -= w
        if at < 0:
            return make
    return makers[-1][1]


class Names:
    """Fresh names; all that a module sees carry the program's prefix."""

    def __init__(self, prefix):
        self.prefix, self.last = prefix, 0

    def fresh(self, stem):
        self.last += 1
        return f"{stem}{self.last}"

    def outer(self, stem):
        self.last += 1
        return f"{self.prefix}_{stem}{self.last}"
