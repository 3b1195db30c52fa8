#!/usr/bin/env python3
"""A printer of C++ (compiler/codegen/cpp/print) writes what a Program says (codegen/cpp/decide) and decides nothing: it asks no rule and no number,
analyses no body, searches no plan, compares no text that it has written, and includes of decide/ the data alone. What was decided has no
addresses in it: statements and expressions have numbers. First it is tried whether each of these is found."""
import glob
import os
import re
import sys

ROOT = os.environ["SMEC_SOURCE_DIR"]
PRINTERS = "compiler/codegen/cpp/print"
DATA = ("body_info.h", "kernel_plan.h", "name_tree.h", "program.h", "sites.h", "word.h")
# How lines are broken and which literals have short names is C++; nothing is computed otherwise for it.
TEXT = ("text.h", "text.cpp", "value.cpp", "typed_header.cpp")
OF_WORDS = {"8", "16", "32", "64", "128"}  # bits, of which C++ has words

FORBIDDEN = [
    (r"\btarget::|/target\.h\"", "reads a number of numbers.def"),
    (r"\brules::|\bLedger\b|\bledger\b", "asks a rule"),
    (r"\bir::intervals\b|\bplan::(Body)?Facts\b|\.facts\.(classes|functions)\b|ir/(lanes|analysis|reach|references)\.h", "analyses a body"),
    (r"\b(any_of|all_of|none_of|find_if|find_if_not|count_if|partition_point|(min|max)_element)\b", "searches a plan"),
    (r"\bof\([^;]*\)\s*[!=]=|[!=]=\s*\w+[.>-]+of\(|\btext(\(\))?\s*[!=]=|[!=]=\s*[\w.]+\.text\b", "compares texts that it has written"),
    (r"\bconstexpr\b[^=;]*\bk[A-Z]\w*\s*=\s*\d", "has a number of its own"),
]
failures = []


def plain(line):
    return re.sub(r"//.*|\"(\\.|[^\"\\])*\"(?!\s*$)", "", line) if "#include" not in line else line


def problems(name, text):
    """What of a printer decides: (line, why)."""
    for number, line in enumerate(text.split("\n"), 1):
        line = plain(line)
        for pattern, why in FORBIDDEN:
            if re.search(pattern, line) and not (name in TEXT and why in ("searches a plan", "has a number of its own")):
                yield number, why
        for bound in re.findall(r"[<>]=?\s*(\d{2,})\b", line):
            if bound not in OF_WORDS and name not in TEXT:
                yield number, f"compares with {bound}"
        included = re.search(r'#include "codegen/cpp/decide/([^"]+)"', line)
        if included and included.group(1) not in DATA:
            yield number, f"includes {included.group(1)}, which decides"


TRIED = {  # as such decisions stood in printers once
    "if (bytes > target::kStackBytes)": "reads a number of numbers.def",
    '#include "codegen/cpp/target.h"': "reads a number of numbers.def",
    "program.options.ledger.ask(rules::Rule::Masks)": "asks a rule",
    "const auto range = ir::intervals(body, columns, inputs, design);": "analyses a body",
    "cpp.program.facts.classes[id.index].fillsLanes": "analyses a body",
    "return std::ranges::any_of(block.steps, &BlockStep::rests);": "searches a plan",
    "std::find_if(plan_.state.begin(), plan_.state.end(), isLog)": "searches a plan",
    "&& speller_.of(from->place, type) == speller_.of(state.place, type);": "compares texts that it has written",
    "if (value.text == other.text)": "compares texts that it has written",
    "constexpr std::size_t kLongText = 110;": "has a number of its own",
    "if (block.steps.size() > 2000)": "compares with 2000",
    '#include "codegen/cpp/decide/slot_locals.h"': "includes slot_locals.h, which decides",
}


def main():
    for line, why in TRIED.items():
        if why not in [found for _, found in problems("walk.cpp", line)]:
            failures.append(f"not found: {line}")
    for path in sorted(glob.glob(os.path.join(ROOT, PRINTERS, "*"))):
        with open(path, encoding="utf-8") as file:
            for number, why in problems(os.path.basename(path), file.read()):
                failures.append(f"{os.path.relpath(path, ROOT)}:{number}: a printer {why}")
    for name in (*(os.path.join("decide", data) for data in (*DATA, "model_plan.h", "body_parts.h")), "print/site.h"):
        with open(os.path.join(ROOT, "compiler/codegen/cpp", name), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if re.search(r"\bconst ir::(Block|Stmt|Expr)\s*\*", plain(line)):
                    failures.append(f"compiler/codegen/cpp/{name}:{number}: an address where a number belongs")
    for failure in failures:
        print("FAILED:", failure)
    sys.exit(1 if failures else 0)


main()
