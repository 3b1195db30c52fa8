"""From source to simulation."""
import os
import pathlib
import subprocess

import pytest

import smec
from smec import _compile

ONE = "type b: bus { v: u8; };\nproc p(out o: b) { o.v = %s; }\nnetwork one(out o: b) { instance _ of p(o); }\n"


def test_constants_make_designs(design):
    assert len(design("ring", n=3).dut.link) == 3
    assert len(design("ring", "ring", n=7).dut.link) == 7


def test_what_is_compiled_is_kept(design):
    first = design("filter")
    assert design("filter").library is first.library
    assert design("ring").library is not first.library


def test_an_edit_is_seen_in_the_same_process(tmp_path):
    source = tmp_path / "one.sme"
    results = []
    for value in (3, 4):
        source.write_text(ONE % value)
        sim = smec.compile(source, flags=["-O0", "-Wno-unread"])
        sim.step()
        results.append(sim["o.v"])
    assert results == [3, 4]


def test_errors_have_places(tmp_path):
    source = tmp_path / "wrong.sme"
    source.write_text(ONE % "w + 1\n")
    with pytest.raises(smec.CompileError) as caught:
        smec.compile(source)
    error = caught.value
    first = error.diagnostics[0]
    assert (first.severity, first.line, first.file) == ("error", 2, str(source)) and first.column > 0
    assert first.id == "unknown-name" and "'w'" in first.message
    assert str(error).startswith(f"{source}:2:") and error.status == 1


def test_warnings_are_warnings(tmp_path):
    source = tmp_path / "warns.sme"
    source.write_text("type b: bus { v: u8; w: u8; };\nproc p(out o: b) { o.v = 1; }\nnetwork one() { bus o: b; instance _ of p(o); }\n")
    with pytest.warns(smec.CompileWarning, match="warns.sme:"):
        smec.compile(source, flags=["-O0"])


def test_other_failures_are_errors_too(tmp_path, monkeypatch):
    with pytest.raises(smec.CompileError, match="none.sme"):
        smec.compile(tmp_path / "none.sme")
    with pytest.raises(smec.CompileError, match="no_such"):
        smec.compile(pathlib.Path(__file__).parent / "designs" / "ring.sme", no_such=3)
    with pytest.raises(smec.CompileError, match="no const parameter 'nn'; did you mean 'n'"):
        smec.compile(pathlib.Path(__file__).parent / "designs" / "ring.sme", nn=3)
    with pytest.raises(smec.CompileError, match="'option' looks like the argument 'options' of smec.compile"):
        smec.compile(pathlib.Path(__file__).parent / "designs" / "ring.sme", option={"threads": 1})
    monkeypatch.setenv("SMEC", str(tmp_path / "nowhere"))
    with pytest.raises(smec.CompileError, match="nowhere"):
        smec.compile(tmp_path / "none.sme")


def test_load(design, tmp_path):
    source = pathlib.Path(__file__).parent.absolute() / "designs" / "filter.sme"
    subprocess.run([_compile.compiler(), "compile", "--lib", "-O0", "-q", source, "-o", "libf.so"], cwd=tmp_path, check=True)
    sim = smec.load(tmp_path / "libf.so")
    assert sim.library.design == "filter" and sim.library.compiler.startswith("smec ") and sim.library.hash > 0
    other = design("filter")
    assert other.library.hash == sim.library.hash
    sim.step(4)
    other.restore(other.load(sim.save()))
    assert other.checksum() == sim.checksum()


def test_code_and_model_are_two_files_and_the_runtime_one(design):
    first, second = design("filter"), design("ring")
    assert {os.path.basename(path) for path in (first.library.path, second.library.path)} == {"design.so"}
    with open("/proc/self/maps", encoding="utf-8") as maps:
        mapped = {line.split()[-1] for line in maps if "libsme_runtime.so" in line}
    assert len(mapped) == 1
    for sim in (first, second):
        sim.step(3)
        assert sim.cycle == 3


def test_a_model_that_is_none_of_the_code_is_refused_by_name(tmp_path):
    for name, text in (("one", ONE % 1), ("two", ONE.replace("network one", "network two") % 2), ("next", ONE % 3)):
        (tmp_path / f"{name}.sme").write_text(text)
        subprocess.run([_compile.compiler(), "compile", "--loadable", "-O0", "-q", "-Wno-unread", f"{name}.sme"], cwd=tmp_path, check=True)
    code, model = tmp_path / "one.so", tmp_path / "one.bin"
    whole = model.read_bytes()
    with smec.load(code) as sim:
        sim.step()
        assert sim["o.v"] == 1
    wrong = [(whole[:200], r"cannot load '.*one\.so': '.*one\.bin' is damaged at byte 200"), (whole[:-1] + b"x", r"'.*one\.bin' is damaged"),
             (b"text", r"'.*one\.bin' is damaged at byte"), ((tmp_path / "two.bin").read_bytes(), r"'.*one\.bin' is the model of 'two', but '.*one\.so' is of 'one'"),
             ((tmp_path / "next.bin").read_bytes(), r"'.*one\.bin' is of another version of 'one' than '.*one\.so'; compile the design again")]
    for content, message in wrong:
        model.write_bytes(content)
        with pytest.raises(smec.SimulationError, match=message):
            smec.load(code)
    model.unlink()
    with pytest.raises(smec.SimulationError, match=r"cannot read '.*one\.bin': No such file"):
        smec.load(code)
    model.write_bytes(whole)
    smec.load(code).close()


def test_equal_names_of_two_designs_are_two_things(tmp_path):
    sims = []
    for name, start in (("a", 3), ("b", 50)):
        (tmp_path / f"{name}.hpp").write_text(f"inline unsigned calls = {start};\ninline unsigned count() {{ static unsigned more = {start}; return calls++ + more++; }}\n")
        (tmp_path / f"{name}.sme").write_text(f'extern serial func count(): u32 from "{name}.hpp";\ntype b: bus {{ v: u32; }};\nproc p(out o: b) {{ o.v = count(); }}\n'
                                              "network one(out o: b) { instance _ of p(o); }\n")
        sims.append(smec.compile(tmp_path / f"{name}.sme", flags=["-O0", "-Wno-unread"]))
    shown = []
    for _ in range(2):
        for sim in sims:
            sim.step()
            shown.append(sim["o.v"])
    assert shown == [6, 100, 8, 102]


def test_the_compiler_of_the_search_path(monkeypatch, tmp_path):
    smec_of_tests = _compile.compiler()
    (tmp_path / "smec").symlink_to(smec_of_tests)
    monkeypatch.delenv("SMEC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert _compile.compiler() == str(tmp_path / "smec")


def test_smec_clean_removes_what_the_package_keeps(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SMEC_CACHE", raising=False)
    (tmp_path / "one.sme").write_text(ONE % "1")
    with smec.compile("one.sme", flags=["-O0"]) as sim:
        sim.step(2)
        assert sim["o.v"] == 1
    kept = list((tmp_path / ".smec").glob("one-python-*"))
    assert len(kept) == 1 and (kept[0] / "design.so").exists()
    (kept[0] / "mine.txt").write_text("mine")
    told = subprocess.run([_compile.compiler(), "clean"], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    assert "1 that smec did not make stay" in told, told
    assert sorted(path.name for path in (tmp_path / ".smec").rglob("*") if path.is_file()) == [".smec-folder", "mine.txt"], told
