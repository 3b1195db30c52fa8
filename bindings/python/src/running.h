#pragma once

// The methods of a simulation that run cycles.

#include "python.h"

namespace smepy {

PyObject* step(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names);
PyObject* advance(PyObject* self, PyObject* cycles);
PyObject* runUntil(PyObject* self, PyObject* arguments);
PyObject* runBlock(PyObject* self, PyObject* arguments);
PyObject* hold(PyObject* self, PyObject*);
PyObject* letGo(PyObject* self, PyObject*);

}  // namespace smepy
