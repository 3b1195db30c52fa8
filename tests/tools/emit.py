#!/usr/bin/env python3
"""--emit: the stages that it lists, the IR behind each pass, and what it says of others."""
import os

from support import ROOT, Tally, smec

DESIGN = os.path.join(ROOT, "tests", "lang", "statements", "many_instances_kinds.sme")
COMPILE = ("compile", "-Wno-constant-condition")
ERRORS = (("irr", "unknown stage 'irr'; did you mean 'ir'?"), ("wings", "unknown stage 'wings'; '--emit help' lists them"),
          ("ir-after=fol", "unknown pass 'fol'; did you mean 'fold'?"), ("ir-after=wings", "unknown pass 'wings'; '--emit help' lists them"), ("ir-after=", "unknown pass ''; '--emit help' lists them"),
          ("ir-after=fold:0", "'--emit ir-after=fold:0' names no run of a pass; the first is ':1'"), ("ir-after=fold:x", "'--emit ir-after=fold:x' names no run of a pass; the first is ':1'"))


def main():
    tally = Tally()
    status, listed, err = smec("compile", "--emit", "help")
    stages = [line.split()[0] for line in listed.splitlines()]
    tally.equal((status, err, stages[:7]), (0, "", ["ast", "hir", "graph", "ir", "plan", "cpp", "ir-after=lowering"]), "what is listed")
    ran = {}
    for stage in stages:
        status, ran[stage], err = smec(*COMPILE, f"--emit={stage}", DESIGN)
        is_idle = status == 1 and err == f"smec: error: pass '{stage[9:]}' ran 0 times here, not 1\n" and stage.startswith("ir-after=")
        tally.check(is_idle or (status == 0 and ran[stage] and err == ""), f"--emit {stage}: {status}, {err}")
    tally.check(ran["ir-after=lowering"] != ran["ir"], "passes do something")
    tally.equal(ran["ir-after=cases"], ran["ir"], "the last pass")
    tally.equal(smec(*COMPILE, "--emit", "ir-after=fold:1", DESIGN)[1], ran["ir-after=fold"], "the first run is the one without a number")
    tally.check(smec(*COMPILE, "--emit", "ir-after=fold:2", DESIGN)[1] not in ("", ran["ir-after=fold"]), "the second run")
    tally.equal(smec(*COMPILE, "--emit", "ir-after=fold:9", DESIGN), (1, "", "smec: error: pass 'fold' ran 3 times here, not 9\n"), "a run that there is not")
    tally.equal(smec(*COMPILE, "--no-simd", "--emit", "ir-after=lanes", DESIGN), (1, "", "smec: error: pass 'lanes' ran 0 times here, not 1\n"), "a pass that is left out")
    for stage, wanted in ERRORS:
        status, _, err = smec("compile", "--emit", stage, DESIGN)
        tally.equal((status, err.splitlines()[0]), (2, f"smec: error: {wanted}"), f"--emit {stage}")
    tally.end()


main()
