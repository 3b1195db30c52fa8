#!/usr/bin/env python3
"""No function in an anonymous namespace has the name of one that another file of its library declares in a namespace around it.

Unity builds put the files of a library after one another, so that the anonymous namespaces of all are one. A file that calls
the other function then sees the hidden one, too, and may call it without a word of the compiler's:

    a.cpp   namespace smec::hdl { namespace { bool isWide(std::uint64_t width); } }
    b.h     namespace smec::hdl { bool isWide(std::uint32_t width); }
    c.cpp   isWide(signal.width)        calls what is in a.cpp where a.cpp stands in front of it and fits better
"""
import glob
import os
import re
import sys

TOKENS = re.compile(r"""
    //[^\n]* | /\*.*?\*/                                     # comments
    | R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"                     # raw strings
    | "(?:\\.|[^"\\\n])*" | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'
    | ^[ \t]*\#(?:\\\n|[^\n])*                               # preprocessor
    """, re.VERBOSE | re.DOTALL | re.MULTILINE)
NAMESPACE = re.compile(r"\s*(?:inline\s+)?namespace\b\s*([\w:]*)\s*$")
OTHER = re.compile(r"\s*(?:template\s*<.*>\s*)?(?:class|struct|enum|union|using|typedef|friend|extern|concept)\b", re.DOTALL)
FUNCTION = re.compile(r"[\w>&*\]]\s*[\s&*](\w+)\s*\(")


def withoutTemplates(text):
    """`text` without what stands in <…>, as far as there are pairs."""
    while True:
        shorter = re.sub(r"<[^<>()]*(?:\([^()]*\)[^<>()]*)*>", "", text)
        if shorter == text:
            return text
        text = shorter


def functionOf(text):
    """The name of the function that a declaration at namespace level begins with, or None."""
    if OTHER.match(text):
        return None
    head = withoutTemplates(text)
    first = head.find("(")
    if first < 0 or "=" in head[:first].replace("operator", "") or "operator" in head[:first]:
        return None
    found = FUNCTION.search(head[:first + 1])
    return found.group(1) if found and found.end() == first + 1 else None


def functions(text):
    """(namespace, is it anonymous, name) of all functions at namespace level in a source text."""
    text = TOKENS.sub(lambda m: "\n" if m.group().lstrip().startswith("#") else " ", text)
    around, begin, depth = [], 0, 0
    for m in re.finditer(r"[{};]", text):
        if depth:
            depth += {"{": 1, "}": -1, ";": 0}[m.group()]
        elif m.group() == "}":
            if around:
                around.pop()
        else:
            head = text[begin:m.start()]
            space = NAMESPACE.match(head) if m.group() == "{" else None
            if space:
                around.append(space.group(1))
            else:
                name = functionOf(head)
                if name:
                    yield "::".join(part for part in around if part), "" in around, name
                depth = 1 if m.group() == "{" else 0
        if not depth:
            begin = m.end()


def chain(namespace):
    """A namespace and those around it."""
    parts = namespace.split("::")
    return ["::".join(parts[:i]) for i in range(len(parts), 0, -1)]


def clashes(files):
    """`files`: text by path. (path of the anonymous one, name, path of the other one)"""
    hidden, seen = {}, {}
    for path, text in sorted(files.items()):
        for namespace, isAnonymous, name in functions(text):
            (hidden if isAnonymous else seen).setdefault((namespace, name), set()).add(path)
    return sorted((path, name, other) for (namespace, name), paths in hidden.items() for path in paths
                  for outer in chain(namespace) for other in seen.get((outer, name), ()) if stem(other) != stem(path))


def stem(path):
    """A header and the file that implements it are one: overloads in them stand beside each other."""
    return os.path.splitext(path)[0]


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def libraries(root):
    """Folders whose files are compiled after one another."""
    yield from sorted(glob.glob(os.path.join(root, "compiler", "*", "")))
    yield os.path.join(root, "formats", "")
    yield os.path.join(root, "runtime", "src", "")


def check():
    """That a clash is found, and only that."""
    inner = "namespace smec::a {\nnamespace {\nbool f(int x) { return g(x); }\nstd::vector<int> h() { return {}; }\n}\n%s}\n"
    cases = [("namespace smec::a {\nbool f(long x);\n}", "", 1), ("namespace smec {\nstd::map<int, int> h(int);\n}", "", 1),
             ("namespace smec::a {\nbool C::f(long x) {}\nstruct D { bool f(); };\nint n = f(1);\n}", "", 0),
             ("namespace smec::b {\nbool f(long x);\n}", "", 0), ("// bool f(int);\n", "bool f(long x);\n", 0),
             ("namespace smec::a {\nnamespace {\nbool f(long x);\n}\n}", "", 0)]
    for other, own, count in cases:
        found = clashes({"a.cpp": inner % own, "b.cpp": other})
        assert len(found) == count, (other, found)


def main():
    root, count, bad = os.environ["SMEC_SOURCE_DIR"], 0, []
    check()
    for folder in libraries(root):
        paths = [path for path in glob.glob(os.path.join(folder, "**", "*"), recursive=True) if path.endswith((".h", ".cpp"))]
        files = {os.path.relpath(path, root): read(path) for path in paths}
        count += sum(1 for text in files.values() for _ in functions(text))
        bad += clashes(files)
    for path, name, other in bad:
        print(f"{path}: '{name}' in an anonymous namespace has the name of a function in {other}; give it another one")
    print(f"{count} functions, {len(bad)} names of two")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
