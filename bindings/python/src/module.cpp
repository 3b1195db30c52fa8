#include <pthread.h>

#include "codec.h"
#include "node.h"
#include "running.h"
#include "signal.h"
#include "simulation.h"
#include "snapshot.h"
#include "view.h"

namespace smepy {
namespace {

unsigned forks = 0;  // of the process, which is what it is about

void countFork() { ++forks; }

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "_core",
    "sme/simulation.h for Python.",
    -1,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};

}  // namespace

unsigned forksSoFar() { return forks; }
void watchForks() { pthread_atfork(nullptr, nullptr, countFork); }

PyTypeObject* addType(PyObject* module, PyType_Spec& spec) {
    PyObject* type = PyType_FromSpec(&spec);
    if (!type || PyModule_AddType(module, reinterpret_cast<PyTypeObject*>(type)) != 0)
        return nullptr;
    return reinterpret_cast<PyTypeObject*>(type);
}

void freeObject(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    type->tp_free(object);
    Py_DECREF(type);
}

}  // namespace smepy

PyMODINIT_FUNC PyInit__core() {
    using namespace smepy;
    Owned module(PyModule_Create(&definition));
    if (!module || !addLibraryType(module.get()) || !addCodecType(module.get())
        || !addSimulationType(module.get()) || !addSnapshotType(module.get())
        || !addSignalType(module.get()) || !addNodeType(module.get()) || !addViewType(module.get())
        || PyModule_AddStringConstant(module.get(), "checkout", SMEC_CHECKOUT) != 0)
        return nullptr;
    watchForks();
    return module.release();
}
