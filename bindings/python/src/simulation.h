#pragma once

// One simulation, and who may do what with it when.

#include <cstdint>
#include <string>

#include "python.h"

namespace smepy {

/// A library that is loaded, for as long as something of it is in use.
struct Library {
    PyObject_HEAD void* handle;  ///< of dlopen
    const sme_library* design;
};

struct Simulation {
    PyObject_HEAD PyObject* library;
    const sme_simulation_table* table;
    sme_simulation* run;   ///< null: closed
    PyObject* write;       ///< is called with what processes print; null: nobody
    PyObject* stepper;     ///< is called in place of step; null: nobody
    std::string* printed;  ///< of the call that is going on
    std::string* failed;
    std::uint32_t ended;    ///< why the last run came back before its end
    std::uint64_t moves;    ///< changes whenever views become stale
    std::uint64_t sets;     ///< values that were set
    std::uint64_t slice;    ///< cycles between two looks at signals
    std::uint64_t views;    ///< buffers of it that somebody holds
    unsigned long runner;   ///< the thread in whose run it is
    unsigned forks;         ///< of the process when it was made
    bool isCalled;          ///< a call without the interpreter's lock is going on
    std::uint64_t reached;  ///< the next cycle, or a later one that it was with what is set now
    bool isRunning;         ///< a run of several calls is going on
    bool isClosed;
};

PyTypeObject* addLibraryType(PyObject* module);
PyTypeObject* addSimulationType(PyObject* module);
bool isSimulation(PyObject* object);

inline Simulation& simulationOf(PyObject* object) { return *reinterpret_cast<Simulation*>(object); }

enum class Use {
    Look,  ///< between two cycles, also by who is asked there
    Run
};
/// False with an error set where it is closed, in use by another thread, of another process, or,
/// for Use::Run, within its own run.
bool mayUse(const Simulation& simulation, Use use);
inline bool mayLook(const Simulation& simulation) { return mayUse(simulation, Use::Look); }

/// Sets the error of a call that did not return SME_OK; null.
PyObject* raiseStatus(const Simulation& simulation);
/// Turns the ValueError or TypeError that is set into a smec.BadValueError of what was to be set.
void raiseAbout(const Simulation& simulation, PyObject* path);

/// Sets smec.SimulationError or the kind of it that has this name.
void raise(const char* kind, PyObject* message, std::uint64_t cycle, int status);
void raise(const char* kind, const char* message, std::uint64_t cycle = 0,
           int status = SME_BAD_USE);

/// Destroys it as soon as no buffer of it is held.
void closeSimulation(Simulation& simulation);

/// A call of the table without the interpreter's lock. Gives what was printed to who wants it.
template <typename Function>
auto unlocked(Simulation& simulation, const Function& function) {
    simulation.isCalled = true;
    PyThreadState* state = PyEval_SaveThread();
    const auto result = function();
    PyEval_RestoreThread(state);
    simulation.isCalled = false;
    return result;
}

/// False with an error set where what takes the text raises.
bool deliver(Simulation& simulation);

/// Of the process, since the module was loaded.
unsigned forksSoFar();
void watchForks();

}  // namespace smepy
