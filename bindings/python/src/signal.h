#pragma once

// A field or variable by its handle.

#include <cstdint>

#include "codec.h"
#include "python.h"

namespace smepy {

struct Signal {
    PyObject_HEAD PyObject* simulation;
    PyObject* codec;
    PyObject* path;
    std::uint32_t handle;
    std::uint32_t flags;  ///< SME_EXPOSED …
};

PyTypeObject* addSignalType(PyObject* module);
bool isSignal(PyObject* object);

PyObject* valueOf(PyObject* signal);
/// As Python's setters: -1 with an error set. Outputs are refused.
int setValue(PyObject* signal, PyObject* value);
/// Sets outputs, too, which keep the value until their process drives them.
int pokeValue(PyObject* signal, PyObject* value);

}  // namespace smepy
