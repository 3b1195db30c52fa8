"""The extension over sme/simulation.h and what else of sme/ it includes, of the checkout or of an installed smec; a source distribution takes these along."""
import glob
import os
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.sdist import sdist

HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = ("simulation.h", "number_text.h")
OWN = os.path.join(HERE, "include")  # of a source distribution


def has_headers(folder):
    return all(os.path.exists(os.path.join(folder, "sme", name)) for name in HEADERS)


def checkouts():
    """What may be a checkout: what was told, what the package lies in, what a compiler was built in."""
    yield os.environ.get("SMEC_CHECKOUT")
    yield os.path.dirname(os.path.dirname(HERE))
    for compiler in compilers():
        yield os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(compiler))))


def compilers():
    for found in (os.environ.get("SMEC"), shutil.which("smec")):
        if found:
            yield os.path.realpath(found)


def pkg_config():
    try:
        found = subprocess.run(["pkg-config", "--variable=includedir", "smec"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        return found.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def find():
    """The folder that has the headers, and the checkout that it is in, if it is in one."""
    if has_headers(OWN):
        return OWN, os.environ.get("SMEC_CHECKOUT", "")
    for checkout in filter(None, checkouts()):
        folder = os.path.join(checkout, "contract", "include")
        if has_headers(folder):
            return folder, checkout
    for folder in (*(os.path.join(os.path.dirname(os.path.dirname(compiler)), "include") for compiler in compilers()), pkg_config()):
        if folder and has_headers(folder):
            return folder, ""
    raise SystemExit("no sme/simulation.h and sme/number_text.h: put an installed smec on the PATH, or set SMEC to it or SMEC_CHECKOUT to a checkout of its sources")


INCLUDE, CHECKOUT = find()


class SourceDistribution(sdist):
    """With the headers, so that it can be built where there is no smec; what it builds looks for one when it compiles."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        folder = os.path.join(base_dir, "include", "sme")
        os.makedirs(folder, exist_ok=True)
        for name in HEADERS:
            shutil.copyfile(os.path.join(INCLUDE, "sme", name), os.path.join(folder, name))
        licence = os.path.join(CHECKOUT, "LICENSE")
        if CHECKOUT and os.path.exists(licence):
            shutil.copyfile(licence, os.path.join(base_dir, "LICENSE"))


setup(
    cmdclass={"sdist": SourceDistribution},
    ext_modules=[
        Extension(
            "smec._core",
            sorted(os.path.relpath(path, HERE) for path in glob.glob(os.path.join(HERE, "src", "*.cpp"))),
            include_dirs=[INCLUDE],
            define_macros=[("SMEC_CHECKOUT", f'"{CHECKOUT}"')],
            extra_compile_args=["-std=c++17", "-O2", "-fvisibility=hidden", "-fno-strict-aliasing"],
            language="c++",
        )
    ]
)
