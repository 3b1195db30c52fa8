#include "node.h"

#include <algorithm>

#include "signal.h"
#include "simulation.h"

namespace smepy {
namespace {

/// `children`: names and indices to a Node, a Signal, or a path that becomes a Signal when somebody
/// asks for it.
struct Node {
    PyObject_HEAD PyObject* simulation;
    PyObject* path;
    PyObject* children;
};

Node& nodeOf(PyObject* object) { return *reinterpret_cast<Node*>(object); }

PyObject* newNode(PyTypeObject* type, PyObject* arguments, PyObject*) {
    PyObject *simulation = nullptr, *path = nullptr, *children = nullptr;
    if (!PyArg_ParseTuple(arguments, "OUO!", &simulation, &path, &PyDict_Type, &children))
        return nullptr;
    PyObject* object = newObject(type);
    if (!object) return nullptr;
    nodeOf(object).simulation = shared(simulation).release();
    nodeOf(object).path = shared(path).release();
    nodeOf(object).children = shared(children).release();
    return object;
}

int visitReferences(PyObject* object, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(nodeOf(object).simulation);
    Py_VISIT(nodeOf(object).children);
    return 0;
}
int clearReferences(PyObject* object) {
    Py_CLEAR(nodeOf(object).children);
    return 0;
}
void freeNode(PyObject* object) {
    PyObject_GC_UnTrack(object);
    Py_CLEAR(nodeOf(object).children);
    Py_CLEAR(nodeOf(object).path);
    Py_CLEAR(nodeOf(object).simulation);
    freeObject(object);
}

/// Borrowed; null without an error: there is none.
PyObject* childOf(Node& node, PyObject* key) {
    PyObject* child = PyDict_GetItemWithError(node.children, key);
    if (!child || !PyUnicode_Check(child)) return child;
    const Owned path = shared(child);
    const Owned signal(PyObject_CallMethod(node.simulation, "signal", "O", path.get()));
    if (!signal || PyDict_SetItem(node.children, key, signal.get()) != 0) return nullptr;
    return signal.get();  // the dictionary has it
}

PyObject* shownChild(PyObject* child) {
    return isSignal(child) ? valueOf(child) : shared(child).release();
}

/// smec._errors knows the names that there are.
PyObject* raiseUnknown(PyObject* self, PyObject* key) {
    const Owned errors(PyImport_ImportModule("smec._errors"));
    if (errors) Owned(PyObject_CallMethod(errors.get(), "raise_unknown", "OO", self, key));
    return nullptr;
}

PyObject* getAttribute(PyObject* self, PyObject* name) {
    if (PyObject* child = childOf(nodeOf(self), name)) return shownChild(child);
    if (PyErr_Occurred()) return nullptr;
    PyObject* own = PyObject_GenericGetAttr(self, name);
    if (own || !PyErr_ExceptionMatches(PyExc_AttributeError)) return own;
    PyErr_Clear();
    return raiseUnknown(self, name);
}

int setChild(PyObject* self, PyObject* key, PyObject* value) {
    PyObject* child = childOf(nodeOf(self), key);
    if (child && isSignal(child)) return setValue(child, value);
    if (child)
        PyErr_Format(PyExc_AttributeError,
                     "'%U' has fields of its own, which can be set one by one", nodeOf(child).path);
    else if (!PyErr_Occurred())
        raiseUnknown(self, key);
    return -1;
}

/// Indices below 0 count from the end, as of lists.
Owned keyOf(Node& node, PyObject* index) {
    const Py_ssize_t number = PyLong_Check(index) ? PyLong_AsSsize_t(index) : 0;
    if (number >= 0 || PyErr_Occurred()) return shared(index);
    Py_ssize_t last = -1, position = 0;
    PyObject* key = nullptr;
    while (PyDict_Next(node.children, &position, &key, nullptr))
        if (PyLong_Check(key)) last = std::max(last, PyLong_AsSsize_t(key));
    return Owned(PyLong_FromSsize_t(last + 1 + number));
}

Py_ssize_t length(PyObject* self) {
    Py_ssize_t count = 0, position = 0;
    PyObject* key = nullptr;
    while (PyDict_Next(nodeOf(self).children, &position, &key, nullptr))
        count += PyLong_Check(key);
    return count;
}
PyObject* itemAt(PyObject* self, Py_ssize_t index) {
    const Owned key(PyLong_FromSsize_t(index));
    PyObject* child = key ? childOf(nodeOf(self), key.get()) : nullptr;
    if (!child && !PyErr_Occurred()) PyErr_SetNone(PyExc_IndexError);
    return child ? shownChild(child) : nullptr;
}
PyObject* slice(PyObject* self, PyObject* of) {
    Py_ssize_t start = 0, stop = 0, step = 0;
    if (PySlice_Unpack(of, &start, &stop, &step) != 0) return nullptr;
    const Py_ssize_t count = PySlice_AdjustIndices(length(self), &start, &stop, step);
    Owned items(PyList_New(count));
    for (Py_ssize_t i = 0; items && i < count; ++i) {
        PyObject* item = itemAt(self, start + i * step);
        if (!item) return nullptr;
        PyList_SET_ITEM(items.get(), i, item);
    }
    return items.release();
}

PyObject* getItem(PyObject* self, PyObject* index) {
    if (PySlice_Check(index)) return slice(self, index);
    const Owned key = keyOf(nodeOf(self), index);
    PyObject* child = key ? childOf(nodeOf(self), key.get()) : nullptr;
    if (child) return shownChild(child);
    return PyErr_Occurred() ? nullptr : raiseUnknown(self, index);
}
int setItem(PyObject* self, PyObject* index, PyObject* value) {
    if (PySlice_Check(index)) {
        PyErr_SetString(PyExc_TypeError, "elements are set one by one");
        return -1;
    }
    const Owned key = keyOf(nodeOf(self), index);
    return key ? setChild(self, key.get(), value) : -1;
}

int isSomething(PyObject*) { return 1; }
PyObject* iterated(PyObject* self) {
    if (length(self) > 0) return PySeqIter_New(self);
    PyErr_Format(PyExc_TypeError, "%R has no elements; dir() lists what it has", self);
    return nullptr;
}

PyObject* listed(PyObject* self, PyObject*) {
    Owned names(PyList_New(0));
    Py_ssize_t position = 0;
    PyObject* key = nullptr;
    while (names && PyDict_Next(nodeOf(self).children, &position, &key, nullptr))
        if (PyUnicode_Check(key) && PyList_Append(names.get(), key) != 0) return nullptr;
    return names.release();
}

PyObject* shown(PyObject* self) {
    PyObject* path = nodeOf(self).path;
    if (PyUnicode_GET_LENGTH(path) == 0) return PyUnicode_FromString("<Node of the design>");
    return PyUnicode_FromFormat("<Node '%U'>", path);
}
PyObject* path(PyObject* self, void*) { return shared(nodeOf(self).path).release(); }
PyObject* children(PyObject* self, void*) { return PyDictProxy_New(nodeOf(self).children); }

PyMethodDef methods[] = {
    {"__dir__", listed, METH_NOARGS, "The names of its children."},
    {nullptr, nullptr, 0, nullptr},
};
PyGetSetDef members[] = {
    {"__path__", path, nullptr, "Its name.", nullptr},
    {"__children__", children, nullptr, "By name and index.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyType_Slot slots[] = {
    {Py_tp_doc,
     const_cast<char*>("An instance, a bus, or an array of them, below `sim.dut`. Attributes and "
                       "elements are what is in it: nodes, and values of fields and variables, "
                       "which can be assigned to as Signal.value. UnknownNameError, with the "
                       "nearest name, for others.")},
    {Py_tp_new, asSlot(newNode)},
    {Py_tp_dealloc, asSlot(freeNode)},
    {Py_tp_traverse, asSlot(visitReferences)},
    {Py_tp_clear, asSlot(clearReferences)},
    {Py_tp_getattro, asSlot(getAttribute)},
    {Py_tp_setattro, asSlot(setChild)},
    {Py_mp_subscript, asSlot(getItem)},
    {Py_mp_ass_subscript, asSlot(setItem)},
    {Py_sq_length, asSlot(length)},
    {Py_sq_item, asSlot(itemAt)},
    {Py_tp_iter, asSlot(iterated)},
    {Py_nb_bool, asSlot(isSomething)},
    {Py_tp_repr, asSlot(shown)},
    {Py_tp_methods, methods},
    {Py_tp_getset, members},
    {0, nullptr},
};
PyType_Spec spec = {"smec._core.Node", sizeof(Node), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                    slots};

}  // namespace

PyTypeObject* addNodeType(PyObject* module) { return addType(module, spec); }

}  // namespace smepy
