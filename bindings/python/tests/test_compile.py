"""From source to simulation."""
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
    assert len(kept) == 1 and (kept[0] / "libdesign.so").exists()
    (kept[0] / "mine.txt").write_text("mine")
    told = subprocess.run([_compile.compiler(), "clean"], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    assert "1 that smec did not make stay" in told, told
    assert sorted(path.name for path in (tmp_path / ".smec").rglob("*") if path.is_file()) == [".smec-folder", "mine.txt"], told
