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

#ifdef Py_LIMITED_API
PyObject* newObject(PyTypeObject* type) {
    return reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc))(type, 0);
}
#else
PyObject* newObject(PyTypeObject* type) { return type->tp_alloc(type, 0); }
#endif

PyObject* newByNobody(PyTypeObject* type, PyObject*, PyObject*) {
    const Owned name(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__name__"));
    if (name) PyErr_Format(PyExc_TypeError, "cannot create 'smec._core.%U' instances", name.get());
    return nullptr;
}

void freeObject(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
#ifdef Py_LIMITED_API
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
#else
    type->tp_free(object);
#endif
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
