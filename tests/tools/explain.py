#!/usr/bin/env python3
"""docs/diagnostics.md has a section for every message, with examples that do what it says; smec explain prints it.

Examples are fenced: ```sme fails [ARGUMENTS] yields that message and no other error; ```sme works [ARGUMENTS] does not. A
fence ```sme NAME.sme is a file that the next examples may import. `\\xNN` in a program marked `bytes` is that byte.
SMEC_UPDATE_GOLDEN=1 writes the line with the words of the message.
"""
import concurrent.futures
import json
import os
import re

from support import ROOT, Tally, read, scratch, smec, write

PAGE = os.path.join(ROOT, "docs", "diagnostics.md")
# What no example of a reasonable size, or none at all, can show.
NO_EXAMPLE = {"not-supported", "declaration-too-long", "not-constant-value", "cannot-read", "integer-too-large", "extern-mismatch",
              "verilog", "verilog-reading", "verilog-synthesis", "verilog-unread", "export-data", "import", "import-no-top", "import-print",
              "extern-read", "extern-sign", "port-sign"}


def messages():
    found = {}
    for line in smec("explain")[1].splitlines():
        name, severity, words = line.split(None, 2)
        found[name] = (severity, words)
    return found


def sections(text):
    parts = re.split(r"^## (.*)\n", text, flags=re.M)
    return {parts[i]: re.split(r"^# ", parts[i + 1], flags=re.M)[0] for i in range(1, len(parts), 2)}


def examples(section):
    return [(m.group(1).split(), m.group(2)) for m in re.finditer(r"^```sme ?(.*)\n((?:.*\n)*?)```$", section, re.M)]


def reported(folder, program, words):
    if words[:1] == ["bytes"]:
        words = words[1:]
        data = program.encode().decode("unicode_escape").encode("latin-1")
        with open(os.path.join(folder, "example.sme"), "wb") as f:
            f.write(data)
    else:
        write(folder, "example.sme", program)
    command, words = (words[0], words[1:]) if words[:1] in (["run"], ["export"]) else ("check", words)
    if command == "run":
        words = ["--interpret", *words]
    if command == "export":
        words = ["--verilog", "--cycles", "0", "-o", "rtl", *words]
    _, _, err = smec(command, "example.sme", "--diagnostics=json", *words, cwd=folder)
    found = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    return {d["id"] for d in found if d["severity"] == "error"}, {d["id"] for d in found if d["severity"] == "warning"}


def checkOptions(folder, program, name, words):
    """What is wrong with the options that turn the warning off and make it an error."""
    wrong = []
    for options, kind in (([f"-Wno-{name}"], None), ([f"-Wno-{name}", f"-W{name}"], "warning"), ([f"-Werror={name}"], "error"), (["-Werror"], "error"),
                          (["-Werror", f"-Wno-{name}"], None)):
        errors, warnings = reported(folder, program, words + options)
        got = "error" if name in errors else "warning" if name in warnings else None
        if got != kind:
            wrong.append(f"{name}: with {' '.join(options)} it is {got}, not {kind}")
    return wrong


def checkSection(name, severity, section):
    """What is wrong with the section, as texts."""
    wrong, kinds = [], set()
    with scratch() as folder:
        for words, program in examples(section):
            kind, words = words[0] if words else "", words[1:]
            if kind not in ("fails", "works"):
                os.makedirs(os.path.dirname(os.path.join(folder, kind)) or folder, exist_ok=True)
                write(folder, kind, program)
                continue
            kinds.add(kind)
            errors, warnings = reported(folder, program, words)
            if kind == "works" and (errors or name in warnings):
                wrong.append(f"{name}: the good example yields {errors or name}")
            if kind == "fails" and severity == "error" and errors != {name}:
                wrong.append(f"{name}: the bad example yields {errors or 'no error'}")
            if kind == "fails" and severity == "warning" and (errors or name not in warnings):
                wrong.append(f"{name}: the bad example yields {errors or warnings}")
            if kind == "fails" and severity == "warning":
                wrong += checkOptions(folder, program, name, words)
    if name not in NO_EXAMPLE and kinds != {"fails", "works"}:
        wrong.append(f"{name}: an example is missing")
    prose = re.sub(r"^```(?:.*\n)*?```$", "", section, flags=re.M).strip().split("\n", 1)
    if len(prose) < 2 or len(prose[1].strip()) < 60:
        wrong.append(f"{name}: there is no text")
    return wrong


def update(text, known):
    for name, (severity, words) in known.items():
        text = re.sub(rf"^## {re.escape(name)}\n(?:(?:Error|Warning): `.*`\n)?", lambda m: f"## {name}\n{severity.title()}: `{words}`\n",
                      text, flags=re.M)
    return text


def main():
    tally = Tally()
    known, text = messages(), read(PAGE)
    if os.environ.get("SMEC_UPDATE_GOLDEN"):
        text = update(text, known)
        write(os.path.dirname(PAGE), os.path.basename(PAGE), text)
    found = sections(text)
    tally.check(len(known) > 150, "messages are listed")
    tally.equal(sorted(set(known) - set(found)), [], "messages without a section")
    tally.equal(sorted(set(found) - set(known)), [], "sections without a message")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [(n, pool.submit(checkSection, n, known[n][0], found[n])) for n in known if n in found]
        for name, job in jobs:
            wrong = job.result()
            tally.check(not wrong, "\n".join(wrong))
            severity, words = known[name]
            tally.check(found[name].startswith(f"{severity.title()}: `{words}`\n"), f"{name}: the words are out of date")
            shown = [line.strip() for line in smec("explain", name)[1].splitlines()]
            kept = [line.strip() for line in found[name].splitlines() if not line.startswith("```")]
            tally.check(all(line in shown for line in kept), f"smec explain {name} leaves something out")
    name = next(iter(found))
    status, out, _ = smec("explain", name)
    tally.check(status == 0 and out.startswith(name + "\n") and "```" not in out, f"smec explain {name}: {out}")
    for word in ("[unused]", "-Wunused", "-Wno-unused", "-Werror=unused"):
        tally.equal(smec("explain", word)[1], smec("explain", "unused")[1], word)
    tally.check(smec("explain", "unused", "unread")[1].count("\n\nunread\n") == 1, "several at once")
    tally.equal(smec("explain", "unknwon-name"),
                (2, "", "smec: error: there is no message 'unknwon-name'; did you mean 'unknown-name'?\n"), "a slip")
    tally.equal(smec("explain", "zzzzzzzzzz")[0], 2, "no such message")
    tally.end()


main()
