#include "signal.h"

#include <vector>

#include "simulation.h"
#include "view.h"

namespace smepy {
namespace {

PyTypeObject* signalType = nullptr;

constexpr std::size_t kShortBytes = 64;

Signal& signalOf(PyObject* object) { return *reinterpret_cast<Signal*>(object); }
const Codec& typeOf(const Signal& signal) { return *reinterpret_cast<Codec*>(signal.codec); }

/// Room for a value, on the stack where it is short.
class Room {
public:
    explicit Room(std::uint64_t bytes) {
        if (bytes > kShortBytes) long_.resize(bytes);
    }
    std::byte* data() { return long_.empty() ? short_ : long_.data(); }

private:
    std::byte short_[kShortBytes];
    std::vector<std::byte> long_;
};

PyObject* newSignal(PyTypeObject* type, PyObject* arguments, PyObject*) {
    PyObject *simulation = nullptr, *codec = nullptr, *path = nullptr;
    unsigned handle = 0, flags = 0;
    if (!PyArg_ParseTuple(arguments, "OUIOI", &simulation, &path, &handle, &codec, &flags))
        return nullptr;
    if (!isSimulation(simulation) || !isCodec(codec))
        return PyErr_SetString(PyExc_TypeError, "a simulation and a type"), nullptr;
    PyObject* object = newObject(type);
    if (!object) return nullptr;
    Signal& signal = signalOf(object);
    signal.simulation = shared(simulation).release();
    signal.codec = shared(codec).release();
    signal.path = shared(path).release();
    signal.handle = handle;
    signal.flags = flags;
    return object;
}

int visitReferences(PyObject* object, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(signalOf(object).simulation);
    return 0;
}
void freeSignal(PyObject* object) {
    PyObject_GC_UnTrack(object);
    Signal& signal = signalOf(object);
    Py_CLEAR(signal.simulation);
    Py_CLEAR(signal.codec);
    Py_CLEAR(signal.path);
    freeObject(object);
}

/// A field of an exposed bus that a process drives.
bool isOutput(const Signal& signal) {
    return (signal.flags & SME_EXPOSED) != 0 && (signal.flags & SME_INPUT) == 0;
}
/// smec._errors knows who drives it and which inputs there are.
int refuseOutput(PyObject* self) {
    const Owned errors(PyImport_ImportModule("smec._errors"));
    if (errors)
        Owned(PyObject_CallMethod(errors.get(), "raise_output", "OO", signalOf(self).simulation,
                                  self));
    return -1;
}

PyObject* getValue(PyObject* self, void*) { return valueOf(self); }
int putValue(PyObject* self, PyObject* value, void*) { return setValue(self, value); }
PyObject* path(PyObject* self, void*) { return shared(signalOf(self).path).release(); }
PyObject* type(PyObject* self, void*) { return shared(typeOf(signalOf(self)).name).release(); }
PyObject* codec(PyObject* self, void*) { return shared(signalOf(self).codec).release(); }
PyObject* handle(PyObject* self, void*) { return PyLong_FromUnsignedLong(signalOf(self).handle); }
PyObject* hasFlag(PyObject* self, void* flag) {
    return PyBool_FromLong(signalOf(self).flags
                           & static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(flag)));
}
PyObject* isAnOutput(PyObject* self, void*) { return PyBool_FromLong(isOutput(signalOf(self))); }
PyObject* driver(PyObject* self, void*) {
    const Signal& signal = signalOf(self);
    const Simulation& simulation = simulationOf(signal.simulation);
    const char* instance = nullptr;
    if (!mayLook(simulation)) return nullptr;
    if (simulation.table->driver(simulation.run, signal.handle, &instance) != SME_OK)
        return raiseStatus(simulation);
    return PyUnicode_FromString(instance);
}
PyObject* declared(PyObject* self, void*) {
    const Signal& signal = signalOf(self);
    const Simulation& simulation = simulationOf(signal.simulation);
    sme_value value{};
    if (!mayLook(simulation)) return nullptr;
    if (simulation.table->describe(simulation.run, signal.handle, &value, sizeof value) != SME_OK)
        return raiseStatus(simulation);
    if (!value.file) return PyUnicode_FromString("");
    return PyUnicode_FromFormat("%s:%u:%u", value.file, value.line, value.column);
}
void* flag(std::uintptr_t bit) { return reinterpret_cast<void*>(bit); }

PyObject* shown(PyObject* self) {
    const Signal& signal = signalOf(self);
    return PyUnicode_FromFormat("<Signal '%U': %U>", signal.path, typeOf(signal).name);
}

PyObject* poke(PyObject* self, PyObject* value) {
    if (pokeValue(self, value) != 0) return nullptr;
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"poke", poke, METH_O,
     "poke($self, value, /)\n--\n\n"
     "Sets what `value` sets, and an output, too: it has the value in the next cycle, at whose end "
     "its process drives it. SimulationError where it is combinational."},
    {nullptr, nullptr, 0, nullptr},
};
PyGetSetDef members[] = {
    {"value", getValue, putValue,
     "What the next cycle reads: an int, bool, float, member of an IntEnum, named tuple of a "
     "struct, or View of an array. Where it can be set and is no output it may be assigned to: an "
     "input keeps the value, a variable has it in the next cycle. BadValueError for what its type "
     "does not have, OutputError for an output.",
     nullptr},
    {"path", path, nullptr, "Its path in the design.", nullptr},
    {"type", type, nullptr, "Its type, as in the language.", nullptr},
    {"exposed", hasFlag, nullptr, "Whether it is a field of an exposed bus.", flag(SME_EXPOSED)},
    {"variable", hasFlag, nullptr, "Whether it is a variable.", flag(SME_VARIABLE)},
    {"input", hasFlag, nullptr, "Whether it is written from outside only.", flag(SME_INPUT)},
    {"output", isAnOutput, nullptr, "Whether it is exposed and a process drives it.", nullptr},
    {"driver", driver, nullptr, "The instance that drives it or has it; '' of inputs.", nullptr},
    {"declared", declared, nullptr, "Where its bus or it is declared: 'FILE:LINE:COLUMN'.",
     nullptr},
    {"settable", hasFlag, nullptr, "Whether it can be set, by an assignment or by poke.",
     flag(SME_SETTABLE)},
    {"_codec", codec, nullptr, "How its values look.", nullptr},
    {"_handle", handle, nullptr, "As sme/simulation.h has it.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyType_Slot slots[] = {
    {Py_tp_doc,
     const_cast<char*>(
         "A field, a variable, or a part of one, of a simulation, which it keeps alive. Made by "
         "`sim.signal(path)`.")},
    {Py_tp_new, asSlot(newSignal)},
    {Py_tp_dealloc, asSlot(freeSignal)},
    {Py_tp_traverse, asSlot(visitReferences)},
    {Py_tp_repr, asSlot(shown)},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {0, nullptr},
};
PyType_Spec spec = {"smec._core.Signal", sizeof(Signal), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                    slots};

}  // namespace

PyTypeObject* addSignalType(PyObject* module) { return signalType = addType(module, spec); }
bool isSignal(PyObject* object) { return Py_TYPE(object) == signalType; }

PyObject* valueOf(PyObject* object) {
    const Signal& signal = signalOf(object);
    Simulation& simulation = simulationOf(signal.simulation);
    if (!mayLook(simulation)) return nullptr;
    const Codec& type = typeOf(signal);
    const bool isMade = (signal.flags & (SME_SETTABLE | SME_VARIABLE)) == 0;
    if (type.kind == SME_ARRAY) return viewOf(simulation, type, signal.handle, isMade);
    Room room(type.bytes);
    if (simulation.table->get(simulation.run, signal.handle, room.data(), type.bytes) != SME_OK)
        return raiseStatus(simulation);
    return decode(type, room.data());
}

int setValue(PyObject* object, PyObject* value) {
    const Signal& signal = signalOf(object);
    const bool isRefused = isOutput(signal) && (signal.flags & SME_SETTABLE) != 0;
    return isRefused && mayLook(simulationOf(signal.simulation)) ? refuseOutput(object)
                                                                 : pokeValue(object, value);
}

int pokeValue(PyObject* object, PyObject* value) {
    const Signal& signal = signalOf(object);
    Simulation& simulation = simulationOf(signal.simulation);
    if (!mayLook(simulation)) return -1;
    if (!value) return PyErr_SetString(PyExc_TypeError, "a signal cannot be deleted"), -1;
    const Codec& type = typeOf(signal);
    Room room(type.bytes);
    if ((signal.flags & SME_SETTABLE) != 0 && !encode(type, value, room.data()))
        return raiseAbout(simulation, signal.path), -1;
    ++simulation.sets;
    // what cannot be set the table says better than we could
    if (simulation.table->set(simulation.run, signal.handle, room.data(), type.bytes) == SME_OK) {
        simulation.reached = simulation.table->cycle(simulation.run);
        return 0;
    }
    raiseStatus(simulation);
    return -1;
}

}  // namespace smepy
