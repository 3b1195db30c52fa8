"""The documentation as pages: ./sme docs (packaging/site_pages.py) fills the folder that this stands in."""
import re

from pygments.lexers.rust import RustLexer
from sphinx.highlighting import lexers

project = "smec"
author = "smec contributors"
release = re.search(r'SMEC_VERSION "([^"]+)"', open("version.h", encoding="utf-8").read()).group(1)
extensions = ["myst_parser"]
root_doc = "README"
html_theme = "furo"
html_title = f"smec {release}"
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 6  # headings are named as the links of docs/ name them
lexers["sme"] = RustLexer()  # its words are near enough
