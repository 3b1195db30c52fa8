#pragma once

// States, and the methods of a simulation that are about them.

#include "python.h"

namespace smepy {

PyTypeObject* addSnapshotType(PyObject* module);

PyObject* takeSnapshot(PyObject* self, PyObject*);
PyObject* restore(PyObject* self, PyObject* snapshot);
PyObject* save(PyObject* self, PyObject* snapshot);
PyObject* load(PyObject* self, PyObject* bytes);
PyObject* reset(PyObject* self, PyObject*);
PyObject* goTo(PyObject* self, PyObject* cycle);
PyObject* evaluate(PyObject* self, PyObject*);

}  // namespace smepy
