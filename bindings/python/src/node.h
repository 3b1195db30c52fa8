#pragma once

// What stands before a dot: an instance, a bus, an array of them.

#include "python.h"

namespace smepy {

PyTypeObject* addNodeType(PyObject* module);

}  // namespace smepy
