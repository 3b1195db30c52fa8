"""The documentation as pages: ./sme docs (packaging/site_pages.py) fills the folder that this stands in."""
import os
import re

import smec
from pygments.lexers.rust import RustLexer
from sphinx.highlighting import lexers

project = "smec"
author = "smec contributors"
release = re.search(r'SMEC_VERSION "([^"]+)"', open("version.h", encoding="utf-8").read()).group(1)
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
root_doc = "README"
html_theme = "furo"
html_title = f"smec {release}"
smartquotes = False  # --option
html_copy_source = False
html_show_sphinx = False
html_search_scorer = os.path.abspath("search_order.js")
myst_heading_anchors = 6  # headings are named as the links of docs/ name them
lexers["sme"] = RustLexer()  # its words are near enough
breathe_projects = {"smec": os.path.abspath("../doxygen/xml")}
breathe_default_project = "smec"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
nitpick_ignore_regex = [("c:identifier", r"size_t|uint\d+_t"), ("cpp:identifier", r"sme|sme::embed|sme_\w+|isNumber<\w+>"), ("py:class", r"(os|collections)\..*")]
default_role = "code"  # what stands in backquotes, in comments of Python
autodoc_default_options = {"inherited-members": True}
autodoc_typehints_format = "short"
for name in smec.__all__:  # what users call them, wherever they are made
    getattr(smec, name).__module__ = "smec"


def setup(app):
    """Pages of functions are made anew each time: Sphinx does not see what they come from."""
    app.connect("env-get-outdated", lambda *_: ["api/c", "api/cpp", "api/python"])
