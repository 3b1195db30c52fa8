"""Designs, compiled once for all tests."""
import os
import pathlib

import pytest

import smec

DESIGNS = pathlib.Path(__file__).parent / "designs"


@pytest.fixture(scope="session", autouse=True)
def _folder(tmp_path_factory):
    """Where .smec goes; each test begins there."""
    folder = tmp_path_factory.mktemp("work")
    os.chdir(folder)
    return folder


@pytest.fixture(scope="session")
def design(_folder):
    """design("filter") is a fresh simulation of designs/filter.sme."""

    def make(name, top=None, *, options=None, out=None, **constants):
        return smec.compile(DESIGNS / f"{name}.sme", top, options=options, out=out, flags=["-O0", "-Wno-unread"], **constants)

    return make


@pytest.fixture
def filter_(design):
    with design("filter", options={"threads": 1}) as sim:
        yield sim


@pytest.fixture
def kinds(design):
    with design("kinds", options={"threads": 1}) as sim:
        yield sim
