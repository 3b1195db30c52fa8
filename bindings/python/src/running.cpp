#include "running.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "simulation.h"

// Cycles run without the interpreter's lock, in slices: between two of them Python looks whether
// somebody pressed Ctrl-C. A slice grows until it takes kSliceTime.

namespace smepy {
namespace {

constexpr std::chrono::milliseconds kSliceTime{20};
constexpr std::uint64_t kLongestSlice = std::uint64_t{1} << 40;

struct Part {
    sme_status status = SME_OK;
    std::uint32_t ended = 0;
    std::uint64_t cycles = 0;  ///< that ran
};

PyObject* textOfFailure(Simulation& simulation, const char* otherwise) {
    std::string text = std::exchange(*simulation.failed, {});
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    if (text.empty()) text = otherwise;
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}

/// False with an error set where the run cannot be said to be good.
bool isGood(Simulation& simulation, const Part& part) {
    ++simulation.moves;
    simulation.ended = part.ended;
    simulation.reached = std::max(simulation.reached, simulation.table->cycle(simulation.run));
    if (part.status != SME_OK) return raiseStatus(simulation), false;
    if (!deliver(simulation)) return false;
    if ((part.ended & (SME_FAILED | SME_NO_OUTPUT | SME_NO_MEMORY)) == 0) return true;
    const bool isFailure = part.ended & SME_FAILED;
    const Owned text(textOfFailure(simulation, isFailure ? "the run failed"
                                               : part.ended & SME_NO_OUTPUT
                                                   ? "a trace cannot be written"
                                                   : "out of memory"));
    if (text)
        raise(isFailure ? "FailedError" : "SimulationError", text.get(),
              simulation.table->cycle(simulation.run),
              isFailure                    ? SME_BAD_DATA
              : part.ended & SME_NO_OUTPUT ? SME_BAD_FILE
                                           : SME_LIMIT);
    return false;
}

/// Runs up to `cycles` cycles by calls of `run(from, count)`, which returns a Part. The number of
/// those that ran, or nothing with an error set.
template <typename Run>
bool inSlices(Simulation& simulation, std::uint64_t cycles, std::uint64_t& ran, const Run& run) {
    using Clock = std::chrono::steady_clock;
    ran = 0;
    simulation.ended = 0;
    while (ran < cycles) {
        const std::uint64_t count = std::min(cycles - ran, simulation.slice);
        const bool isMeasured = count < cycles;
        const Clock::time_point start = isMeasured ? Clock::now() : Clock::time_point();
        const Part part = unlocked(simulation, [&] { return run(ran, count); });
        ran += part.cycles;
        if (!isGood(simulation, part)) return false;
        if (part.ended != 0) return true;
        if (isMeasured && count == simulation.slice && Clock::now() - start < kSliceTime)
            simulation.slice = std::min(2 * simulation.slice, kLongestSlice);
        if (ran < cycles && PyErr_CheckSignals() != 0) return false;
    }
    return true;
}

Part stepBy(Simulation& simulation, std::uint64_t cycles) {
    Part part;
    const std::uint64_t before = simulation.table->cycle(simulation.run);
    part.status = simulation.table->step(simulation.run, cycles, &part.ended);
    part.cycles = simulation.table->cycle(simulation.run) - before;
    return part;
}

PyObject* stepped(Simulation& simulation, std::uint64_t cycles) {
    std::uint64_t ran = 0;
    const bool isFine = inSlices(simulation, cycles, ran, [&](std::uint64_t, std::uint64_t count) {
        return stepBy(simulation, count);
    });
    return isFine ? PyLong_FromUnsignedLongLong(ran) : nullptr;
}

/// While a run of several calls goes on, in which others of this thread may look.
class Held {
public:
    explicit Held(Simulation& simulation) : simulation_(simulation) {
        simulation.isRunning = true;
        simulation.runner = PyThread_get_thread_ident();
    }
    ~Held() { simulation_.isRunning = false; }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

private:
    Simulation& simulation_;
};

/// 1, 0, or -1 with an error set.
int isAsked(PyObject* self, PyObject* condition) {
    const Owned answer(PyObject_CallOneArg(condition, self));
    return answer ? PyObject_IsTrue(answer.get()) : -1;
}

/// A column of sme/simulation.h with the memory that it lies in.
class Columns {
public:
    Columns() = default;
    ~Columns() {
        for (Py_buffer& buffer : buffers_)
            PyBuffer_Release(&buffer);
    }
    Columns(const Columns&) = delete;
    Columns& operator=(const Columns&) = delete;

    /// Of a tuple of (handle, buffer, stride); each has room for `rows` rows.
    bool take(PyObject* entries, std::uint64_t rows, bool isWritten) {
        buffers_.reserve(static_cast<std::size_t>(PyTuple_GET_SIZE(entries)));
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(entries); ++i) {
            unsigned handle = 0;
            PyObject* memory = nullptr;
            unsigned long long stride = 0;
            if (!PyArg_ParseTuple(PyTuple_GET_ITEM(entries, i), "IOK", &handle, &memory, &stride))
                return false;
            Py_buffer buffer;
            if (PyObject_GetBuffer(memory, &buffer, isWritten ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0)
                return false;
            buffers_.push_back(buffer);
            if (stride != 0 && static_cast<std::uint64_t>(buffer.len) / stride < rows) {
                PyErr_SetString(PyExc_ValueError, "a column has fewer rows than there are cycles");
                return false;
            }
            columns_.push_back({handle, buffer.buf, static_cast<std::size_t>(stride)});
        }
        return true;
    }
    std::vector<sme_column> from(std::uint64_t row) const {
        std::vector<sme_column> result = columns_;
        for (sme_column& column : result)
            column.rows = static_cast<char*>(column.rows) + row * column.stride;
        return result;
    }

private:
    std::vector<Py_buffer> buffers_;
    std::vector<sme_column> columns_;
};

}  // namespace

bool takeCount(PyObject* object, std::uint64_t& count) {
    const Owned number(PyNumber_Index(object));
    if (!number) return false;
    count = PyLong_AsUnsignedLongLong(number.get());
    if (!PyErr_Occurred()) return true;
    if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%R is no number of cycles", object);
    }
    return false;
}

PyObject* step(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Simulation& simulation = simulationOf(self);
    std::uint64_t cycles = 1;
    const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
    const bool isNamed =
        named == 1 && PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, 0), "n") == 0;
    if (count + named > 1 || (named == 1 && !isNamed))
        return PyErr_SetString(PyExc_TypeError, "step takes one number of cycles, n"), nullptr;
    if (!mayUse(simulation, Use::Run) || (count + named == 1 && !takeCount(arguments[0], cycles)))
        return nullptr;
    if (!simulation.stepper) return stepped(simulation, cycles);
    const Owned number(PyLong_FromUnsignedLongLong(cycles));
    return number ? PyObject_CallOneArg(simulation.stepper, number.get()) : nullptr;
}

PyObject* advance(PyObject* self, PyObject* cycles) {
    Simulation& simulation = simulationOf(self);
    std::uint64_t count = 0;
    if (!mayLook(simulation) || !takeCount(cycles, count)) return nullptr;
    return stepped(simulation, count);
}

PyObject* runUntil(PyObject* self, PyObject* arguments) {
    Simulation& simulation = simulationOf(self);
    PyObject *limit = Py_None, *condition = Py_None;
    if (!mayUse(simulation, Use::Run) || !PyArg_ParseTuple(arguments, "OO", &limit, &condition))
        return nullptr;
    std::uint64_t until = ~std::uint64_t{0};
    if (limit != Py_None && !takeCount(limit, until)) return nullptr;
    const Held held(simulation);
    const std::uint64_t first = simulation.table->cycle(simulation.run);
    const std::uint64_t slice = condition == Py_None ? ~std::uint64_t{0} : 1;
    for (std::uint64_t next = first; next < until;) {
        std::uint64_t ran = 0;
        const std::uint64_t wanted = std::min(slice, until - next);
        if (!inSlices(simulation, wanted, ran, [&](std::uint64_t, std::uint64_t count) {
                return stepBy(simulation, count);
            }))
            return nullptr;
        const int answer = condition == Py_None ? 0 : isAsked(self, condition);
        if (answer < 0) return nullptr;
        if (answer > 0) Py_RETURN_TRUE;
        if (simulation.ended != 0) break;
        next += ran;
    }
    return PyBool_FromLong(condition == Py_None
                           && simulation.table->cycle(simulation.run) >= until);
}

namespace {

PyObject* blockRun(Simulation& simulation, PyObject* arguments) {
    PyObject *cycles = nullptr, *inputs = nullptr, *records = nullptr;
    std::uint64_t rows = 0;
    if (!PyArg_ParseTuple(arguments, "OO!O!", &cycles, &PyTuple_Type, &inputs, &PyTuple_Type,
                          &records)
        || !takeCount(cycles, rows))
        return nullptr;
    if (PyTuple_GET_SIZE(inputs) > 0) simulation.reached = 0;  // they may differ from what was
    Columns in, out;
    if (!in.take(inputs, rows, false) || !out.take(records, rows, true)) return nullptr;
    std::uint64_t ran = 0;
    const auto run = [&](std::uint64_t row, std::uint64_t count) {
        const std::vector<sme_column> from = in.from(row), to = out.from(row);
        Part part;
        part.status = simulation.table->run_block(simulation.run, count, from.data(), from.size(),
                                                  to.data(), to.size(), &part.cycles, &part.ended);
        return part;
    };
    return inSlices(simulation, rows, ran, run) ? PyLong_FromUnsignedLongLong(ran) : nullptr;
}

}  // namespace

PyObject* runBlock(PyObject* self, PyObject* arguments) {
    Simulation& simulation = simulationOf(self);
    return mayUse(simulation, Use::Run) ? blockRun(simulation, arguments) : nullptr;
}
PyObject* advanceBlock(PyObject* self, PyObject* arguments) {
    Simulation& simulation = simulationOf(self);
    return mayLook(simulation) ? blockRun(simulation, arguments) : nullptr;
}

PyObject* hold(PyObject* self, PyObject*) {
    Simulation& simulation = simulationOf(self);
    if (!mayUse(simulation, Use::Run)) return nullptr;
    simulation.isRunning = true;
    simulation.runner = PyThread_get_thread_ident();
    Py_RETURN_NONE;
}

PyObject* letGo(PyObject* self, PyObject*) {
    simulationOf(self).isRunning = false;
    Py_RETURN_NONE;
}

}  // namespace smepy
