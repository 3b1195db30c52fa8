#include "simulation.h"

#include <cstring>
#include <new>
#include <vector>

#include "running.h"
#include "snapshot.h"

namespace smepy {
namespace {

PyTypeObject* simulationType = nullptr;

void append(std::string& text, const char* more, std::size_t length) {
    try {
        text.append(more, length);
    } catch (const std::bad_alloc&) {  // what is printed is not worth the run
    }
}
void keepPrinted(void* user, const char* text, std::size_t length) {
    append(*static_cast<Simulation*>(user)->printed, text, length);
}
void keepFailed(void* user, const char* text, std::size_t length) {
    append(*static_cast<Simulation*>(user)->failed, text, length);
}

}  // namespace

// ---------------------------------------------------------------- errors

void raise(const char* kind, PyObject* message, std::uint64_t cycle, int status) {
    const Owned errors(PyImport_ImportModule("smec._errors"));
    const Owned type(errors ? PyObject_GetAttrString(errors.get(), kind) : nullptr);
    if (!type) return;
    const Owned error(PyObject_CallFunction(type.get(), "OKi", message,
                                            static_cast<unsigned long long>(cycle), status));
    if (error) PyErr_SetObject(type.get(), error.get());
}

void raise(const char* kind, const char* message, std::uint64_t cycle, int status) {
    const Owned text(
        PyUnicode_DecodeUTF8(message, static_cast<Py_ssize_t>(std::strlen(message)), "replace"));
    if (text) raise(kind, text.get(), cycle, status);
}

PyObject* raiseStatus(const Simulation& simulation) {
    raise("SimulationError", simulation.table->message(simulation.run),
          simulation.table->cycle(simulation.run), simulation.table->status(simulation.run));
    return nullptr;
}

void raiseAbout(const Simulation& simulation, PyObject* path) {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    const Owned holdType(type), hold(value), holdTrace(trace);
    const Owned text(PyUnicode_FromFormat("'%U': %S", path, value));
    if (text)
        raise("BadValueError", text.get(), simulation.table->cycle(simulation.run), SME_BAD_DATA);
}

bool mayUse(const Simulation& simulation, Use use) {
    const char* why = nullptr;
    if (!simulation.run || simulation.isClosed)
        why = "the simulation is closed";
    else if (simulation.forks != forksSoFar())
        why = "the simulation belongs to the process that made it; make one after the fork";
    else if (simulation.isCalled)
        why = "the simulation is in use by another thread";
    else if (simulation.isRunning && simulation.runner != PyThread_get_thread_ident())
        why = "the simulation is in use by another thread";
    else if (simulation.isRunning && use == Use::Run)
        why = "a simulation cannot be run from within its own run";
    if (why) raise("SimulationError", why);
    return !why;
}

bool deliver(Simulation& simulation) {
    if (simulation.printed->empty() || !simulation.write) return true;
    const Owned text(PyUnicode_DecodeUTF8(simulation.printed->data(),
                                          static_cast<Py_ssize_t>(simulation.printed->size()),
                                          "replace"));
    simulation.printed->clear();
    if (!text) return false;
    const bool wasRunning = std::exchange(simulation.isRunning, true);
    simulation.runner = PyThread_get_thread_ident();
    const Owned done(PyObject_CallOneArg(simulation.write, text.get()));
    simulation.isRunning = wasRunning;
    return static_cast<bool>(done);
}

bool isSimulation(PyObject* object) { return PyObject_TypeCheck(object, simulationType); }

void closeSimulation(Simulation& simulation) {
    simulation.isClosed = true;
    ++simulation.moves;
    // a forked child has none of the threads that it would wait for
    if (!simulation.run || simulation.views > 0 || simulation.forks != forksSoFar()) return;
    sme_simulation* run = std::exchange(simulation.run, nullptr);
    unlocked(simulation, [&] { return simulation.table->destroy(run), 0; });
}

// ---------------------------------------------------------------- the Python type

namespace {

bool takeOptions(PyObject* pairs, std::vector<sme_option>& options) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(pairs); ++i) {
        sme_option option{};
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(pairs, i), "sz", &option.name, &option.value))
            return false;
        options.push_back(option);
    }
    return true;
}

PyObject* newSimulation(PyTypeObject* type, PyObject* arguments, PyObject*) {
    PyObject *library = nullptr, *pairs = nullptr, *write = Py_None;
    if (!PyArg_ParseTuple(arguments, "OO!O", &library, &PyTuple_Type, &pairs, &write))
        return nullptr;
    std::vector<sme_option> options;
    if (!takeOptions(pairs, options)) return nullptr;
    Owned object(newObject(type));
    if (!object) return nullptr;
    Simulation& simulation = simulationOf(object.get());
    simulation.library = shared(library).release();
    simulation.write = write == Py_None ? nullptr : shared(write).release();
    simulation.printed = new std::string;
    simulation.failed = new std::string;
    simulation.slice = 1;
    simulation.forks = forksSoFar();
    const sme_library* design = reinterpret_cast<Library*>(library)->design;
    simulation.table = design->table;
    const sme_sinks sinks{&simulation, simulation.write ? keepPrinted : nullptr, keepFailed};
    char why[1000];
    const sme_status status = unlocked(simulation, [&] {
        return design->table->create(design->model, options.data(), options.size(), &sinks,
                                     &simulation.run, why, sizeof why);
    });
    if (status == SME_OK) return object.release();
    raise("SimulationError", why, 0, status);
    return nullptr;
}

int visitReferences(PyObject* object, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(simulationOf(object).library);
    Py_VISIT(simulationOf(object).write);
    Py_VISIT(simulationOf(object).stepper);
    return 0;
}
int clearReferences(PyObject* object) {
    Py_CLEAR(simulationOf(object).write);
    Py_CLEAR(simulationOf(object).stepper);
    return 0;
}

void freeSimulation(PyObject* object) {
    PyObject_GC_UnTrack(object);
    Simulation& simulation = simulationOf(object);
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    if (simulation.table) closeSimulation(simulation);
    PyErr_Restore(type, value, trace);
    delete simulation.printed;
    delete simulation.failed;
    clearReferences(object);
    Py_CLEAR(simulation.library);
    freeObject(object);
}

PyObject* close(PyObject* self, PyObject*) {
    Simulation& simulation = simulationOf(self);
    if (simulation.isClosed) Py_RETURN_NONE;
    if (simulation.forks == forksSoFar() && !mayUse(simulation, Use::Run)) return nullptr;
    closeSimulation(simulation);
    Py_RETURN_NONE;
}

PyObject* isClosed(PyObject* self, void*) { return PyBool_FromLong(simulationOf(self).isClosed); }

PyObject* cycle(PyObject* self, void*) {
    Simulation& simulation = simulationOf(self);
    if (!mayLook(simulation)) return nullptr;
    return PyLong_FromUnsignedLongLong(simulation.table->cycle(simulation.run));
}

PyObject* stopStatus(PyObject* self, void*) {
    Simulation& simulation = simulationOf(self);
    if (!mayLook(simulation)) return nullptr;
    return PyLong_FromUnsignedLong(simulation.table->stop_status(simulation.run));
}

PyObject* isStopped(PyObject* self, void*) {
    Simulation& simulation = simulationOf(self);
    if (!mayLook(simulation)) return nullptr;
    return PyBool_FromLong(simulation.ended & SME_STOPPED);
}

PyObject* checksum(PyObject* self, PyObject*) {
    Simulation& simulation = simulationOf(self);
    if (!mayLook(simulation)) return nullptr;
    return PyLong_FromUnsignedLongLong(
        unlocked(simulation, [&] { return simulation.table->checksum(simulation.run); }));
}

struct Listing {
    PyObject* names;
    bool failed;
};
int addName(void* user, const char* path, const sme_value* value) {
    Listing& listing = *static_cast<Listing*>(user);
    const Owned entry(Py_BuildValue("(sI)", path, value->flags));
    listing.failed = !entry || PyList_Append(listing.names, entry.get()) != 0;
    return listing.failed;
}

PyObject* names(PyObject* self, PyObject*) {
    Simulation& simulation = simulationOf(self);
    if (!mayLook(simulation)) return nullptr;
    Owned list(PyList_New(0));
    if (!list) return nullptr;
    Listing listing{list.get(), false};
    if (simulation.table->list(simulation.run, addName, &listing) != SME_OK)
        return raiseStatus(simulation);
    return listing.failed ? nullptr : list.release();
}

PyObject* find(PyObject* self, PyObject* path) {
    Simulation& simulation = simulationOf(self);
    if (!mayLook(simulation)) return nullptr;
    const char* text = PyUnicode_AsUTF8(path);
    std::uint32_t handle = 0;
    if (!text) return nullptr;
    if (simulation.table->find(simulation.run, text, &handle) == SME_OK)
        return PyLong_FromUnsignedLong(handle);
    raise("UnknownNameError", simulation.table->message(simulation.run),
          simulation.table->cycle(simulation.run));
    return nullptr;
}

PyObject* describe(PyObject* self, PyObject* number) {
    Simulation& simulation = simulationOf(self);
    if (!mayLook(simulation)) return nullptr;
    const auto handle = static_cast<std::uint32_t>(PyLong_AsUnsignedLong(number));
    if (PyErr_Occurred()) return nullptr;
    sme_value value{};
    if (simulation.table->describe(simulation.run, handle, &value, sizeof value) != SME_OK)
        return raiseStatus(simulation);
    return Py_BuildValue("(iIIKsI)", static_cast<int>(value.kind), value.width, value.count,
                         static_cast<unsigned long long>(value.bytes), value.type, value.flags);
}

/// (name, value) of a member of an enum or a struct; None: there are no more.
PyObject* member(PyObject* self, PyObject* arguments) {
    Simulation& simulation = simulationOf(self);
    unsigned handle = 0, index = 0;
    unsigned long long bytes = 0;
    if (!mayLook(simulation) || !PyArg_ParseTuple(arguments, "IIK", &handle, &index, &bytes))
        return nullptr;
    const char* name = nullptr;
    std::vector<char> value(bytes);
    const sme_status status = simulation.table->member(
        simulation.run, handle, index, &name, value.empty() ? nullptr : value.data(), bytes);
    if (status == SME_OK)
        return Py_BuildValue("(sy#)", name, value.data(), static_cast<Py_ssize_t>(bytes));
    if (status != SME_BAD_USE) return raiseStatus(simulation);
    Py_RETURN_NONE;
}

/// Into a file from the next cycle on; without a path that ends.
PyObject* traceTo(PyObject* self, PyObject* arguments) {
    Simulation& simulation = simulationOf(self);
    const char* path = nullptr;
    PyObject* globs = nullptr;
    if (!mayUse(simulation, Use::Run)
        || !PyArg_ParseTuple(arguments, "zO!", &path, &PyTuple_Type, &globs))
        return nullptr;
    std::vector<const char*> filters;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(globs); ++i) {
        filters.push_back(PyUnicode_AsUTF8(PyTuple_GET_ITEM(globs, i)));
        if (!filters.back()) return nullptr;
    }
    const sme_status status = unlocked(simulation, [&] {
        return simulation.table->trace(simulation.run, path, filters.data(), filters.size());
    });
    if (status != SME_OK) return raiseStatus(simulation);
    Py_RETURN_NONE;
}

PyObject* saveInputs(PyObject* self, PyObject* path) {
    Simulation& simulation = simulationOf(self);
    const char* text = PyUnicode_AsUTF8(path);
    if (!text || !mayUse(simulation, Use::Look)) return nullptr;
    const sme_status status =
        unlocked(simulation, [&] { return simulation.table->save_inputs(simulation.run, text); });
    if (status != SME_OK) return raiseStatus(simulation);
    Py_RETURN_NONE;
}

PyObject* refuseCopy(PyObject*, PyObject*) {
    PyErr_SetString(PyExc_TypeError,
                    "a simulation cannot be copied or pickled; save() gives its state as bytes");
    return nullptr;
}

PyMethodDef methods[] = {
    {"__reduce__", refuseCopy, METH_NOARGS, "Refuses."},
    {"close", close, METH_NOARGS,
     "close($self, /)\n--\n\nEnds it, and its trace; whoever uses it afterwards gets a "
     "SimulationError. `with` does so, too."},
    {"checksum", checksum, METH_NOARGS,
     "checksum($self, /)\n--\n\nA hash of the state, 64 bits, as --checksum prints it."},
    {"_names", names, METH_NOARGS, "(path, flags) of every field and variable."},
    {"_find", find, METH_O, "The handle of a path."},
    {"_describe", describe, METH_O, "(kind, width, count, bytes, type, flags) of a handle."},
    {"_member", member, METH_VARARGS, "(name, value) of a member of an enum or a struct."},
    {"_trace", traceTo, METH_VARARGS, "Writes a file from the next cycle on; None ends that."},
    {"_save_inputs", saveInputs, METH_O, "Rows since the last reset."},
    {"step", asMethod(step), METH_FASTCALL | METH_KEYWORDS,
     "step(n=1)\n--\n\nRuns so many cycles, fewer where the design stops; returns how many ran. "
     "FailedError where an assertion or a check fails; Ctrl-C ends it between two cycles. Other "
     "threads of Python run meanwhile."},
    {"_advance", advance, METH_O, "step, for who holds the simulation."},
    {"_run_until", runUntil, METH_VARARGS, "Runs until a cycle, or until a function says so."},
    {"_run_block", runBlock, METH_VARARGS, "Runs with columns of inputs and of records."},
    {"_advance_block", advanceBlock, METH_VARARGS, "_run_block, for who holds the simulation."},
    {"_hold", hold, METH_NOARGS, "Begins a run of several calls."},
    {"_let_go", letGo, METH_NOARGS, "Ends it."},
    {"_snapshot", takeSnapshot, METH_NOARGS, "The state between two cycles."},
    {"_restore", restore, METH_O, "Goes back to a state."},
    {"_save", save, METH_O, "A state as bytes."},
    {"_load", load, METH_O, "A state of bytes."},
    {"_reset", reset, METH_NOARGS, "Cycle 0 and a new log of inputs."},
    {"_go_to", goTo, METH_O, "To any cycle, by states and the log of inputs."},
    {"eval", evaluate, METH_NOARGS,
     "eval($self, /)\n--\n\nMakes what is combinational of the present state and inputs, as a read "
     "does by itself."},
    {nullptr, nullptr, 0, nullptr},
};

PyObject* stepper(PyObject* self, void*) { return sharedOrNone(simulationOf(self).stepper); }
int setStepper(PyObject* self, PyObject* value, void*) {
    const Owned before(simulationOf(self).stepper);
    simulationOf(self).stepper = value && value != Py_None ? shared(value).release() : nullptr;
    return 0;
}

PyObject* sets(PyObject* self, void*) {
    return PyLong_FromUnsignedLongLong(simulationOf(self).sets);
}

PyGetSetDef members[] = {
    {"_sets", sets, nullptr, "How often something was set.", nullptr},
    {"_stepper", stepper, setStepper, "Is called in place of step.", nullptr},
    {"cycle", cycle, nullptr, "The number of the next cycle, which is how many have run.", nullptr},
    {"stop_status", stopStatus, nullptr, "The n of the `stop(n)` that ended the run; 0 before.",
     nullptr},
    {"stopped", isStopped, nullptr, "Whether a process stopped the last step or run.", nullptr},
    {"closed", isClosed, nullptr, "Whether it was closed.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("A simulation, as sme/simulation.h has it.")},
    {Py_tp_new, asSlot(newSimulation)},
    {Py_tp_dealloc, asSlot(freeSimulation)},
    {Py_tp_traverse, asSlot(visitReferences)},
    {Py_tp_clear, asSlot(clearReferences)},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {0, nullptr},
};
PyType_Spec spec = {"smec._core.Simulation", sizeof(Simulation), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};

}  // namespace

PyTypeObject* addSimulationType(PyObject* module) { return simulationType = addType(module, spec); }

}  // namespace smepy
