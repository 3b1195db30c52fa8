"""Arrays as views."""
import numpy
import pytest

import smec


def test_a_view_shows_the_memory(kinds):
    kinds["cmd.list"] = [-1, 0, 255]
    kinds.step()
    view = kinds["res.list"]
    assert not view.is_copy
    assert (len(view), view[0], view[-1], view[1:], view.tolist(), list(view)) == (3, -1, 255, [0, 255], [-1, 0, 255], [-1, 0, 255])
    assert view == [-1, 0, 255] and view != [0] and view == kinds["res.list"] and not view == 3
    assert repr(view) == "[-1, 0, 255]" and view.type == "[3]i9"
    for index in (3, -4):
        with pytest.raises(IndexError):
            view[index]  # pylint: disable=pointless-statement
    with pytest.raises(TypeError, match="set the whole array"):
        view[0] = 1


def test_views_are_buffers(kinds):
    kinds["cmd.list"] = [-1, 0, 255]
    kinds["cmd.grid"] = [[1, 2], [3, 1 << 39]]
    kinds.step()
    array = numpy.asarray(kinds["res.list"])
    assert array.dtype == numpy.int16 and array.tolist() == [-1, 0, 255] and not array.flags.writeable
    grid = memoryview(kinds["res.grid"])
    assert (grid.format, grid.shape, grid.readonly) == ("Q", (2, 2), True)
    assert numpy.asarray(kinds["res.grid"])[1].tolist() == [3, 1 << 39]
    assert numpy.asarray(kinds["res.grid"][1]).tolist() == [3, 1 << 39]
    assert memoryview(kinds["it.history"]).format == "B"


def test_a_stale_view_raises(kinds):
    view, row = kinds["res.list"], kinds["res.grid"][0]
    kinds.step()
    for use in (lambda: view[0], view.tolist, lambda: memoryview(view), lambda: list(view), lambda: view == [0], lambda: row[0]):
        with pytest.raises(smec.StaleViewError, match="went on"):
            use()
    assert repr(view) == "<stale view of [3]i9>"
    view = kinds["res.list"]
    kinds.restore(kinds.snapshot())
    with pytest.raises(BufferError):
        memoryview(view)


def test_memory_outlives_the_simulation_as_long_as_it_is_looked_at(kinds):
    kinds["cmd.list"] = [-1, 0, 255]
    kinds.step()
    memory = memoryview(kinds["res.list"])
    kinds.close()
    assert memory.tolist() == [-1, 0, 255]
    memory.release()
    with pytest.raises(smec.SimulationError):
        kinds.step()


def test_where_elements_lie_apart_there_is_a_copy(design):
    sim = design("apart")
    sim["cmd.v"] = [(1, 2), (3, 4)]
    sim.step()
    view = sim["res.v"]
    assert view.is_copy and view == [(1, 2), (3, 4)] and view[1].b == 4
    sim.step()
    assert view.tolist() == [(1, 2), (3, 4)]
    with pytest.raises(BufferError, match="no format"):
        memoryview(view)
