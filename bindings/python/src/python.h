#pragma once

// What the files of the extension share: references that are given back, and errors.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <sme/simulation.h>

#include <utility>

// In packages the extension is one for all versions of Python from 3.9 on, by what is stable of the interface. It calls for
// functions what is a macro or newer where it is built for one version.
#ifdef Py_LIMITED_API
#define PyBytes_AS_STRING PyBytes_AsString
#define PyList_GET_ITEM PyList_GetItem
#define PyList_GET_SIZE PyList_Size
#define PyList_SET_ITEM PyList_SetItem
#define PyTuple_GET_ITEM PyTuple_GetItem
#define PyTuple_GET_SIZE PyTuple_Size
#define PyTuple_SET_ITEM PyTuple_SetItem
#define PyUnicode_GET_LENGTH PyUnicode_GetLength
#define PyUnicode_AsUTF8(text) PyUnicode_AsUTF8AndSize(text, nullptr)
#define PyObject_CallOneArg(function, argument) \
    PyObject_CallFunctionObjArgs(function, argument, nullptr)
#endif

namespace smepy {

/// A reference that belongs to its owner; null after an error.
class Owned {
public:
    Owned() = default;
    explicit Owned(PyObject* object) : object_(object) {}
    Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Owned() { Py_XDECREF(object_); }
    PyObject* get() const { return object_; }
    PyObject* release() { return std::exchange(object_, nullptr); }
    explicit operator bool() const { return object_ != nullptr; }

private:
    PyObject* object_ = nullptr;
};

inline Owned shared(PyObject* object) {
    Py_XINCREF(object);
    return Owned(object);
}

inline PyObject* sharedOrNone(PyObject* object) {
    PyObject* result = object ? object : Py_None;
    Py_INCREF(result);
    return result;
}

/// A method as tables of methods want it.
template <typename Function>
PyCFunction asMethod(Function function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}
template <typename Function>
void* asSlot(Function function) {
    return reinterpret_cast<void*>(function);
}

/// Makes a type of a specification and puts it into the module.
PyTypeObject* addType(PyObject* module, PyType_Spec& spec);

/// An object of a type that addType made, or of one derived from it; zeros behind its head.
PyObject* newObject(PyTypeObject* type);
/// Py_tp_new of types whose objects others make. Python 3.9 has no flag for that.
PyObject* newByNobody(PyTypeObject* type, PyObject*, PyObject*);
/// Frees an object of a type that addType made.
void freeObject(PyObject* object);

}  // namespace smepy
