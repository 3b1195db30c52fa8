"""The pages of functions that ./sme docs makes from comments: of headers by Doxygen, of the Python package as it is installed beside Sphinx.

packaging/site/api has what is to stand on which page; whatever is public and missing there, or has no comment, is told.
"""
import glob
import hashlib
import html
import os
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PACKAGE = ["bindings/python/setup.py", "bindings/python/pyproject.toml", "bindings/python/smec/*.py*", "bindings/python/src/*", "contract/include/sme/simulation.h", "contract/include/sme/number_text.h"]
CLASSES = ("Simulation", "Signal", "Elements", "Snapshot", "Wide", "Error")
# All that users may call, one a line, as autodoc calls it.
NAMES_OF_PYTHON = """
import inspect, smec
for name in smec.__all__:
    what = getattr(smec, name)
    print("smec." + name)
    if inspect.isclass(what) and not issubclass(what, BaseException):
        for member in dir(what):
            if not member.startswith("_"):
                print(f"smec.{name}.{member}")
"""


def installed(python, folder):
    """The Python package beside Sphinx, built anew when one of its files has changed."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in PACKAGE for path in glob.glob(os.path.join(ROOT, pattern)) if os.path.isfile(path)):
        with open(path, "rb") as f:
            digest.update(f.read())
    mark = os.path.join(folder, "package.sha256")
    if os.path.exists(mark) and open(mark, encoding="ascii").read() == digest.hexdigest():
        return
    with tempfile.TemporaryDirectory() as scratch:
        source = os.path.join(scratch, "python")
        shutil.copytree(os.path.join(ROOT, "bindings", "python"), source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--force-reinstall", source], check=True, env=dict(os.environ, SMEC_CHECKOUT=ROOT))
    with open(mark, "w", encoding="ascii") as f:
        f.write(digest.hexdigest())


def doxygen(folder):
    """What headers declare, with their comments, as XML below the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(os.path.join(HERE, "site", "Doxyfile"), encoding="utf-8") as f:
        words = f.read() + f'OUTPUT_DIRECTORY = "{folder}"\n'
    subprocess.run(["doxygen", "-"], input=words, text=True, check=True, cwd=ROOT)


def declared(files, classes=()):
    """Public names in files of Doxygen's, but for constructors and what is an operator."""
    names = set()
    for path in files:
        for member in xml.parse(path).iter("memberdef"):
            name = member.findtext("name")
            if member.get("prot") == "public" and not re.match(r"~|operator", name):
                names.add(name)
            names |= {value.findtext("name") for value in member.iter("enumvalue")}
    return names - set(classes)


def shown(text):
    """Names that a page of functions of C or C++ has an entry for."""
    entries = re.findall(r'<span class="[^"]*\bdescname\b[^"]*">(.*?)</span>\s*</span>', text, re.S)
    return {html.unescape(re.sub(r"<[^>]*>", "", entry)).strip() for entry in entries}


def missingIn(site, made, python):
    """What is public and stands on no page, as messages."""
    def page(name):
        with open(os.path.join(site, "api", name + ".html"), encoding="utf-8") as f:
            return f.read()

    inC = declared([os.path.join(made, "xml", "simulation_8h.xml"), *glob.glob(os.path.join(made, "xml", "structsme__*.xml"))])
    inCpp = declared((os.path.join(made, "xml", f"classsme_1_1embed_1_1{name}.xml") for name in CLASSES), CLASSES)
    inPython = subprocess.run([python, "-c", NAMES_OF_PYTHON], capture_output=True, text=True, check=True).stdout.split()
    ids = set(re.findall(r'id="(smec\.[\w.]+)"', page("python")))
    missing = {"c": inC - shown(page("c")), "cpp": (inCpp | set(CLASSES)) - shown(page("cpp")), "python": set(inPython) - ids}
    return [f"api/{name}.html: no comment, or no place, for '{what}'" for name, whats in missing.items() for what in sorted(whats)]
