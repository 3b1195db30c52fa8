#include <dlfcn.h>

#include "simulation.h"

namespace smepy {
namespace {

Library& libraryOf(PyObject* object) { return *reinterpret_cast<Library*>(object); }

PyObject* refused(PyObject* path, const char* why) {
    const Owned text(PyUnicode_FromFormat("cannot load '%U': %s", path, why));
    if (text) raise("SimulationError", text.get(), 0, SME_BAD_FILE);
    return nullptr;
}

/// Null with an error set where it is no library of this version. `model`: a path.
const sme_library* designOf(void* handle, PyObject* path, const char* model) {
    const char* why = nullptr;
    char text[1000];
    const sme_library* design = nullptr;
    if (auto* function =
            reinterpret_cast<sme_library_function*>(dlsym(handle, SME_LIBRARY_FUNCTION))) {
        design = function(SME_SIMULATION_VERSION);
    } else if (auto* open =
                   reinterpret_cast<sme_open_function*>(dlsym(handle, SME_OPEN_FUNCTION))) {
        design = open(handle, model, SME_SIMULATION_VERSION, text, sizeof text);
        if (!design) why = text;
    } else {
        why = "it is none of 'smec compile', with --loadable or --lib";
    }
    if (!why && (!design || design->table->size < sizeof(sme_simulation_table)))
        why = "another version of smec made it; compile it again";
    if (why) refused(path, why);
    return why ? nullptr : design;
}

/// Library(path, model): the model is asked for where the library at `path` has none in it. What gave a
/// design stays loaded as long as the process, for the design does.
PyObject* libraryNew(PyTypeObject* type, PyObject* arguments, PyObject*) {
    PyObject *path = nullptr, *model = nullptr;
    if (!PyArg_ParseTuple(arguments, "UO&", &path, PyUnicode_FSConverter, &model)) return nullptr;
    const Owned holdModel(model);
    const Owned name(PyUnicode_EncodeFSDefault(path));
    if (!name) return nullptr;
    void* handle = dlopen(PyBytes_AS_STRING(name.get()), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return refused(path, dlerror());
    const sme_library* design = designOf(handle, path, PyBytes_AS_STRING(model));
    if (!design) {
        dlclose(handle);
        return nullptr;
    }
    PyObject* object = newObject(type);
    if (!object) return nullptr;
    libraryOf(object).handle = handle;
    libraryOf(object).design = design;
    return object;
}

/// The library stays loaded: threads of its simulations and texts of its design may be in use.
void libraryFree(PyObject* object) { freeObject(object); }

PyObject* design(PyObject* self, void*) {
    return PyUnicode_FromString(libraryOf(self).design->design);
}
PyObject* compiler(PyObject* self, void*) {
    return PyUnicode_FromString(libraryOf(self).design->compiler);
}
PyObject* hash(PyObject* self, void*) {
    return PyLong_FromUnsignedLongLong(libraryOf(self).design->hash);
}

PyGetSetDef members[] = {
    {"design", design, nullptr, "The name of the top network.", nullptr},
    {"compiler", compiler, nullptr, "Name and version of what made it.", nullptr},
    {"hash", hash, nullptr, "Of the design: states go to libraries that have the same.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("A design of `smec compile --loadable` or `--lib`, loaded.")},
    {Py_tp_new, asSlot(libraryNew)},
    {Py_tp_dealloc, asSlot(libraryFree)},
    {Py_tp_getset, members},
    {0, nullptr},
};
PyType_Spec spec = {"smec._core.Library", sizeof(Library), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

}  // namespace

PyTypeObject* addLibraryType(PyObject* module) { return addType(module, spec); }

}  // namespace smepy
