// The table of sme/simulation.h over the interpreter's Run.

#include "interp/library.h"

#include <cstring>
#include <exception>

#include "diag/diagnostics.h"
#include "formats/opened_output.h"
#include "formats/scalar_text.h"
#include "interp/hash.h"
#include "interp/model_types.h"
#include "interp/state_bytes.h"
#include "interp/state_history.h"
#include "interp/value_bytes.h"
#include "sme/simulation_table.h"
#include "source/internal_error.h"
#include "source/one_line.h"
#include "source/output_file.h"
#include "source/overloaded.h"
#include "source/source_manager.h"

namespace smec::interp {

namespace {

using sme::Refusal;

sme_status statusForCaller(int status) {
    switch (status) {
    case kFailure: return SME_BAD_DATA;
    case kUsage: return SME_BAD_USE;
    case kFileSystem: return SME_BAD_FILE;
    case kLimit: return SME_LIMIT;
    default: return SME_INTERNAL;
    }
}

Sinks sinksOf(const sme_sinks& sinks) {
    const auto out = [sinks](std::string_view text) {
        if (sinks.out) sinks.out(sinks.user, text.data(), text.size());
        return 0;
    };
    const auto err = [sinks](std::string_view text) {
        if (sinks.err) sinks.err(sinks.user, text.data(), text.size());
    };
    return {out, err};
}

Settings settingsOf(const InterpretedDesign& design, std::span<const sme_option> options) {
    const Options parsed = parseOptions(sme::wordsOf(options, nearestName));
    Settings settings;
    settings.seed = parsed.seed;
    settings.loopLimit = parsed.loopLimit;
    settings.unchecked = design.unchecked;
    settings.foreign = design.foreign;
    settings.states = design.states;
    return settings;
}

sme_kind kindOf(const TypeTable& types, TypeId type) {
    return smec::visit(
        Overloaded{
            [](const hir::ArrayType&) { return SME_ARRAY; },
            [](const hir::StructType&) { return SME_STRUCT; },
            [](const hir::EnumType&) { return SME_ENUM; },
            [](const hir::FloatType& t) { return t.width == 32 ? SME_F32 : SME_F64; },
            [](const hir::BoolType&) { return SME_BOOL; },
            [](const hir::IntType& t) { return t.isSigned ? SME_SIGNED : SME_UNSIGNED; },
            [](const AnyOf<hir::ErrorType, hir::StringType> auto&) -> sme_kind {
                throw InternalError("a type that nothing stored has");
            },
        },
        types[type]);
}

class InterpretedSimulation {
public:
    using Place = Part;
    using State = interp::State;
    using History = StateHistory;

    InterpretedSimulation(const void* design, std::span<const sme_option> options,
                          const sme_sinks& sinks)
        : design_(*static_cast<const InterpretedDesign*>(design)),
          types_(design_.design.types),
          modelTypes_(types_),
          seed_(settingsOf(design_, options).seed),
          run_(design_, settingsOf(design_, options), sinksOf(sinks)) {
        for (std::uint32_t i = 0; i < types_.size(); ++i)
            typeNames_.push_back(types_.name({i}));
    }

    static sme_status caught(std::string& text) {
        try {
            throw;
        } catch (const RunError& error) {
            text = error.message;
            return statusForCaller(error.status);
        } catch (const std::exception& problem) {
            text = problem.what();
            return SME_INTERNAL;
        }
    }

    template <typename Visit>
    void forEach(const Visit& visit) const {
        for (const Root& root : run_.names().roots())
            if (!visit(root.name, Part{root.name, root.type, root, {}})) return;
    }
    std::optional<Part> find(const std::string& path) const { return run_.names().find(path); }
    std::string whyNone(const std::string& path) const {
        return "no field or variable '" + path + "'" + run_.names().hint(path);
    }

    sme_value describe(const Part& part) const {
        const sme_kind kind = kindOf(types_, part.type);
        sme_value value{typeNames_[part.type.index].c_str(), kind, 0, 0, 0, 0, nullptr, 0, 0};
        value.width = widthOf(types_, part.type);
        value.bytes = bytesOf(types_, part.type);
        if (const auto* array = types_.as<hir::ArrayType>(part.type))
            value.count = static_cast<std::uint32_t>(array->count);
        if (const auto* structure = types_.as<hir::StructType>(part.type))
            value.count = static_cast<std::uint32_t>(structure->members.size());
        if (part.root.exposed) value.flags |= SME_EXPOSED;
        if (part.root.isVariable) value.flags |= SME_VARIABLE;
        if (part.root.isInput) value.flags |= SME_INPUT;
        if (isSettable(part.root)) value.flags |= SME_SETTABLE;
        if (const SourceRange& range = part.root.range; range.valid()) {
            const LineColumn place = design_.sources.position(range.file, range.begin);
            value.file = design_.sources.path(range.file).c_str();
            value.line = place.line;
            value.column = place.column;
        }
        return value;
    }
    std::string driver(const Part& part) const {
        const hir::InstanceId instance = part.root.driver;
        return instance.valid() ? hir::pathOf(design_.design, instance) : std::string();
    }
    std::string whyNotSettable(const Part& part) const {
        if (!part.root.combinational) return "nobody drives it; it keeps its default";
        return "it is combinational: '" + driver(part) + "' computes it anew in each cycle";
    }

    std::optional<sme::NamedMember> member(const Part& part, std::uint32_t index) const {
        if (const auto* structure = types_.as<hir::StructType>(part.type)) {
            if (index >= structure->members.size()) return std::nullopt;
            return sme::NamedMember{structure->members[index].name.c_str(), {}, false};
        }
        const auto* enumeration = types_.as<hir::EnumType>(part.type);
        if (!enumeration || index >= enumeration->members.size()) return std::nullopt;
        const hir::EnumMember& found = enumeration->members[index];
        sme::NamedMember result{found.name.c_str(), {}, found.value < 0};
        appendBytes(types_, part.type, number(found.value), result.value);
        return result;
    }

    void get(const Part& part, std::byte* value) {
        bytes_.clear();
        appendBytes(types_, part.type, shownOf(run_.simulation(), part), bytes_);
        std::memcpy(value, bytes_.data(), bytes_.size());
    }
    void set(const Part& part, const std::byte* bytes) {
        const std::optional<Value> value =
            valueOfBytes(types_, part.type, {bytes, bytesOf(types_, part.type)});
        if (!value) throw Refusal(SME_BAD_DATA, "no value of " + typeNames_[part.type.index]);
        const Root& root = part.root;
        if (root.isVariable)
            run_.simulation().setVariable(root.process, root.variable, part.path, *value);
        else
            run_.simulation().setField(root.field, part.path, *value);
    }

    std::uint32_t advance(std::uint64_t until) {
        return advance(until, [this] { run_.cycle(); });
    }
    template <typename Cycle>
    std::uint32_t advance(std::uint64_t until, const Cycle& cycle) {
        Simulation& simulation = run_.simulation();
        if (simulation.cycle() >= until) return 0;
        moveOn();
        simulation.goOn();
        while (simulation.cycle() < until && !simulation.ended())
            cycle();
        run_.output().flush();
        return (simulation.hasFailed() ? std::uint32_t{SME_FAILED} : 0)
               | (simulation.hasStopped() ? std::uint32_t{SME_STOPPED} : 0);
    }
    std::uint64_t cycle() const { return run_.simulation().cycle(); }
    std::uint32_t stopStatus() const { return run_.simulation().stopStatus(); }
    std::uint64_t checksum() const { return interp::checksum(run_.simulation()); }

    interp::State snapshot() const { return run_.simulation().snapshot(); }
    void restore(const interp::State& state) {
        const Simulation& simulation = run_.simulation();
        if (!simulation.suits(state))
            throw Refusal(SME_BAD_DATA, "the state is one of another design");
        moveOn();
        run_.simulation().restore(state);
    }
    void reset() { restore(run_.simulation().initialState(seed_)); }
    void replay(std::uint64_t until, bool isForth) {
        moveOn();
        while (cycle() < until)
            run_.replay(isForth);
    }
    static std::size_t stateBytes() { return 0; }
    std::optional<interp::State> stateOrNone(const History&) const { return snapshot(); }
    void rememberForeign(std::size_t bytes) {
        if (design_.foreign) run_.simulation().rememberForeign(bytes);
    }
    void forgetForeign(std::uint64_t cycle) {
        if (sme::OutsideLog* log = run_.simulation().foreignLog()) log->forgetFrom(cycle);
    }
    void beginForeign() {
        if (sme::OutsideLog* log = run_.simulation().foreignLog()) log->begin(cycle());
    }
    std::string whyNotAgain() {
        const sme::OutsideLog* log = run_.simulation().foreignLog();
        return log ? log->whyNotAgain() : "";
    }

    void evaluate() { run_.simulation().evaluate(); }
    std::uint64_t epoch() const { return epoch_; }
    static std::optional<sme_plane> plane(const Part&) { return std::nullopt; }

    bool isValue(const Part& part, const std::byte* bytes) const {
        return valueOfBytes(types_, part.type, {bytes, bytesOf(types_, part.type)}).has_value();
    }
    std::uint32_t runBlock(std::uint64_t until, const std::vector<sme::RowColumn<Part>>& inputs,
                           const std::vector<sme::RowColumn<Part>>& records) {
        std::vector<Part> parts;
        for (const auto& record : records)
            parts.push_back(record.place);
        Sample sample(std::move(parts));
        const std::uint64_t first = cycle();
        return advance(until, [&] {
            const std::uint64_t k = cycle() - first;
            for (const auto& input : inputs)
                set(input.place, input.row(k).data());
            run_.cycle(&sample);
            for (std::size_t i = 0; i < records.size(); ++i) {
                bytes_.clear();
                appendBytes(types_, records[i].place.type, sample.values()[i], bytes_);
                std::memcpy(records[i].rows + k * records[i].stride, bytes_.data(), bytes_.size());
            }
        });
    }

    void appendNames(const Part& part, const std::string&, std::string& text) const {
        for (const Part& leaf : leavesOf(types_, part.root))
            text.append(1, ',').append(leaf.name);
    }
    void appendScalars(const Part& part, std::string& text) {
        for (const Part& leaf : leavesOf(types_, part.root)) {
            bytes_.clear();
            appendBytes(types_, leaf.type, shownOf(run_.simulation(), leaf), bytes_);
            text.push_back(',');
            sme::appendScalar(text, modelTypes_.of(leaf.type), bytes_.data(), {});
        }
    }
    template <typename Produce>
    static void writeFile(const std::string& path, const Produce& produce) {
        std::string problem;
        try {
            const auto file = openOutput(path, findOutput(path, {}));
            file->goOnAt(0);
            produce([&](std::string_view text) { file->write(text); });
            file->flush();
            if (const int why = file->problem())
                problem = "cannot write '" + path + "': " + sme::reasonOf(why);
        } catch (const FileError& error) {
            problem = error.message;
        }
        if (!problem.empty()) throw Refusal(SME_BAD_FILE, problem);
    }
    std::vector<std::byte> save(const interp::State& state) const {
        return toBytes(run_.simulation(), state);
    }
    interp::State load(std::span<const std::byte> bytes) const {
        return fromBytes(run_.simulation(), bytes);
    }

    void endTrace() { run_.endTraces(); }
    void trace(const std::string& path, std::vector<std::string> filters) {
        sme::TraceSelection selection;
        selection.filters = std::move(filters);
        TraceColumns columns =
            selectColumns(design_.design, design_.sources, run_.names(), selection);
        const sme::FilterNotes notes =
            notesOf(run_.names(), selection, columns, {path}, "the filter");
        if (!notes.refusal.empty()) throw Refusal(SME_BAD_USE, notes.refusal);
        if (!notes.warnings.empty()) throw Refusal(SME_BAD_USE, notes.warnings.front());
        if (columns.signals.empty()) throw Refusal(SME_BAD_USE, "no field or variable to trace");
        run_.trace({path}, std::move(columns), selection);
    }

private:
    void moveOn() { ++epoch_; }
    static bool isSettable(const Root& root) {
        return !root.combinational && (root.isInput || root.driver.valid());
    }

    const InterpretedDesign& design_;
    const TypeTable& types_;
    ModelTypes modelTypes_;
    const std::uint64_t seed_;
    std::vector<std::string> typeNames_;
    Run run_;
    std::vector<std::byte> bytes_;  ///< a member to keep its memory
    std::uint64_t epoch_ = 0;
};

}  // namespace

const sme_simulation_table* interpretedSimulations() {
    return &sme::SimulationTable<InterpretedSimulation>::kTable;
}

}  // namespace smec::interp
