#!/usr/bin/env python3
"""Runs the commands that a page of the documentation shows.

    readme_commands.py PAGE.md              (relative to SMEC_SOURCE_DIR)
    readme_commands.py --update PAGE.md     writes into the page's output and diagnostics blocks what is printed
    readme_commands.py --selftest

Blocks of a page, in order, in one scratch copy of the tree (of our own sources only those folders that its commands name; the others are links), in the page's own folder unless the page lies in docs/ or
examples/ (those speak from the top of the tree):

    ```sh            a bash script, stopped by the first command that fails; of a pipe the last command counts, as in a shell of
                     the reader's
    ```output        right after an sh block: exactly what that block prints to standard output
    ```sme NAME      a program; written to NAME in the current folder before the next sh block runs
    ```sme           a program that `smec check` accepts without a word, as example.sme
    ```diagnostics   right after an sme block: what `smec check` says about it. All its errors and warnings stand
                     there in this order; their source lines, carets and notes may be left out

A file that only has to be there, such as data of a program, is a ```text NAME block. Any other block is only text.
`./sme`, `smec` and what is in build/release are those of the tree under test: SME_INSIDE_TEST names its build tree, so that nothing is installed
or built, and `./sme test` does not start the tests again.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^( *)```(\S*) *(.*?) *$")
HEADLINE = re.compile(r"^.*: (?:error|warning): .*$", re.MULTILINE)
EXAMPLE = "example.sme"
OWNERS = {"output": "sh", "diagnostics": "sme"}
SKIPPED = shutil.ignore_patterns("build", ".git", ".smec", ".cache", "__pycache__")
SOURCES = ("compiler", "runtime", "formats", "tests")  # most of the files: links, for a page whose commands do not name them


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


def following(all_, index, language):
    """The block after that one if it is of this language and stands directly after it."""
    block = all_[index + 1] if index + 1 < len(all_) else None
    return block if block and block[1] == language and block[4] else None


def orphan(page, all_):
    """What is wrong with a block that should stand after another one and does not, or None."""
    for index, (line, language, *_) in enumerate(all_):
        owner = OWNERS.get(language)
        if owner and (index == 0 or all_[index - 1][1] != owner or not following(all_, index - 1, language)):
            return f"{page}:{line}: this {language} block stands after no {owner} block"
    return None


def diagnosticsDiffer(shown, printed):
    """Whether a diagnostics block is something else than `printed` without some lines that belong to a message."""
    left = iter(printed.splitlines())
    inOrder = all(line in left for line in shown.splitlines())
    return not inOrder or HEADLINE.findall(shown) != HEADLINE.findall(printed)


def checkProgram(page, block, expected, folder, environment, outputs):
    """Has `smec check` judge an sme block; returns what went wrong, or None."""
    line, _, argument, body, _ = block
    name = argument or EXAMPLE
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(body)
    run = subprocess.run(["smec", "check", name], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    printed = run.stdout.decode(errors="replace")
    if expected and (diagnosticsDiffer(expected[3], printed) or not printed):
        if outputs is not None:
            outputs[expected[0]] = printed
            return None
        return f"{page}:{expected[0]}: the diagnostics differ; smec check printed:\n{printed}"
    if not expected and (printed or run.returncode != 0):
        return f"{page}:{line}: smec check says:\n{printed}"
    return None


def runCommands(page, block, expected, folder, environment, outputs):
    line, _, _, body, _ = block
    print(f"{page}:{line}:\n{body}", flush=True)
    run = subprocess.run(["bash", "-eu", "-c", body], cwd=folder, env=environment,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
    output = run.stdout.decode(errors="replace")
    if run.returncode != 0:
        return f"{page}:{line}: exit status {run.returncode}\n{output}"
    if expected and outputs is not None:
        outputs[expected[0]] = output
    elif expected and expected[3] != output:
        return f"{page}:{expected[0]}: the output differs; the command printed:\n{output}"
    return None


def runPage(page, text, folder, environment, outputs=None):
    """Runs the blocks of a page; returns what went wrong, as text, or None.

    With a dictionary `outputs`, nothing is compared: what belongs into the block of a line is put there."""
    all_ = blocks(text)
    problem = orphan(page, all_)
    if problem:
        return problem
    for index, block in enumerate(all_):
        _, language, argument, body, _ = block
        problem = None
        if language in ("sme", "text") and argument:
            with open(os.path.join(folder, argument), "w", encoding="utf-8") as f:
                f.write(body)
        if language == "sme":
            expected = following(all_, index, "diagnostics")
            if expected or not argument:
                problem = checkProgram(page, block, expected, folder, environment, outputs)
        if language == "sh":
            problem = runCommands(page, block, following(all_, index, "output"), folder, environment, outputs)
        if problem:
            return problem
    return None


def withOutputs(text, outputs):
    """The page with other bodies in the blocks that start at these lines."""
    lines, result, skipping = text.split("\n"), [], False
    for number, line in enumerate(lines, 1):
        fence = FENCE.match(line)
        skipping = skipping and not fence
        if skipping:
            continue
        result.append(line)
        if number in outputs:
            result += [l and fence[1] + l for l in outputs[number].split("\n")[:-1]]
            skipping = True
    return "\n".join(result)


def copyTree(source, copy, text):
    """For a page with that text."""
    commands = "".join(body for _, language, _, body, _ in blocks(text) if language == "sh")
    linked = [name for name in SOURCES if not re.search(rf"\b{name}\b", commands)]
    shutil.copytree(source, copy, symlinks=True, ignore=lambda at, names: SKIPPED(at, names) | (set(linked) if at == source else set()))
    for name in linked:
        os.symlink(os.path.join(source, name), os.path.join(copy, name))


def checkPage(page, update=False):
    source = os.environ["SMEC_SOURCE_DIR"]
    build = os.environ["SMEC_BINARY_DIR"]
    with open(os.path.join(source, page), encoding="utf-8") as f:
        text = f.read()
    if not any(language in ("sh", "sme") for _, language, *_ in blocks(text)):
        return None
    with tempfile.TemporaryDirectory(prefix="smec-docs-") as scratch:
        copy = os.path.join(scratch, "smec")
        copyTree(source, copy, text)
        os.mkdir(os.path.join(copy, "build"))
        os.symlink(build, os.path.join(copy, "build", "release"))  # whatever it is called here
        own = [os.path.join(build, "bin"), os.path.join(build, "tests", "python", "installed", "environment", "bin")]
        environment = dict(os.environ, SME_INSIDE_TEST=build, HOME=scratch, PYTHONDONTWRITEBYTECODE="1", PATH=os.pathsep.join([*own, os.environ["PATH"]]))
        environment.setdefault("CCACHE_DIR", os.path.expanduser("~/.cache/ccache"))  # pages compile the same examples
        folder = os.path.dirname(page)
        folder = copy if folder.split(os.sep)[0] in ("docs", "examples") else os.path.join(copy, folder)
        outputs = {} if update else None
        problem = runPage(page, text, folder, environment, outputs)
    if update:
        with open(os.path.join(source, page), "w", encoding="utf-8") as f:
            f.write(withOutputs(text, outputs))
    return problem


# In the self-test smec says what stands after `//` at the start of the program's lines.
STAND_IN = r"""#!/bin/sh
sed -n 's|^// ||p' "$2" >&2
! grep -q ': error: ' "$2"
"""
SHOWN = "```diagnostics\nexample.sme:1:2: warning: w [n]\n"
WARNED = "```sme\n// example.sme:1:2: warning: w [n]\n//  1 | x\n// example.sme:2:3: error: e [m]\n```\n"


def selftest():
    cases = [
        ("```sh\necho a\n```\n\n```output\na\n```\n", None),
        ("```sh\necho a\n```\ntext\n```output\na\n```\n", "p:5: this output block stands after no sh block"),
        ("```diagnostics\nx\n```\n", "p:1: this diagnostics block stands after no sme block"),
        ("```sh\necho a\n```\n```output\nb\n```\n", "p:4: the output differs; the command printed:\na\n"),
        ("```sh\nfalse\necho a\n```\n", "p:1: exit status 1\n"),
        ("```sh\nfalse | cat || echo failed\n```\n```output\n```\n", None),
        ("```text\nfalse\n```\n", None),
        ("- item\n\n  ```sh\n  cat x.sme\n  ```\n", "p:3: exit status 1\n"),
        ("```sme x.sme\nproc\n```\n\n```sh\ncat x.sme\n```\n```output\nproc\n```\n", None),
        ("```text x.hex\n12\n```\n\n```sh\ncat x.hex\n```\n```output\n12\n```\n", None),
        ("```sme\nproc\n```\n", None),
        ("```sme\n// warning: a\n```\n", "p:1: smec check says:\nwarning: a\n"),
        ("```sme x.sme\n// warning: a\n```\n", None),
        (WARNED + SHOWN + " 1 | x\nexample.sme:2:3: error: e [m]\n```\n", None),
        (WARNED + SHOWN + "example.sme:2:3: error: e [m]\n```\n", None),
        (WARNED + "```diagnostics\nexample.sme:2:3: error: e [m]\n```\n", differing),
        (WARNED + "```diagnostics\nexample.sme:2:3: error: e [m]\nexample.sme:1:2: warning: w [n]\n```\n", differing),
        (WARNED + SHOWN + " 1 | y\nexample.sme:2:3: error: e [m]\n```\n", differing),
        ("```sme\nproc\n```\n```diagnostics\n```\n", "p:4: the diagnostics differ; smec check printed:\n"),
    ]
    for text, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            result = runPage("p", text, folder, standInEnvironment(folder))
            if not (expected(result) if callable(expected) else result == expected):
                return f"selftest: {text!r} gave {result!r}"
    return selftestUpdate()


def differing(result):
    return result is not None and result.startswith("p:6: the diagnostics differ")


def standInEnvironment(folder):
    with open(os.path.join(folder, "smec"), "w", encoding="utf-8") as f:
        f.write(STAND_IN)
    os.chmod(os.path.join(folder, "smec"), 0o755)
    return dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"])


def selftestUpdate():
    before = "```sh\necho a\n```\n```output\nb\nb\n```\n" + WARNED + "```diagnostics\n```\nend\n"
    shown = "example.sme:1:2: warning: w [n]\n 1 | x\nexample.sme:2:3: error: e [m]\n"
    after = "```sh\necho a\n```\n```output\na\n```\n" + WARNED + "```diagnostics\n" + shown + "```\nend\n"
    with tempfile.TemporaryDirectory() as folder:
        outputs = {}
        problem = runPage("p", before, folder, standInEnvironment(folder), outputs)
        result = withOutputs(before, outputs)
    return None if problem is None and result == after else f"selftest: updating gave {problem!r} {result!r}"


def main():
    update = sys.argv[1] == "--update"
    problem = selftest() if sys.argv[1] == "--selftest" else checkPage(sys.argv[-1], update)
    if problem:
        sys.exit(problem)


if __name__ == "__main__":
    main()
