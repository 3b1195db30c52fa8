// The table of sme/simulation.h over Run.

#include <sme/library.h>
#include <sme/simulation_table.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "cli/host.h"
#include "cli/options.h"
#include "cli/processor.h"
#include "engine/history.h"
#include "engine/state_bytes.h"
#include "output/output_file.h"
#include "run/run.h"
#include "trace/checksum.h"
#include "values/format.h"
#include "values/instances.h"
#include "values/names.h"
#include "values/value.h"
#include "values/words.h"

namespace sme {
namespace {

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

RunOptions optionsOf(std::span<const sme_option> options) {
    Options parsed;
    std::string error;
    if (!parseOptions(wordsOf(options, nearestOption), parsed, error)) wrongUsage(error);
    return parsed;
}

/// Before anything of the design runs. Throws.
const Model& runnable(const void* design) {
    const Model& model = *static_cast<const Model*>(design);
    const MissingFeature missing = missingFeature(model.processor);
    if (missing.length == 0) return model;
    throw Error(ErrorKind::Files,
                kMissingStart + std::string(missing.name, missing.length) + kMissingEnd);
}

template <typename Enum>
constexpr std::uint32_t bits(Enum flag) {
    return static_cast<std::uint32_t>(flag);
}
static_assert(bits(SME_STOPPED) == bits(kStopped) && bits(SME_FAILED) == bits(kFailed)
              && bits(SME_NO_OUTPUT) == bits(kNoOutput) && bits(SME_NO_MEMORY) == bits(kNoMemory));

class CompiledSimulation {
public:
    using Place = Ref;
    using State = Snapshot;
    using History = sme::History;

    CompiledSimulation(const void* design, std::span<const sme_option> options,
                       const sme_sinks& sinks)
        : out_(sinks.out, sinks.user),
          err_(sinks.err, sinks.user),
          model_(runnable(design)),
          names_(model_),
          run_(model_, optionsOf(options), {out_, err_, {}}) {}

    static sme_status caught(std::string& text) {
        try {
            throw;
        } catch (const Error& error) {
            text = error.what();
            return statusForCaller(error.kind());
        } catch (const std::exception& problem) {
            text = problem.what();
            return SME_INTERNAL;
        }
    }

    template <typename Visit>
    void forEach(const Visit& visit) const {
        bool isOver = false;
        names_.forEach([&](const std::string& name, const Ref& ref) {
            if (!isOver) isOver = !visit(name, ref);
        });
    }
    std::optional<Ref> find(const std::string& path) const { return names_.find(path); }
    std::string whyNone(const std::string& path) const {
        return "no field or variable '" + path + "'" + names_.hint(path);
    }

    sme_value describe(const Ref& ref) const {
        const Type& type = model_.types[ref.type];
        const bool isWhole = !isScalar(type);
        const Location& place = ref.run->location;
        sme_value value{type.name, kindOf(type.kind), 0,          0,           type.bytes,
                        0,         place.file,        place.line, place.column};
        value.width = isWhole ? 0 : static_cast<std::uint32_t>(totalBits(model_, ref.type));
        value.count = isWhole ? type.count : 0;
        if (ref.flags & kExposed) value.flags |= SME_EXPOSED;
        if (ref.flags & kVariable) value.flags |= SME_VARIABLE;
        if (model_.planes[ref.plane].home == Home::Given) value.flags |= SME_INPUT;
        if (isSettable(model_, ref)) value.flags |= SME_SETTABLE;
        if (scalarOf(ref)) value.flags |= SME_PLANE;
        return value;
    }
    std::string driver(const Ref& ref) const { return writerOf(model_, ref.plane, ref.element); }
    std::string whyNotSettable(const Ref& ref) const { return sme::whyNotSettable(model_, ref); }

    std::optional<NamedMember> member(const Ref& ref, std::uint32_t index) const {
        const Type& type = model_.types[ref.type];
        if (type.kind == Kind::Struct && index < type.count)
            return NamedMember{type.fields[index].name, {}, false};
        if (type.kind != Kind::Enum || index >= type.count) return std::nullopt;
        const EnumMember& found = type.members[index];
        NamedMember result{found.name, std::vector<std::byte>(type.bytes), false};
        std::memcpy(result.value.data(), found.limbs ? found.limbs : &found.value, type.bytes);
        result.isNegative = type.low < 0 && (result.value.back() & std::byte{0x80}) != std::byte{0};
        return result;
    }

    void get(const Ref& ref, std::byte* value) { run_.value(ref, value); }
    void set(const Ref& ref, const std::byte* value) { run_.set(ref, value); }

    std::uint32_t advance(std::uint64_t until) { return run_.advance(until); }
    std::uint64_t cycle() const { return run_.cycle(); }
    std::uint32_t stopStatus() const { return run_.stopStatus(); }
    std::uint64_t checksum() const { return sme::checksum(run_.engine()); }

    Snapshot snapshot() const { return run_.snapshot(); }
    void restore(const Snapshot& state) { run_.restore(state); }
    std::vector<std::byte> save(const Snapshot& state) const { return toBytes(model_, state); }
    Snapshot load(std::span<const std::byte> bytes) const { return fromBytes(model_, bytes); }

    void reset() { run_.reset(); }
    void replay(std::uint64_t until, bool isForth) { run_.replay(until, isForth); }
    std::size_t stateBytes() const { return 2 * model_.clockedBytes + model_.stateBytes; }
    std::optional<Snapshot> stateOrNone(History& history) const {
        try {
            return run_.snapshot(history.takeSpare());
        } catch (const Error&) {
            return std::nullopt;
        }
    }
    void rememberForeign(std::size_t bytes) { run_.rememberForeign(bytes); }
    void forgetForeign(std::uint64_t cycle) { run_.forgetForeign(cycle); }
    void beginForeign() { run_.beginForeign(); }
    std::string whyNotAgain() const { return run_.whyNotAgain(); }

    void evaluate() { run_.evaluate(); }
    std::uint64_t epoch() const { return run_.epoch(); }
    std::optional<sme_plane> plane(const Ref& ref) {
        const Type* scalar = scalarOf(ref);
        if (!scalar) return std::nullopt;
        return sme_plane{run_.shown(ref), model_.types[ref.type].bytes / scalar->bytes,
                         scalar->bytes, scalar->bytes, epoch()};
    }

    bool isValue(const Ref& ref, const std::byte* value) const {
        return areValues(model_, ref.type, value);
    }
    std::uint32_t runBlock(std::uint64_t until, const std::vector<RowColumn<Ref>>& inputs,
                           const std::vector<RowColumn<Ref>>& records) {
        const auto plain = [](const std::vector<RowColumn<Ref>>& columns) {
            std::vector<BlockColumn> result;
            for (const RowColumn<Ref>& column : columns)
                result.push_back({column.place, column.rows, column.stride});
            return result;
        };
        return run_.advance(until, plain(inputs), plain(records));
    }

    void appendNames(const Ref& ref, std::string path, std::string& text) const {
        forEachScalar(model_, ref, path, [&](const Ref&, const std::string& name) {
            text.append(1, ',').append(name);
        });
    }
    void appendScalars(const Ref& ref, std::string& text) {
        std::string name;
        forEachScalar(model_, ref, name, [&](const Ref& scalar, const std::string&) {
            text.push_back(',');
            appendScalar(text, model_.types[scalar.type], run_.shown(scalar), {});
        });
    }
    template <typename Produce>
    static void writeFile(const std::string& path, const Produce& produce) {
        const std::unique_ptr<FileSink> file = openToWrite(path);
        file->goOnAt(0);
        produce([&](std::string_view text) { file->write(text); });
        file->flush();
        if (const int why = file->problem())
            throw Error(ErrorKind::Files, "cannot write '" + path + "': " + reasonOf(why));
    }

    void endTrace() { throwIfAny(run_.finish()); }
    void trace(const std::string& path, std::vector<std::string> filters) {
        TraceSelection selection;
        selection.filters = std::move(filters);
        TraceColumns columns = selectColumns(names_, selection);
        const FilterNotes notes = notesOf(names_, selection, columns, {path}, "the filter");
        if (!notes.refusal.empty()) wrongUsage(notes.refusal);
        if (!notes.warnings.empty()) wrongUsage(notes.warnings.front());
        if (columns.signals.empty()) wrongUsage("no field or variable to trace");
        run_.trace({path}, std::move(columns), selection);
    }

private:
    /// The type of its scalars, where they are in a row; else null.
    const Type* scalarOf(const Ref& ref) const {
        if (!isInOnePiece(model_, ref)) return nullptr;
        const Type* scalar = &model_.types[ref.type];
        while (scalar->kind == Kind::Array)
            scalar = &model_.types[scalar->element];
        return scalar->kind == Kind::Struct ? nullptr : scalar;
    }

    CallbackSink out_;
    CallbackSink err_;
    const Model& model_;
    NameTable names_;
    Run run_;
};

}  // namespace
}  // namespace sme

namespace sme {

namespace {

const Model* modelOrNull(const Code& code) {
    try {
        return &modelOf(code);
    } catch (const std::exception&) {
        return nullptr;
    }
}

}  // namespace

sme_library libraryOf(const Model& model) {
    return {SME_SIMULATION_VERSION,
            sizeof(sme_library),
            model.name,
            model.compiler,
            model.hash,
            &model,
            sme_compiled_simulations()};
}

/// By the code, for libraries of several designs may share this runtime; where one was unloaded, another
/// one may have come to its place.
const sme_library* libraryOf(const Code& code, std::uint32_t version) {
    static std::mutex mutex;
    static std::map<const Code*, sme_library> libraries;
    const Model* const model = modelOrNull(code);
    if (model == nullptr || version != SME_SIMULATION_VERSION) return nullptr;
    const std::lock_guard lock(mutex);
    sme_library& library = libraries[&code];
    if (library.model != model || library.design != model->name || library.hash != model->hash)
        library = libraryOf(*model);
    return &library;
}

}  // namespace sme

const sme_simulation_table* sme_compiled_simulations() {
    return &sme::SimulationTable<sme::CompiledSimulation>::kTable;
}

namespace sme {
namespace {

/// What lasts as long as the process.
struct OpenedFiles {
    OpenedFiles(void* code, const char* path)
        : model(HostedModel::Loaded{code}, path), library(libraryOf(model.model())) {}
    HostedModel model;
    sme_library library;
};

const sme_library* openFiles(void* code, const char* model, std::uint32_t version) {
    if (version != SME_SIMULATION_VERSION)
        throw Error(ErrorKind::Usage, "who opens it is of version " + std::to_string(version)
                                          + " of sme/simulation.h, and the runtime of "
                                          + std::to_string(SME_SIMULATION_VERSION));
    return &std::make_unique<OpenedFiles>(code, model).release()->library;
}

}  // namespace
}  // namespace sme

extern "C" const sme_library* sme_open(void* code, const char* model, std::uint32_t version,
                                       char* why, std::size_t bytes) {
    try {
        return sme::openFiles(code, model, version);
    } catch (const std::exception& problem) {
        if (why == nullptr || bytes == 0) return nullptr;
        const std::size_t length = std::min(std::strlen(problem.what()), bytes - 1);
        std::memcpy(why, problem.what(), length);
        why[length] = 0;
        return nullptr;
    }
}
