#!/usr/bin/env python3
"""The project of docs/cmake.md, which uses every option of the CMake functions: built against the moved installation, built again when what it
is made of changes, and only then; what is wrong is refused by name."""
import os
import re
import shutil
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "tests", "docs"))

from readme_commands import blocks  # noqa: E402

with open(os.path.join(SOURCE, "docs", "cmake.md"), encoding="utf-8") as page:
    PAGE = page.read()


def call(*words, status=0, cwd=None):
    done = subprocess.run(words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == status, f"{' '.join(words)}\n{done.stdout}status {done.returncode}"
    return done.stdout


class Project:
    """In folder/project."""

    def __init__(self, folder, prefix):
        self.folder, self.prefix = os.path.join(folder, "project"), prefix
        shutil.rmtree(self.folder, ignore_errors=True)
        for _, language, name, body, _ in blocks(PAGE):
            if language == "text" and name:
                self.write(os.path.relpath(name, "project"), body)
        self.expected = [body for _, language, _, body, _ in blocks(PAGE) if language == "output"][-1]

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def configure(self, tree="build", status=0, generator="Ninja"):
        return call("cmake", "-S", self.folder, "-B", os.path.join(self.folder, tree), "-G", generator, f"-DCMAKE_PREFIX_PATH={self.prefix}", status=status)

    def build(self, tree="build"):
        return call("cmake", "--build", os.path.join(self.folder, tree))

    def output(self, tree="build"):
        at = os.path.join(self.folder, tree)
        return call(os.path.join(at, "bench")) + call(os.path.join(at, "bin", "rom"), "--cycles", "4", "--quiet", "--trace", "-")

    def check(self):
        """As the page has it."""
        self.configure()
        self.build()
        assert self.output() == self.expected, self.output()


def builtAgain(project):
    assert "no work to do" in project.build()
    project.write("data/rom.hex", "11 22 33 44\n")
    said = project.build()
    assert "Compiling rom" in said and "the library table" in said and "the library chain" not in said, said
    assert project.output() == re.sub(r"\b([1-4])0\n", r"\1\1\n", project.expected).replace(",16\n", ",17\n").replace(",64\n", ",68\n").replace(",48\n", ",51\n"), project.output()
    project.write("shared/scale.sme", "const factor: u32 = 2;\n")
    said = project.build()
    assert "the library chain" in said and "the library table" not in said, said
    assert "\n16 22\n" in project.output(), project.output()


def refused(project):
    with open(os.path.join(project.folder, "CMakeLists.txt"), encoding="utf-8") as file:
        good = file.read()
    for words, message in (("WORKING_DIRECTORY nosuch", r"sme_add_library: WORKING_DIRECTORY \S.*/project/nosuch is no folder"),
                           ("more.sme", "sme_add_library: unknown arguments: more.sme"),
                           ("TOP", "sme_add_library: nothing stands behind TOP")):
        project.write("CMakeLists.txt", good + f"sme_add_library(other chain.sme {words})\n")
        said = " ".join(project.configure("refused", status=1).split())
        assert re.search(message, said), said
    project.write("CMakeLists.txt", good)


def everyOptionIsOnThePage():
    """Those that the functions take stand in the table, and in the project."""
    with open(os.path.join(SOURCE, "cmake", "SmeAddSimulator.cmake"), encoding="utf-8") as file:
        one, many = re.search(r'cmake_parse_arguments\(PARSE_ARGV 4 arg "" "([A-Z_;]+)" "([A-Z_;]+)"\)', file.read()).groups()
    project = [body for _, _, name, body, _ in blocks(PAGE) if name == "project/CMakeLists.txt"][0]
    for option in (one + ";" + many).split(";"):
        assert f"\n| `{option} " in PAGE, f"docs/cmake.md has no line for {option}"
        assert f" {option} " in project, f"the project on docs/cmake.md does not use {option}"


def main():
    everyOptionIsOnThePage()
    at = os.path.join(os.environ["SMEC_BINARY_DIR"], "tests", "install")
    project = Project(os.path.join(at, "scratch cmake_page"), os.path.join(at, "a prefix"))
    project.check()
    refused(project)
    project.configure()
    builtAgain(project)


if __name__ == "__main__":
    main()
