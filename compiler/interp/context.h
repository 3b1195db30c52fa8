#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hir/design.h"
#include "interp/value.h"

namespace sme {
struct OutsideWorld;
}

/// What the parts of a run share: the design, its state, and what the processes said in the current
/// cycle.
namespace smec::interp {

/// Thrown where an activation fails, caught where it was started: the rest of the activation is
/// skipped.
struct Failure {
    std::string message;
    SourceRange range;
};
/// Thrown when the run must end within an activation.
struct CutOff {};

struct Settings {
    std::uint64_t seed = 0;
    std::uint64_t loopLimit = 1'000'000'000;
    bool unchecked = false;
    std::optional<std::chrono::steady_clock::time_point> deadline;
    const struct ForeignCode* foreign = nullptr;            ///< where the design names C++
    const class LazyStateForm* states = nullptr;            ///< null: no state becomes bytes
    const volatile std::sig_atomic_t* interrupt = nullptr;  ///< not 0: the run shall end
};

/// Properties of a type that stores need, looked up once.
struct TypeFacts {
    enum class Kind : std::uint8_t { Integer, Ranged, Array, Struct, Other };
    Kind kind = Kind::Other;
    bool isSigned = false;
    std::uint32_t width = 0;
    Value low;  ///< Ranged
    Value high;
};

/// A body with its constants as run-time values.
struct PreparedBody {
    const hir::Body* body = nullptr;
    std::vector<Value> constants;  ///< by ExprId; unused where the expression is none
    std::vector<std::uint32_t>
        portStart;  ///< where a port's buses start among those of an instance
    std::vector<const hir::Stmt*> waits{};  ///< hir/waits.h
};

/// How far execution is within a block. A loop has a frame of its own, which stays while its rounds
/// run.
struct Frame {
    const hir::Block* block = nullptr;
    std::size_t next =
        0;  ///< the statement to run next; at the end of a loop's block comes its next round
    const hir::For* countLoop = nullptr;
    const hir::While* whileLoop = nullptr;
    Value last;  ///< of a For: the final value of its variable
    bool started = false;
    bool down = false;
    SourceRange range;  ///< of the loop
    bool isLoop() const { return countLoop || whileLoop; }
};

/// The cycles in which a `cover` held.
struct CoverCount {
    std::uint64_t cycles = 0;
    std::uint64_t lastCycle = UINT64_MAX;
};

/// A process instance and where it is in its body. No frames: at the top.
struct Process {
    hir::InstanceId id;
    const hir::Instance* instance = nullptr;
    const hir::Specialisation* spec = nullptr;
    const PreparedBody* body = nullptr;
    Value* vars = nullptr;  ///< parallel to Body::vars
    std::vector<Frame> frames;
    std::uint64_t cyclesToWait =
        0;                  ///< until execution goes on, counting the one that arrives there
    hir::ExprId waitUntil;  ///< valid: execution goes on when it holds
    std::uint64_t randomState = 0;
    std::vector<std::uint32_t>
        outputs;                     ///< combinational fields it drives: visible when it has run
    std::vector<CoverCount> covers;  ///< by Cover::index, as far as one has held
};

/// A line of output, kept until the cycle is complete.
struct Message {
    std::uint32_t instance;
    bool isFailure;
    std::string text;
};
struct StopRequest {
    std::uint32_t instance;
    int status;
};

struct Context {
    Context(const hir::Design& design, const SourceManager& sources, const Settings& settings);

    const hir::Design& design;
    const SourceManager& sources;
    Settings settings;
    std::vector<TypeFacts> types;              ///< by TypeId
    std::vector<Value> values;                 ///< Design::values
    std::vector<PreparedBody> bodies;          ///< by SpecId
    std::vector<PreparedBody> functions;       ///< by FunctionId
    std::vector<std::vector<Value>> defaults;  ///< Design::defaultSets

    std::vector<Value> read;  ///< by field
    std::vector<Value> write;
    std::uint64_t cycle = 0;
    sme::OutsideWorld* outside = nullptr;  ///< of calls of C++ that must not be made twice
    std::uint64_t rounds = 0;              ///< of loops in this activation
    std::vector<const hir::Expr*>
        operators;  ///< scratch: operators whose left side is being evaluated

    std::vector<Message> messages;
    std::optional<StopRequest> stop;  ///< the first in output order
    bool failed = false;

    void say(const Process& process, std::string line) {
        messages.push_back({process.id.index, false, std::move(line)});
    }
    void report(const Process& process, const Failure& failure);
    void requestStop(const Process& process, int status);
    /// The time is over, or somebody interrupts.
    bool mustEnd() const;
    Value defaultOf(TypeId type) const { return fromHir(hir::defaultValue(design.types, type)); }
};

}  // namespace smec::interp
