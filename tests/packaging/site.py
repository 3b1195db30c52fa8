#!/usr/bin/env python3
"""What ./sme docs makes of a page: names behind the language of a block are captions, and every page is in the list of contents. What is public
and has no entry on a page of functions is found."""
import os
import sys
import tempfile

ROOT = os.environ["SMEC_SOURCE_DIR"]
sys.path.insert(0, os.path.join(ROOT, "packaging"))
import site_pages as site  # noqa: E402
import site_reference as reference  # noqa: E402

MEMBER = '<memberdef kind="{}" prot="{}"><name>{}</name>{}</memberdef>'
ENTRY = '<span class="sig-name descname"><span class="n"><span class="pre">{}</span></span></span>'


def main():
    failed = 0

    def equal(got, wanted):
        nonlocal failed
        if got != wanted:
            failed += 1
            print(f"FAILED: {got!r}, wanted {wanted!r}")

    equal(site.pageOf("```sme counter.sme\nproc p() {}\n```"), "```{code-block} sme\n:caption: counter.sme\n\nproc p() {}\n```")
    equal(site.pageOf("```sme fails export\nx\n```"), "```{code-block} sme\n:caption: refused\n\nx\n```")
    equal(site.pageOf("```sme works -G k=2\nx\n```\n```output\n1\n```\n````text\n```sme\n````"), "```sme\nx\n```\n```text\n1\n```\n````text\n```sme\n````")
    equal(site.pageOf("# a\n## b\n```sh\n# c\n```"), "# a\n## b\n```sh\n# c\n```")
    equal(site.pageOf("# a\n# b\n## c\n```sh\n# d\n```\n# e"), "# a\n## b\n### c\n```sh\n# d\n```\n## e")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.xml")
        members = [("function", "public", "step", ""), ("function", "private", "hidden", ""), ("function", "public", "operator=", ""), ("function", "public", "Run", ""),
                   ("enum", "public", "status", "<enumvalue><name>GOOD</name></enumvalue>")]
        with open(path, "w", encoding="utf-8") as f:
            f.write("<c>" + "".join(MEMBER.format(*member) for member in members) + "</c>")
        equal(reference.declared([path], ["Run"]), {"step", "status", "GOOD"})
    equal(reference.shown(ENTRY.format("step") + " text " + ENTRY.format("GOOD")), {"step", "GOOD"})
    with tempfile.TemporaryDirectory() as folder:
        site.copyPages(folder)
        contents = site.contentsOf(folder).split("\n")
        pages = [os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names if name.endswith(".md")]
        for page in pages:
            equal(contents.count(page), 0 if page == "README.md" else 1)
        for page in (page for group in site.CONTENTS.values() for page in group):
            equal(os.path.exists(os.path.join(folder, page)), True)
    print(f"{len(pages)} pages; {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
