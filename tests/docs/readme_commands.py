#!/usr/bin/env python3
"""Runs the commands that a page of the documentation shows.

    readme_commands.py PAGE.md        (relative to SMEC_SOURCE_DIR)
    readme_commands.py --selftest

Blocks of a page, in order, in one scratch copy of the tree, in the page's own folder unless the page lies in docs/ or
examples/ (those speak from the top of the tree):

    ```sh            a bash script, stopped by the first command that fails
    ```output        right after an sh block: exactly what that block prints to standard output
    ```sme NAME      a program; written to NAME in the current folder before the next sh block runs

Any other block is only text. `./sme` and `smec` are those of the tree under test: SME_INSIDE_TEST names its build tree, so
that nothing is installed or built, and `./sme test` does not start the tests again.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^( *)```(\S*) *(.*?) *$")
SKIPPED = shutil.ignore_patterns("build", ".git", ".smec", ".cache", "__pycache__")


def blocks(text):
    """The fenced blocks as (line number, language, argument, body, directly after the previous block)."""
    found, start, previousEnd = [], None, None
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        fence = FENCE.match(line)
        if not fence:
            continue
        if start is None:
            start = (number, fence[2], fence[3], len(fence[1]))
            continue
        first, language, argument, indent = start
        body = "".join(l[indent:] + "\n" for l in lines[first:number - 1])
        gap = lines[previousEnd:first - 1] if previousEnd is not None else ["-"]
        found.append((first, language, argument, body, not "".join(gap).strip()))
        start, previousEnd = None, number
    return found


def runPage(page, text, folder, environment):
    """Runs the blocks of a page; returns what went wrong, as text, or None."""
    all_ = blocks(text)
    for index, (line, language, argument, body, _) in enumerate(all_):
        if language == "sme" and argument:
            with open(os.path.join(folder, argument), "w", encoding="utf-8") as f:
                f.write(body)
        if language != "sh":
            continue
        print(f"{page}:{line}:\n{body}", flush=True)
        run = subprocess.run(["bash", "-euo", "pipefail", "-c", body], cwd=folder, env=environment,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
        output = run.stdout.decode(errors="replace")
        if run.returncode != 0:
            return f"{page}:{line}: exit status {run.returncode}\n{output}"
        following = all_[index + 1] if index + 1 < len(all_) else None
        if following and following[1] == "output" and following[4] and following[3] != output:
            return f"{page}:{following[0]}: the output differs; the command printed:\n{output}"
    return None


def checkPage(page):
    source = os.environ["SMEC_SOURCE_DIR"]
    build = os.environ["SMEC_BINARY_DIR"]
    with open(os.path.join(source, page), encoding="utf-8") as f:
        text = f.read()
    if not any(language == "sh" for _, language, *_ in blocks(text)):
        return None
    with tempfile.TemporaryDirectory(prefix="smec-docs-") as scratch:
        copy = os.path.join(scratch, "smec")
        shutil.copytree(source, copy, ignore=SKIPPED, symlinks=True)
        environment = dict(os.environ, SME_INSIDE_TEST=build, HOME=scratch,
                           PATH=os.path.join(build, "bin") + os.pathsep + os.environ["PATH"])
        folder = os.path.dirname(page)
        folder = copy if folder.split(os.sep)[0] in ("docs", "examples") else os.path.join(copy, folder)
        return runPage(page, text, folder, environment)


def selftest():
    cases = [
        ("```sh\necho a\n```\n\n```output\na\n```\n", None),
        ("```sh\necho a\n```\ntext\n```output\nb\n```\n", None),
        ("```sh\necho a\n```\n```output\nb\n```\n", "p:4: the output differs; the command printed:\na\n"),
        ("```sh\nfalse\necho a\n```\n", "p:1: exit status 1\n"),
        ("```text\nfalse\n```\n", None),
        ("- item\n\n  ```sh\n  cat x.sme\n  ```\n", "p:3: exit status 1\n"),
        ("```sme x.sme\nproc\n```\n\n```sh\ncat x.sme\n```\n```output\nproc\n```\n", None),
    ]
    for text, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            result = runPage("p", text, folder, dict(os.environ))
            if result != expected:
                return f"selftest: {text!r} gave {result!r} instead of {expected!r}"
    return None


def main():
    problem = selftest() if sys.argv[1] == "--selftest" else checkPage(sys.argv[1])
    if problem:
        sys.exit(problem)


if __name__ == "__main__":
    main()
