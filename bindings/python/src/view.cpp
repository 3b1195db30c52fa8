#include "view.h"

#include <vector>

namespace smepy {
namespace {

constexpr int kMostDimensions = 16;

struct View {
    PyObject_HEAD PyObject* simulation;
    PyObject* codec;  ///< of the array
    PyObject* copy;   ///< bytes; null: of the simulation's memory
    const std::byte* data;
    std::uint64_t age;  ///< of the simulation when it was made: ageOf()
    bool isMade;        ///< of other values: what is combinational
    int dimensions;     ///< down to elements that the buffer protocol knows; 0: it knows none
    Py_ssize_t shape[kMostDimensions];
    Py_ssize_t strides[kMostDimensions];
};

PyTypeObject* viewType = nullptr;

View& view(PyObject* object) { return *reinterpret_cast<View*>(object); }
const Codec& arrayOf(const View& view) { return *reinterpret_cast<Codec*>(view.codec); }

/// Another number whenever the memory of the view may hold something else.
std::uint64_t ageOf(PyObject* simulation, bool isMade) {
    const Simulation& of = simulationOf(simulation);
    return of.moves + (isMade ? of.sets : 0);
}

/// The element that the buffer protocol shows; null: it cannot show it.
const Codec* takeShape(const Codec& array, View& view) {
    const Codec* type = &array;
    view.dimensions = 0;
    for (; type->kind == SME_ARRAY && view.dimensions < kMostDimensions; ++view.dimensions) {
        view.shape[view.dimensions] = static_cast<Py_ssize_t>(type->count);
        type = &partOf(*type, 0);
        view.strides[view.dimensions] = static_cast<Py_ssize_t>(type->bytes);
    }
    if (!letterOf(*type)) view.dimensions = 0;
    return view.dimensions ? type : nullptr;
}

struct Age {
    std::uint64_t number;
    bool isMade;
};

PyObject* made(PyObject* simulation, const Codec& type, PyObject* copy, const std::byte* data,
               Age age) {
    PyObject* object = newObject(viewType);
    if (!object) return nullptr;
    View& result = view(object);
    result.simulation = shared(simulation).release();
    result.codec = shared(reinterpret_cast<PyObject*>(const_cast<Codec*>(&type))).release();
    result.copy = shared(copy).release();
    result.data = data;
    result.age = age.number;
    result.isMade = age.isMade;
    takeShape(type, result);
    return object;
}

bool isStale(const View& view) {
    return !view.copy && view.age != ageOf(view.simulation, view.isMade);
}
bool isValid(const View& view) {
    if (!isStale(view)) return true;
    raise("StaleViewError", "the simulation went on since this view was taken; take another one", 0,
          SME_BAD_USE);
    return false;
}

int visitReferences(PyObject* object, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(view(object).simulation);
    return 0;
}
void freeView(PyObject* object) {
    PyObject_GC_UnTrack(object);
    Py_CLEAR(view(object).simulation);
    Py_CLEAR(view(object).codec);
    Py_CLEAR(view(object).copy);
    freeObject(object);
}

Py_ssize_t length(PyObject* self) { return static_cast<Py_ssize_t>(arrayOf(view(self)).count); }

PyObject* itemAt(PyObject* self, Py_ssize_t index) {
    View& of = view(self);
    const Codec& element = partOf(arrayOf(of), 0);
    if (!isValid(of)) return nullptr;
    if (index < 0 || index >= length(self)) {
        PyErr_Format(PyExc_IndexError, "index %zd of an array of %zd", index, length(self));
        return nullptr;
    }
    const std::byte* data = of.data + static_cast<std::uint64_t>(index) * element.bytes;
    if (element.kind == SME_ARRAY)
        return made(of.simulation, element, of.copy, data, {of.age, of.isMade});
    return decode(element, data);
}

PyObject* asList(PyObject* self, PyObject*) {
    if (!isValid(view(self))) return nullptr;
    return decode(arrayOf(view(self)), view(self).data);
}

PyObject* getItem(PyObject* self, PyObject* index) {
    if (PySlice_Check(index)) {
        const Owned list(asList(self, nullptr));
        return list ? PyObject_GetItem(list.get(), index) : nullptr;
    }
    const Py_ssize_t number = PyNumber_AsSsize_t(index, PyExc_IndexError);
    if (PyErr_Occurred()) return nullptr;
    return itemAt(self, number < 0 ? number + length(self) : number);
}
int setItem(PyObject*, PyObject*, PyObject*) {
    PyErr_SetString(PyExc_TypeError, "arrays are shown and cannot be changed; set the whole array, "
                                     "or an element by its path: sim['bus.field[0]'] = 1");
    return -1;
}

PyObject* compared(PyObject* self, PyObject* other, int operation) {
    const Owned mine(asList(self, nullptr));
    if (!mine) return nullptr;
    const Owned theirs(Py_TYPE(other) == viewType ? asList(other, nullptr)
                                                  : PySequence_List(other));
    if (theirs) return PyObject_RichCompare(mine.get(), theirs.get(), operation);
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return nullptr;
    PyErr_Clear();
    Py_RETURN_NOTIMPLEMENTED;
}

PyObject* shown(PyObject* self) {
    const View& of = view(self);
    if (isStale(of)) return PyUnicode_FromFormat("<stale view of %U>", arrayOf(of).name);
    const Owned list(asList(self, nullptr));
    return list ? PyUnicode_FromFormat("%R", list.get()) : nullptr;
}

PyObject* isCopy(PyObject* self, void*) { return PyBool_FromLong(view(self).copy != nullptr); }
PyObject* type(PyObject* self, void*) { return shared(arrayOf(view(self)).name).release(); }

int getBuffer(PyObject* self, Py_buffer* buffer, int flags) {
    View& of = view(self);
    buffer->obj = nullptr;
    if (!isValid(of)) return -1;
    const char* why = flags & PyBUF_WRITABLE ? "arrays are shown and cannot be changed"
                      : of.dimensions == 0   ? "elements of this type have no format; use tolist()"
                                             : nullptr;
    if (why) return PyErr_SetString(PyExc_BufferError, why), -1;
    const Codec* element = &arrayOf(of);
    while (element->kind == SME_ARRAY)
        element = &partOf(*element, 0);
    *buffer = {};
    buffer->obj = shared(self).release();
    buffer->buf = const_cast<std::byte*>(of.data);
    buffer->len = static_cast<Py_ssize_t>(arrayOf(of).bytes);
    buffer->itemsize = static_cast<Py_ssize_t>(element->bytes);
    buffer->readonly = 1;
    buffer->ndim = of.dimensions;
    buffer->format = flags & PyBUF_FORMAT ? const_cast<char*>(letterOf(*element)) : nullptr;
    buffer->shape = flags & PyBUF_ND ? of.shape : nullptr;
    buffer->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? of.strides : nullptr;
    ++simulationOf(of.simulation).views;
    return 0;
}
void releaseBuffer(PyObject* self, Py_buffer*) {
    Simulation& simulation = simulationOf(view(self).simulation);
    --simulation.views;
    if (simulation.isClosed) closeSimulation(simulation);
}

/// A copy outlives the cycle, and so is a list.
PyObject* reduced(PyObject* self, PyObject*) {
    const Owned list(asList(self, nullptr));
    return list ? Py_BuildValue("O(O)", &PyList_Type, list.get()) : nullptr;
}

PyMethodDef methods[] = {
    {"__reduce__", reduced, METH_NOARGS, "Copies of it are lists."},
    {"tolist", asList, METH_NOARGS,
     "tolist($self, /)\n--\n\nA list of its elements, inner arrays as lists, too; it stays as it "
     "is."},
    {nullptr, nullptr, 0, nullptr},
};
PyGetSetDef members[] = {
    {"is_copy", isCopy, nullptr, "Whether it stays as it is when the simulation goes on.", nullptr},
    {"type", type, nullptr, "Its type, as in the language.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyType_Slot slots[] = {
    {Py_tp_doc,
     const_cast<char*>(
         "An array, to be read until the simulation goes on; then StaleViewError is raised. It has "
         "a length, elements, an iterator, and is a buffer, without a copy where is_copy is false: "
         "`numpy.asarray(view)`.")},
    {Py_tp_new, asSlot(newByNobody)},
    {Py_tp_dealloc, asSlot(freeView)},
    {Py_tp_traverse, asSlot(visitReferences)},
    {Py_tp_hash, asSlot(PyObject_HashNotImplemented)},
    {Py_tp_richcompare, asSlot(compared)},
    {Py_tp_repr, asSlot(shown)},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {Py_sq_length, asSlot(length)},
    {Py_sq_item, asSlot(itemAt)},
    {Py_mp_length, asSlot(length)},
    {Py_mp_subscript, asSlot(getItem)},
    {Py_mp_ass_subscript, asSlot(setItem)},
    {Py_bf_getbuffer, asSlot(getBuffer)},
    {Py_bf_releasebuffer, asSlot(releaseBuffer)},
    {0, nullptr},
};
PyType_Spec spec = {"smec._core.View", sizeof(View), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                    slots};

}  // namespace

PyTypeObject* addViewType(PyObject* module) { return viewType = addType(module, spec); }

PyObject* viewOf(Simulation& simulation, const Codec& type, std::uint32_t handle, bool isMade) {
    PyObject* owner = reinterpret_cast<PyObject*>(&simulation);
    const Age age{ageOf(owner, isMade), isMade};
    sme_plane plane{};
    const sme_status status = simulation.table->plane(simulation.run, handle, &plane, sizeof plane);
    if (status == SME_OK && plane.count * plane.stride == type.bytes)
        return made(owner, type, nullptr, static_cast<const std::byte*>(plane.first), age);
    Owned copy(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(type.bytes)));
    if (!copy) return nullptr;
    char* bytes = PyBytes_AS_STRING(copy.get());
    if (simulation.table->get(simulation.run, handle, bytes, type.bytes) != SME_OK)
        return raiseStatus(simulation);
    return made(owner, type, copy.get(), reinterpret_cast<const std::byte*>(bytes), age);
}

}  // namespace smepy
