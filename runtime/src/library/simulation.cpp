// The table of sme/simulation.h over Run. Nothing is thrown at a caller: each function turns Error
// and whatever else comes into a status and a message.

#include <sme/simulation.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/options.h"
#include "engine/state_bytes.h"
#include "run/run.h"
#include "sme/options.h"
#include "trace/checksum.h"
#include "trace/listing.h"
#include "values/names.h"
#include "values/value.h"

namespace sme {

/// A caller's function as a sink.
class CallbackSink final : public TextSink {
public:
    using Function = void (*)(void* user, const char* text, std::size_t length);
    CallbackSink(Function function, void* user) : function_(function), user_(user) {}
    void write(std::string_view text) override {
        if (function_) function_(user_, text.data(), text.size());
    }
    void flush() override {}

private:
    Function function_;
    void* user_;
};

}  // namespace sme

struct sme_simulation {
    sme_simulation(const sme::Model& design, const sme::RunOptions& options, const sme_sinks& sinks)
        : out(sinks.out, sinks.user),
          err(sinks.err, sinks.user),
          model(design),
          names(design),
          run(design, options, {out, err, {}}) {}

    sme::CallbackSink out;
    sme::CallbackSink err;
    const sme::Model& model;
    sme::NameTable names;
    sme::Run run;
    std::vector<sme::Ref> handles;
    std::unordered_map<std::string, std::uint32_t> handleOf;
    std::string message;
};

struct sme_snapshot {
    sme::Snapshot state;
};

namespace sme {
namespace {

sme_status statusForCaller(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Data:
    case ErrorKind::State: return SME_BAD_DATA;
    case ErrorKind::Usage: return SME_BAD_USE;
    case ErrorKind::Files: return SME_BAD_FILE;
    case ErrorKind::Limit: return SME_LIMIT;
    case ErrorKind::Internal: break;
    }
    return SME_INTERNAL;
}

/// Runs `function`; what it throws becomes a status, and told to `tell`.
template <typename Function, typename Tell>
sme_status guarded(const Function& function, const Tell& tell) {
    try {
        function();
        return SME_OK;
    } catch (const Error& error) {
        tell(error.what());
        return statusForCaller(error.kind());
    } catch (const std::bad_alloc&) {
        tell("out of memory");
        return SME_LIMIT;
    } catch (const std::exception& problem) {
        tell(problem.what());
        return SME_INTERNAL;
    }
}

template <typename Function>
sme_status guarded(sme_simulation* simulation, const Function& function) {
    if (!simulation) return SME_BAD_USE;
    return guarded(function, [&](const char* why) {
        try {
            simulation->message = why;
        } catch (const std::bad_alloc&) {
            simulation->message.clear();
        }
    });
}

// ---------------------------------------------------------------- life

/// Whether an option says how to run, and nothing about a program around the run.
bool isOfRun(std::string_view name) {
    const auto* option =
        std::find_if(std::begin(kSimulatorOptions), std::end(kSimulatorOptions),
                     [&](const SimulatorOption& each) { return each.name.substr(2) == name; });
    return option != std::end(kSimulatorOptions)
           && (option->group == OptionGroup::Scheduling || name == "seed" || name == "loop-limit");
}

RunOptions readOptions(const sme_option* options, std::size_t count) {
    std::vector<std::string> arguments;
    for (const sme_option& option : std::span(options, count)) {
        if (!option.name || !isOfRun(option.name))
            wrongUsage(std::string("no option '") + (option.name ? option.name : "")
                       + "' of a run");
        arguments.push_back(std::string("--") + option.name);
        if (option.value) arguments.back().append("=").append(option.value);
    }
    Options parsed;
    std::string error;
    if (!parseOptions(arguments, parsed, error)) wrongUsage(error);
    return parsed;
}

sme_status create(const void* design, const sme_option* options, std::size_t optionCount,
                  const sme_sinks* sinks, sme_simulation** simulation, char* why,
                  std::size_t whySize) {
    return guarded(
        [&] {
            if (!design || !simulation) wrongUsage("no design, or no place for the simulation");
            *simulation = nullptr;
            *simulation =
                new sme_simulation(*static_cast<const Model*>(design),
                                   readOptions(options, optionCount), sinks ? *sinks : sme_sinks{});
        },
        [&](std::string_view text) {
            if (!why || whySize == 0) return;
            const std::size_t length = std::min(text.size(), whySize - 1);
            text.copy(why, length);
            why[length] = 0;
        });
}

void destroy(sme_simulation* simulation) {
    if (simulation) simulation->run.finish();
    delete simulation;
}

const char* message(const sme_simulation* simulation) {
    return simulation ? simulation->message.c_str() : "no simulation";
}

// ---------------------------------------------------------------- values

sme_kind kindOf(Kind kind) {
    switch (kind) {
    case Kind::Bool: return SME_BOOL;
    case Kind::Unsigned: return SME_UNSIGNED;
    case Kind::Signed: return SME_SIGNED;
    case Kind::Enum: return SME_ENUM;
    case Kind::F32: return SME_F32;
    case Kind::F64: return SME_F64;
    case Kind::Array: return SME_ARRAY;
    case Kind::Struct: return SME_STRUCT;
    }
    return SME_STRUCT;
}

sme_value valueOf(const Model& model, const Ref& ref) {
    const Type& type = model.types[ref.type];
    const bool isWhole = !isScalar(type);
    sme_value value{type.name, kindOf(type.kind), 0, 0, type.bytes, 0};
    value.width = isWhole ? 0 : static_cast<std::uint32_t>(totalBits(model, ref.type));
    value.count = isWhole ? type.count : 0;
    if (ref.flags & kExposed) value.flags |= SME_EXPOSED;
    if (ref.flags & kVariable) value.flags |= SME_VARIABLE;
    if (model.planes[ref.plane].isInput) value.flags |= SME_INPUT;
    if (whyNotSettable(model, ref).empty()) value.flags |= SME_SETTABLE;
    return value;
}

sme_status list(sme_simulation* simulation,
                int (*visit)(void* user, const char* path, const sme_value* value), void* user) {
    return guarded(simulation, [&] {
        bool isOver = false;
        simulation->names.forEach([&](const std::string& name, const Ref& ref) {
            if (isOver) return;
            const sme_value value = valueOf(simulation->model, ref);
            isOver = visit(user, name.c_str(), &value) != 0;
        });
    });
}

sme_status find(sme_simulation* simulation, const char* path, std::uint32_t* handle) {
    return guarded(simulation, [&] {
        const auto next = static_cast<std::uint32_t>(simulation->handles.size());
        const auto known = simulation->handleOf.find(path);
        if (known != simulation->handleOf.end()) {
            *handle = known->second;
            return;
        }
        const std::optional<Ref> ref = simulation->names.find(path);
        if (!ref)
            wrongUsage(std::string("no field or variable '") + path + "'"
                       + didYouMean(simulation->names.suggest(path)));
        simulation->handles.push_back(*ref);
        simulation->handleOf.emplace(path, next);
        *handle = next;
    });
}

const Ref& refOfHandle(const sme_simulation& simulation, std::uint32_t handle) {
    if (handle >= simulation.handles.size()) wrongUsage("no such handle");
    return simulation.handles[handle];
}

void checkSize(const Model& model, const Ref& ref, std::size_t bytes) {
    const Type& type = model.types[ref.type];
    if (bytes != type.bytes)
        wrongUsage(std::string("a value of ") + type.name + " has " + std::to_string(type.bytes)
                   + " bytes, not " + std::to_string(bytes));
}

sme_status describeValue(sme_simulation* simulation, std::uint32_t handle, sme_value* value) {
    return guarded(simulation,
                   [&] { *value = valueOf(simulation->model, refOfHandle(*simulation, handle)); });
}

sme_status get(sme_simulation* simulation, std::uint32_t handle, void* value, std::size_t bytes) {
    return guarded(simulation, [&] {
        const Ref& ref = refOfHandle(*simulation, handle);
        checkSize(simulation->model, ref, bytes);
        const Engine& engine = simulation->run.engine();
        if (isInOnePiece(simulation->model, ref)) {
            std::memcpy(value, engine.final(ref.plane, ref.element) + ref.offset, bytes);
        } else {
            std::memcpy(value, finalValue(engine, ref).data(), bytes);
        }
    });
}

sme_status set(sme_simulation* simulation, std::uint32_t handle, const void* value,
               std::size_t bytes) {
    return guarded(simulation, [&] {
        const Ref& ref = refOfHandle(*simulation, handle);
        checkSize(simulation->model, ref, bytes);
        simulation->run.set(ref, static_cast<const std::byte*>(value));
    });
}

// ---------------------------------------------------------------- cycles

template <typename Enum>
constexpr std::uint32_t bits(Enum flag) {
    return static_cast<std::uint32_t>(flag);
}
static_assert(bits(SME_STOPPED) == bits(kStopped) && bits(SME_FAILED) == bits(kFailed)
              && bits(SME_NO_OUTPUT) == bits(kNoOutput) && bits(SME_NO_MEMORY) == bits(kNoMemory));

sme_status step(sme_simulation* simulation, std::uint64_t cycles, std::uint32_t* ended) {
    return guarded(simulation, [&] {
        const std::uint64_t from = simulation->run.cycle();
        const std::uint64_t until = from + std::min(cycles, ~std::uint64_t{0} - from);
        const std::uint32_t flags = simulation->run.advance(until);
        if (ended) *ended = flags;
    });
}

std::uint64_t cycle(const sme_simulation* simulation) { return simulation->run.cycle(); }

std::uint32_t stopStatus(const sme_simulation* simulation) { return simulation->run.stopStatus(); }

std::uint64_t checksumOf(sme_simulation* simulation) { return checksum(simulation->run.engine()); }

// ---------------------------------------------------------------- states and traces

sme_status snapshot(sme_simulation* simulation, sme_snapshot** result) {
    return guarded(simulation, [&] { *result = new sme_snapshot{simulation->run.snapshot()}; });
}

sme_status restore(sme_simulation* simulation, const sme_snapshot* from) {
    return guarded(simulation, [&] { simulation->run.restore(from->state); });
}

void forget(sme_snapshot* state) { delete state; }

sme_status save(sme_simulation* simulation, const sme_snapshot* from, void* bytes,
                std::size_t* size) {
    return guarded(simulation, [&] {
        const std::vector<std::byte> written = toBytes(simulation->model, from->state);
        const bool fits = bytes && *size >= written.size();
        if (fits) std::memcpy(bytes, written.data(), written.size());
        *size = written.size();
    });
}

sme_status load(sme_simulation* simulation, const void* bytes, std::size_t size,
                sme_snapshot** result) {
    return guarded(simulation, [&] {
        const std::span all(static_cast<const std::byte*>(bytes), size);
        *result = new sme_snapshot{fromBytes(simulation->model, all)};
    });
}

sme_status trace(sme_simulation* simulation, const char* path, const char* const* filters,
                 std::size_t filterCount) {
    return guarded(simulation, [&] {
        throwIfAny(simulation->run.finish());
        if (!path) return;
        TraceSelection selection;
        selection.filters.assign(filters, filters + filterCount);
        TraceColumns columns = selectColumns(simulation->names, selection);
        if (columns.names.empty()) wrongUsage("no field or variable to trace");
        simulation->run.trace({path}, std::move(columns), selection);
    });
}

constexpr sme_simulation_table kTable = {
    SME_SIMULATION_VERSION,
    sizeof(sme_simulation_table),
    create,
    destroy,
    message,
    list,
    find,
    describeValue,
    get,
    set,
    step,
    cycle,
    stopStatus,
    checksumOf,
    snapshot,
    restore,
    forget,
    save,
    load,
    trace,
};

}  // namespace
}  // namespace sme

const sme_simulation_table* sme_compiled_simulations() { return &sme::kTable; }
