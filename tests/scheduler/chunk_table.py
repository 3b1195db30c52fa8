#!/usr/bin/env python3
"""The table of chunk sizes in docs/scheduling.md, and its picture.

    chunk_table.py PROGRAM             checks that the table is what PROGRAM (chunk_sizes) prints
    chunk_table.py PROGRAM --update    writes it
    chunk_table.py PROGRAM --picture   draws docs/pictures/chunks.svg, with gnuplot
"""
import itertools
import os
import subprocess
import sys

ROOT = os.environ.get("SMEC_SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "scheduling.md")
PICTURE = os.path.join(ROOT, "docs", "pictures", "chunks.svg")
BEGIN, END = "| `--chunk` | 100 instances, 4 threads | chunks |\n|---|---|---|\n", "\n\n"


def sizes(program, total, threads):
    lines = subprocess.run([program, str(total), str(threads)], check=True, capture_output=True, text=True).stdout.splitlines()
    return {words[0]: [int(word) for word in words[1:]] for words in map(str.split, lines)}


def row(name, chunks):
    runs = [(size, len(list(group))) for size, group in itertools.groupby(chunks)]
    return f"| `{name}` | {' '.join(f'{size}×{count}' if count > 2 else ' '.join([str(size)] * count) for size, count in runs)} | {len(chunks)} |"


def table(program):
    return BEGIN + "\n".join(row(name, chunks) for name, chunks in sizes(program, 100, 4).items())


def inPage(text):
    start = text.index(BEGIN)
    return text[start:text.index(END, start)]


def draw(program):
    all = sizes(program, 1000, 4)
    all["ss"] = all["ss"][:60]
    script = [f"set terminal svg size 1000,720 font 'sans-serif,11' background '#ffffff'; set output '{PICTURE}'",
              "set multiplot layout 3,4 title 'Sizes of successive chunks: 1,000 instances, 4 threads'",
              "unset key; set style fill solid 0.7; set boxwidth 0.9 relative; set border 3; set tics nomirror",
              "set xlabel 'chunk'; set ylabel 'instances'; set xtics out; set ytics out"]
    for name, chunks in all.items():
        data = "\n".join(f"{i} {size}" for i, size in enumerate(chunks, 1))
        count = "the first 60 of 1,000 chunks" if name == "ss" else f"{len(chunks)} chunks"
        script.append(f"set title '{name}: {count}'; set yrange [0:{1.15 * max(chunks)}]; set xrange [0:{len(chunks) + 1}]\n"
                      f"set xtics {max(1, round(len(chunks) / 5))}; set ytics {'1' if max(chunks) < 5 else 'autofreq'}\n"
                      f"plot '-' using 1:2 with boxes lc rgb '#1f6fd0'\n{data}\ne")
    subprocess.run(["gnuplot"], input="\n".join(script) + "\nunset multiplot\n", text=True, check=True)


def main():
    program = sys.argv[1]
    with open(PAGE) as file:
        text = file.read()
    if "--picture" in sys.argv:
        return draw(program)
    wanted = table(program)
    if "--update" in sys.argv:
        with open(PAGE, "w") as file:
            file.write(text.replace(inPage(text), wanted))
        return
    if inPage(text) != wanted:
        sys.exit(f"{PAGE}: the table of chunk sizes should be\n{wanted}")
    print("the table of chunk sizes is right")


main()
