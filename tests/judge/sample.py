"""A part of a list, chosen by a seed, where SMEC_SAMPLE ("PERCENT:SEED") asks for one; judge.py sets it for what runs in the tests."""
import hashlib
import math
import os


def sampled(items, name=str):
    """In the order of the list. All of it without SMEC_SAMPLE; what was left out is told. `name(item)`: what an item is called, from one version to the next."""
    items = list(items)
    words = os.environ.get("SMEC_SAMPLE", "")
    if not words:
        return items
    percent, seed = words.split(":")
    count = min(len(items), max(1, math.ceil(len(items) * float(percent) / 100)))
    order = sorted(range(len(items)), key=lambda i: hashlib.sha256(f"{seed}:{name(items[i])}".encode()).digest())
    chosen = set(order[:count])
    print(f"sample: {count} of {len(items)}, by seed {seed}", flush=True)
    return [item for i, item in enumerate(items) if i in chosen]
