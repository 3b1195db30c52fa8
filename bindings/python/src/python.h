#pragma once

// What the files of the extension share: references that are given back, and errors.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <sme/simulation.h>

#include <utility>

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

/// Frees an object of a type that addType made.
void freeObject(PyObject* object);

}  // namespace smepy
