#pragma once

// The methods of a simulation that run cycles.

#include <cstdint>

#include "python.h"

namespace smepy {

/// A cycle or a number of cycles from whatever has an index; false: it is none, and the error is set.
bool takeCount(PyObject* object, std::uint64_t& count);

PyObject* step(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names);
PyObject* advance(PyObject* self, PyObject* cycles);
PyObject* runUntil(PyObject* self, PyObject* arguments);
PyObject* runBlock(PyObject* self, PyObject* arguments);
PyObject* advanceBlock(PyObject* self, PyObject* arguments);
PyObject* hold(PyObject* self, PyObject*);
PyObject* letGo(PyObject* self, PyObject*);

}  // namespace smepy
