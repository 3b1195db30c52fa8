// The table of sme/simulation.h over the interpreter's Run.

#include "interp/library.h"

#include <cstring>
#include <exception>

#include "diag/diagnostics.h"
#include "interp/hash.h"
#include "interp/state_bytes.h"
#include "interp/value_bytes.h"
#include "sme/simulation_table.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

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
    const Options parsed = parseOptions(sme::wordsOf(options));
    Settings settings;
    settings.seed = parsed.seed;
    settings.loopLimit = parsed.loopLimit;
    settings.unchecked = design.unchecked;
    settings.foreign = design.foreign;
    return settings;
}

sme_kind kindOf(const TypeTable& types, TypeId type) {
    return std::visit(
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

    InterpretedSimulation(const void* design, std::span<const sme_option> options,
                          const sme_sinks& sinks)
        : design_(*static_cast<const InterpretedDesign*>(design)),
          types_(design_.design.types),
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
        return "no field or variable '" + path + "'" + run_.names().didYouMean(path);
    }

    sme_value describe(const Part& part) const {
        const sme_kind kind = kindOf(types_, part.type);
        sme_value value{typeNames_[part.type.index].c_str(), kind, 0, 0, 0, 0};
        value.width = widthOf(types_, part.type);
        value.bytes = bytesOf(types_, part.type);
        if (const auto* array = types_.as<hir::ArrayType>(part.type))
            value.count = static_cast<std::uint32_t>(array->count);
        if (const auto* structure = types_.as<hir::StructType>(part.type))
            value.count = static_cast<std::uint32_t>(structure->members.size());
        if (part.root.exposed) value.flags |= SME_EXPOSED;
        if (part.root.isVariable) value.flags |= SME_VARIABLE;
        if (part.root.isInput) value.flags |= SME_INPUT;
        if (whyNotSettable(part.root).empty()) value.flags |= SME_SETTABLE;
        return value;
    }

    void get(const Part& part, std::byte* value) {
        bytes_.clear();
        appendBytes(types_, part.type, valueOf(run_.simulation(), part), bytes_);
        std::memcpy(value, bytes_.data(), bytes_.size());
    }
    void set(const Part& part, const std::byte* bytes) {
        if (const std::string why = whyNotSettable(part.root); !why.empty())
            throw Refusal(SME_BAD_USE, "cannot be set: " + why);
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
        Simulation& simulation = run_.simulation();
        if (simulation.cycle() >= until) return 0;
        simulation.goOn();
        while (simulation.cycle() < until && !simulation.ended())
            run_.cycle();
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
        run_.simulation().restore(state);
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
        TraceColumns columns = selectColumns(design_.design, run_.names(), selection);
        if (columns.parts.empty()) throw Refusal(SME_BAD_USE, "no field or variable to trace");
        run_.trace({path}, std::move(columns), selection);
    }

private:
    std::string whyNotSettable(const Root& root) const {
        const bool isDriven = root.isVariable || design_.design.fields[root.field].driver.valid();
        if (!isDriven && !root.isInput) return "nobody drives it; it keeps its default";
        if (root.combinational)
            return "it is combinational: its process computes it anew in each cycle";
        return {};
    }

    const InterpretedDesign& design_;
    const TypeTable& types_;
    std::vector<std::string> typeNames_;
    Run run_;
    std::vector<std::byte> bytes_;
};

}  // namespace

const sme_simulation_table* interpretedSimulations() {
    return &sme::SimulationTable<InterpretedSimulation>::kTable;
}

}  // namespace smec::interp
