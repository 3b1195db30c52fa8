#!/usr/bin/env python3
"""./sme docs: README, docs/ and what they lead to as pages with an index and a search, in build/site/html.

Pages are opened from the folder, the search too; they load nothing from elsewhere. Each link and anchor has to lead somewhere, and all that programs may
call has to stand on a page (site_reference.py), else the status is 1.
--check opens every page in headless Chromium, too: it has to show its first heading and the navigation, without an error of a script, and the
search has to find what users ask for.
"""
import argparse
import glob
import html
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
import venv

import release
import site_reference

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "LICENSE", "docs/**/*", "examples/**/*", "tests/*/README.md", "contract/include/sme/*.h"]
INSIDE = ["CONTRIBUTING.md", "docs/architecture.md", "docs/internals.md", "docs/ir.md", "docs/model-format.md"]
FENCE = re.compile(r"^(```+)(\w+)(?: (.*))?$")
# What has no place here stands in front of what is left: Examples, Experiments, Inside.
CONTENTS = {
    "Starting": ["docs/install.md", "docs/tutorial.md", "docs/recipes.md"],
    "The language": ["docs/language.md", "docs/semantics.md", "docs/stdlib.md", "docs/diagnostics.md", "docs/smeil.md"],
    "Simulating": ["docs/tools.md", "docs/waveforms.md", "docs/scheduling.md", "docs/mpi.md", "docs/embedding.md", "docs/cmake.md"],
    "Functions to call": ["api/c.md", "api/cpp.md", "api/python.md"],
    "Hardware": ["docs/verilog.md", "docs/hdl-flow.md", "docs/hdl-tools.md", "docs/cores.md"],
    "How fast, and why": ["docs/benchmarks.md", "docs/decisions.md", "docs/ablation.md", "docs/experiments/README.md"],
    "Versions": ["CHANGELOG.md", "docs/versions.md", "SECURITY.md"],
    "Inside": ["CONTRIBUTING.md", "docs/architecture.md", "docs/internals.md", "docs/ir.md", "docs/model-format.md"],
}
# What users type: the search has to have the answer among its first results.
SEARCHED = {
    "checkpoint": "docs/tools.html", "sme_status": "api/c.html#", "run_until": "api/python.html#", "goTo": "api/cpp.html#",
    **dict.fromkeys(["reset", "two clocks", "inout", "tri-state", "print without line end", "write to a file", "move cache", "delete cache", "breakpoint", "step by step", "several seeds",
                     "editor highlighting", "verilog vhdl systemc", "sweep load", "deadlock", "stuck", "when is a field read", "test in CI", "JUnit", "library several files", "verilog module own files",
                     "sme_add_library options", "fast design", "not in lanes", "two threads", "SystemVerilog read", "rely on version to version"], "docs/recipes.html"),
}
FIRST = 5


def fence(line):
    """Words behind a language are for the tests of docs/: a file's name is a caption, and of programs that are refused it is said."""
    found = FENCE.match(line)
    if not found:
        return line
    marks, language, words = found.group(1), found.group(2), (found.group(3) or "").split()
    language = {"output": "text", "diagnostics": "text"}.get(language, language)
    caption = "refused" if words[:1] == ["fails"] else words[0] if words and "." in words[0] else ""
    return f"{marks}{{code-block}} {language}\n:caption: {caption}\n" if caption else f"{marks}{language}"


def lowered(lines):
    """Headings behind the first one are below it, also where a page has several of the first level."""
    isCode = isBehind = False
    for line in lines:
        isCode ^= line.startswith("```")
        isHeading = not isCode and re.match(r"#+ ", line)
        yield "#" + line if isHeading and isBehind else line
        isBehind = isBehind or bool(isHeading)


def pageOf(text):
    lines = text.split("\n")
    if len(re.findall(r"^# ", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)) > 1:
        lines = lowered(lines)
    return "\n".join(fence(line) for line in lines)


def copyPages(folder):
    shutil.rmtree(folder, ignore_errors=True)
    for pattern in PAGES:
        for path in glob.glob(os.path.join(ROOT, pattern), recursive=True):
            if not os.path.isfile(path):
                continue
            to = os.path.join(folder, os.path.relpath(path, ROOT))
            os.makedirs(os.path.dirname(to), exist_ok=True)
            if not path.endswith(".md"):
                shutil.copy(path, to)
                continue
            with open(path, encoding="utf-8") as f:
                text = f.read()
            with open(to, "w", encoding="utf-8") as f:
                f.write(pageOf(text))
    shutil.copytree(os.path.join(HERE, "site", "api"), os.path.join(folder, "api"))


def contentsOf(folder):
    """What README.md is followed by: a list of pages for each heading, all of them."""
    named = {page for pages in CONTENTS.values() for page in pages}
    pages = sorted(os.path.relpath(path, folder) for path in glob.glob(os.path.join(folder, "**", "*.md"), recursive=True))
    groups = {name: list(group) for name, group in CONTENTS.items()}
    for page in pages:
        if page == "README.md" or page in named:
            continue
        group = "Examples" if page.startswith("examples/") else "How fast, and why" if page.startswith("docs/experiments/") else "Inside"
        groups.setdefault(group, []).append(page)
    lists = (f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {name}\n\n" + "\n".join(group) + "\n```\n" for name, group in groups.items())
    return "\n" + "\n".join(lists)


def tools(folder):
    """Sphinx in an environment of its own, as requirements.txt says, with the Python package; the folder of their programs."""
    wanted = os.path.join(HERE, "site", "requirements.txt")
    made = os.path.join(folder, "requirements.txt")
    if not os.path.exists(made) or open(made, encoding="utf-8").read() != open(wanted, encoding="utf-8").read():
        venv.create(folder, clear=True, with_pip=True)
        subprocess.run([os.path.join(folder, "bin", "pip"), "install", "--quiet", "-r", wanted], check=True)
        shutil.copy(wanted, made)
    site_reference.installed(os.path.join(folder, "bin", "python"), folder)
    return os.path.join(folder, "bin")


def opened(browser, page, profile):
    """The page as the browser has it when its scripts have run, and what these complain of."""
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", f"--user-data-dir={profile}", "--enable-logging=stderr",
                           "--virtual-time-budget=3000", "--dump-dom", "file://" + page], capture_output=True, text=True, timeout=120, check=False)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line and ("Error" in line or "ERR_" in line)]


def whatIsWrong(browser, page, profile):
    text, complaints = opened(browser, page, profile)
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", text, re.S)
    if not heading or not html.unescape(re.sub(r"<[^>]*>", "", heading.group(1))).strip():
        return "no heading"
    if "toctree-l1" not in text or 'name="q"' not in text:
        return "no navigation or search"
    left = re.search(r"```|\]\([\w./#]+\)|:caption:", re.sub(r"<(pre|code)\b.*?</\1>", "", text, flags=re.S))
    if left:
        return f"text that is no page: {left.group(0)!r}"
    if (elsewhere := re.search(r'<(?:script|link|img)\b[^>]*(?:src|href)="((?:https?:)?//[^"]*)"', text)):
        return f"it loads {elsewhere.group(1)}"
    return complaints[0] if complaints else ""


def found(browser, site, profile, words):
    """Where the results lead that the search has for these words, without a server."""
    text, _ = opened(browser, os.path.join(site, "search.html") + "?q=" + urllib.parse.quote(words), profile)
    return re.findall(r'<li[^>]*><a href="([^"]*)', text[text.find("search-results"):])


def whatIsNotFound(browser, site, profile):
    results = ((words, page, found(browser, site, profile, words)[:FIRST]) for words, page in SEARCHED.items())
    return [("search.html", f"'{words}' does not find {page}, but {pages}") for words, page, pages in results if not any(page in each for each in pages)]


def check(site, work):
    browser = shutil.which("chromium")
    if not browser:
        raise release.Refused("chromium is missing")
    pages = sorted(glob.glob(os.path.join(site, "**", "*.html"), recursive=True))
    profile = os.path.join(work, "profile")
    pages = [page for page in pages if os.path.basename(page) != "search.html"]  # empty until something is searched for
    wrong = [(page, why) for page in pages if (why := whatIsWrong(browser, page, profile))]
    wrong += whatIsNotFound(browser, site, profile)
    for page, why in wrong:
        print(f"docs: {os.path.relpath(page, site) if os.path.isabs(page) else page}: {why}", file=sys.stderr)
    if wrong:
        sys.exit(1)
    print(f"docs: {len(pages)} pages opened")


def main():
    parser = argparse.ArgumentParser(prog="./sme docs", description="The documentation as pages, in build/site/html.")
    parser.add_argument("--check", action="store_true", help="open every page in headless Chromium, too")
    given = parser.parse_args()
    work = os.path.join(ROOT, "build", "site")
    pages, site = os.path.join(work, "pages"), os.path.join(work, "html")
    os.makedirs(work, exist_ok=True)
    programs = tools(os.path.join(work, "tools"))
    headers = os.path.join(work, "doxygen")
    site_reference.doxygen(headers)
    copyPages(pages)
    for name in ("conf.py", "search_order.js"):
        shutil.copy(os.path.join(HERE, "site", name), pages)
    shutil.copy(os.path.join(ROOT, "compiler", "driver", "system", "version.h"), pages)
    with open(os.path.join(pages, "README.md"), "a", encoding="utf-8") as f:
        f.write(contentsOf(pages))
    shutil.rmtree(site, ignore_errors=True)
    sphinx = [os.path.join(programs, "sphinx-build"), "-q", "-n", "-W", "--keep-going", "-j", "auto", "-d", os.path.join(work, "doctrees"), pages, site]
    if subprocess.run(sphinx, check=False).returncode != 0:
        sys.exit(1)
    if missing := site_reference.missingIn(site, headers, os.path.join(programs, "python")):
        sys.exit("\n".join("docs: " + what for what in missing))
    shutil.copy(os.path.join(site, "README.html"), os.path.join(site, "index.html"))
    print("docs: " + os.path.join(site, "index.html"))
    if given.check:
        check(site, work)


if __name__ == "__main__":
    main()
