#include "snapshot.h"

#include <algorithm>
#include <chrono>

#include "running.h"
#include "simulation.h"

namespace smepy {
namespace {

PyTypeObject* snapshotType = nullptr;

constexpr std::chrono::milliseconds kPartTime{20};

struct Snapshot {
    PyObject_HEAD const sme_library* design;  ///< which lasts as long as the process
    sme_snapshot* state;
    PyObject* attached;  ///< what Python keeps with it
};

Snapshot& snapshotOf(PyObject* object) { return *reinterpret_cast<Snapshot*>(object); }

const sme_library* designOf(const Simulation& simulation) {
    return reinterpret_cast<Library*>(simulation.library)->design;
}

PyObject* wrapped(const Simulation& simulation, sme_snapshot* state) {
    PyObject* object = newObject(snapshotType);
    if (!object) {
        simulation.table->forget(state);
        return nullptr;
    }
    snapshotOf(object).design = designOf(simulation);
    snapshotOf(object).state = state;
    return object;
}

/// Null with an error set where it is none.
const sme_snapshot* stateOf(const Simulation& simulation, PyObject* object) {
    if (Py_TYPE(object) != snapshotType) {
        PyErr_Format(PyExc_TypeError, "%R is no snapshot", object);
        return nullptr;
    }
    const Snapshot& snapshot = snapshotOf(object);
    if (snapshot.design == designOf(simulation)) return snapshot.state;
    raise("SimulationError", "the snapshot is of a simulation of another library; save and load "
                             "take states from one library of a design to another");
    return nullptr;
}

void freeSnapshot(PyObject* object) {
    Snapshot& snapshot = snapshotOf(object);
    if (snapshot.state) snapshot.design->table->forget(snapshot.state);
    Py_XDECREF(snapshot.attached);
    freeObject(object);
}

PyObject* attached(PyObject* self, void*) { return sharedOrNone(snapshotOf(self).attached); }
int attach(PyObject* self, PyObject* value, void*) {
    const Owned before(snapshotOf(self).attached);
    snapshotOf(self).attached = shared(value).release();
    return 0;
}

PyObject* refuseCopy(PyObject*, PyObject*) {
    PyErr_SetString(PyExc_TypeError,
                    "a snapshot cannot be copied or pickled; sim.save(snapshot) gives bytes");
    return nullptr;
}

PyMethodDef methods[] = {
    {"__reduce__", refuseCopy, METH_NOARGS, "Refuses."},
    {nullptr, nullptr, 0, nullptr},
};
PyGetSetDef members[] = {
    {"_attached", attached, attach, "What the binding keeps with it.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyType_Slot slots[] = {
    {Py_tp_doc,
     const_cast<char*>(
         "The state of a simulation between two cycles, which outlives it. Made by "
         "`sim.snapshot()`; any simulation of the same library takes it, in any thread.")},
    {Py_tp_new, asSlot(newByNobody)},
    {Py_tp_dealloc, asSlot(freeSnapshot)},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {0, nullptr},
};
PyType_Spec spec = {"smec._core.Snapshot", sizeof(Snapshot), 0, Py_TPFLAGS_DEFAULT, slots};

/// A call that leaves the simulation in another state.
template <typename Function>
PyObject* moved(PyObject* self, const Function& function) {
    Simulation& simulation = simulationOf(self);
    if (!mayUse(simulation, Use::Run)) return nullptr;
    const sme_status status = unlocked(simulation, [&] { return function(simulation); });
    ++simulation.moves;
    if (status != SME_OK) return raiseStatus(simulation);
    if (!deliver(simulation)) return nullptr;
    Py_RETURN_NONE;
}

/// One with which the past begins anew.
template <typename Function>
PyObject* begun(PyObject* self, const Function& function) {
    PyObject* done = moved(self, function);
    Simulation& simulation = simulationOf(self);
    if (done) simulation.reached = simulation.table->cycle(simulation.run);
    return done;
}

}  // namespace

PyTypeObject* addSnapshotType(PyObject* module) { return snapshotType = addType(module, spec); }

PyObject* takeSnapshot(PyObject* self, PyObject*) {
    Simulation& simulation = simulationOf(self);
    if (!mayLook(simulation)) return nullptr;
    sme_snapshot* state = nullptr;
    const sme_status status =
        unlocked(simulation, [&] { return simulation.table->snapshot(simulation.run, &state); });
    return status == SME_OK ? wrapped(simulation, state) : raiseStatus(simulation);
}

PyObject* restore(PyObject* self, PyObject* snapshot) {
    const sme_snapshot* state = stateOf(simulationOf(self), snapshot);
    if (!state) return nullptr;
    return begun(self, [&](Simulation& s) { return s.table->restore(s.run, state); });
}

PyObject* save(PyObject* self, PyObject* snapshot) {
    Simulation& simulation = simulationOf(self);
    const sme_snapshot* state = stateOf(simulationOf(self), snapshot);
    if (!state || !mayLook(simulation)) return nullptr;
    std::size_t size = 0;
    const auto write = [&](void* bytes) {
        return unlocked(simulation, [&] {
            return simulation.table->save(simulation.run, state, bytes, &size);
        });
    };
    if (write(nullptr) != SME_OK) return raiseStatus(simulation);
    Owned bytes(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    if (!bytes) return nullptr;
    if (write(PyBytes_AS_STRING(bytes.get())) != SME_OK) return raiseStatus(simulation);
    return bytes.release();
}

PyObject* load(PyObject* self, PyObject* bytes) {
    Simulation& simulation = simulationOf(self);
    if (!mayLook(simulation)) return nullptr;
    Py_buffer buffer;
    if (PyObject_GetBuffer(bytes, &buffer, PyBUF_SIMPLE) != 0) return nullptr;
    sme_snapshot* state = nullptr;
    const sme_status status = unlocked(simulation, [&] {
        return simulation.table->load(simulation.run, buffer.buf,
                                      static_cast<std::size_t>(buffer.len), &state);
    });
    PyBuffer_Release(&buffer);
    return status == SME_OK ? wrapped(simulation, state) : raiseStatus(simulation);
}

PyObject* reset(PyObject* self, PyObject*) {
    return begun(self, [](Simulation& s) { return s.table->reset(s.run); });
}

/// What has run is gone to silently, in parts, between which Ctrl-C is heard; the rest is a step.
PyObject* goTo(PyObject* self, PyObject* cycle) {
    Simulation& simulation = simulationOf(self);
    std::uint64_t to = 0;
    if (!takeCount(cycle, to) || !mayUse(simulation, Use::Run)) return nullptr;
    const auto at = [&] { return simulation.table->cycle(simulation.run); };
    const std::uint64_t past = std::min(to, std::max(simulation.reached, at()));
    for (std::uint64_t part = 1; at() != past; part *= 2) {
        const std::uint64_t now = at(), next = past < now ? past : now + std::min(part, past - now);
        const auto start = std::chrono::steady_clock::now();
        const Owned done(moved(self, [&](Simulation& s) { return s.table->go_to(s.run, next); }));
        if (!done || PyErr_CheckSignals() != 0) return nullptr;
        if (at() != next) break;
        if (std::chrono::steady_clock::now() - start > kPartTime && part > 1) part /= 2;
    }
    if (at() >= to) Py_RETURN_NONE;
    const Owned rest(PyLong_FromUnsignedLongLong(to - at()));
    const Owned ran(rest ? advance(self, rest.get()) : nullptr);
    return ran ? sharedOrNone(nullptr) : nullptr;
}

/// It is a look, and leaves all as it is.
PyObject* evaluate(PyObject* self, PyObject*) {
    Simulation& simulation = simulationOf(self);
    if (!mayUse(simulation, Use::Run)) return nullptr;
    const sme_status status =
        unlocked(simulation, [&] { return simulation.table->eval(simulation.run); });
    if (status != SME_OK) return raiseStatus(simulation);
    Py_RETURN_NONE;
}

}  // namespace smepy
