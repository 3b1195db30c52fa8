// p0, p1 … are parameters of the walk; "@ 64" is a byte offset, "[17]" an element, "+4i" what is
// gone on by from instance to instance.

#include "plan_lister.h"

#include <fmt/format.h>

#include "ir/visit.h"

namespace smec::test {
namespace {

using namespace codegen::cpp;

std::string nameOf(const ir::Scalar& type) {
    switch (type.kind) {
    case ir::ScalarKind::Bool: return "bool";
    case ir::ScalarKind::F32: return "f32";
    case ir::ScalarKind::F64: return "f64";
    case ir::ScalarKind::Int: break;
    }
    return fmt::format("{}{}", type.isSigned ? 'i' : 'u', type.width);
}

const char* nameOf(Base base) {
    constexpr const char* kNames[] = {"read", "write", "state", "constants"};
    return kNames[static_cast<int>(base)];
}
const char* nameOf(Slot slot) {
    constexpr const char* kNames[] = {"read", "write", "either"};
    return kNames[static_cast<int>(slot)];
}
const char* nameOf(WalkKind kind) {
    constexpr const char* kNames[] = {"segment", "strided",        "ahead",        "sure",
                                      "seams",   "ahead at seams", "sure at seams"};
    return kNames[static_cast<int>(kind)];
}
const char* nameOf(WalkFunction function) {
    constexpr const char* kNames[] = {"loop", "lanes", "checks"};
    return kNames[static_cast<int>(function)];
}
const char* nameOf(Returns returns) {
    constexpr const char* kNames[] = {"nothing", "a value", "whether it goes on"};
    return kNames[static_cast<int>(returns)];
}
/// In front of a variable; a copy is the usual case.
const char* nameOf(WorksOn worksOn) {
    constexpr const char* kNames[] = {"", "reference ", "direct ", "bounded "};
    return kNames[static_cast<int>(worksOn)];
}
const char* nameOf(ParameterUse use) {
    constexpr const char* kNames[] = {"field", "index",  "step",  "flags",  "base", "column",
                                      "state", "common", "saved", "output", "last", "default"};
    return kNames[static_cast<int>(use)];
}

std::string valueOf(const ir::Constant& constant) {
    if (const auto* number = std::get_if<double>(&constant.value))
        return fmt::format("{}", *number);
    return std::get<ir::Integer>(constant.value).str();
}

std::string textOf(const Access& access) {
    return std::visit(
        Overloaded{
            [](const OfInstance& a) {
                return a.length == 0 ? fmt::format("p{}[i]", a.pointer)
                                     : fmt::format("p{}[i * {}…]", a.pointer, a.length);
            },
            [](const AtStride& a) { return fmt::format("p{}[{}i]", a.pointer, a.stride); },
            [](const AtStep& a) { return fmt::format("p{}[p{} i]", a.pointer, a.step); },
            [](const AtSeam& a) { return fmt::format("p{}[seam {}]", a.pointer, a.column); },
            [](const AtIndex& a) { return fmt::format("p{}[p{}[i]]", a.pointer, a.index); },
            [](const AtCode& a) { return fmt::format("either[p{}[i]]", a.index); },
            [](const AtElement& a) {
                return fmt::format("{}[{}]{}", nameOf(a.base), a.element,
                                   a.isOfBlock ? " of the block" : "");
            },
            [](const AtOffset& a) { return fmt::format("constants @ {}", a.offset); },
            [](const ParameterValue& a) { return fmt::format("p{}", a.value); },
            [](const Known& a) { return valueOf(a.value); },
        },
        access);
}

std::string textOf(const Argument& argument) {
    return std::visit(
        Overloaded{
            [](const InRegion& a) {
                return fmt::format("{} @ {} +{}i", nameOf(a.base), a.offset, a.perInstance);
            },
            [](const InRow& a) {
                return fmt::format("{}[row {}] +{}i", nameOf(a.slot), a.column, a.stride);
            },
            [](const InRowByStep& a) {
                return fmt::format("{}[row {}] +[row {}]i", nameOf(a.slot), a.column, a.column + 1);
            },
            [](const RowStep& a) { return fmt::format("row {}", a.column); },
            [](const FirstValue& a) { return fmt::format("variables @ {}, first", a.offset); },
            [](const SavedState& a) { return fmt::format("saved {}", a.slot); },
        },
        argument);
}

template <typename Begin>
std::string beginOf(const Begin& begin) {
    return std::visit(Overloaded{
                          [](const Overwritten&) { return std::string("unset"); },
                          [](const From& from) { return textOf(from.place); },
                          [](const Default& value) { return textOf(value.value); },
                          [](const Replay& replay) {
                              return fmt::format("{}, by log {}", textOf(replay.last), replay.log);
                          },
                      },
                      begin);
}

class Lister {
public:
    explicit Lister(const Program& program) : program_(program) {}

    std::string list() {
        for (std::size_t i = 0; i < program_.functions.size(); ++i) {
            addBody(program_.design.functions[i].name, program_.functions[i]);
            line(1, "returns {}", nameOf(program_.returns[i]));
        }
        for (std::size_t i = 0; i < program_.classes.size(); ++i)
            addBody(program_.design.classes[i].name, program_.classes[i]);
        for (std::uint32_t i = 0; i < program_.kernels.size(); ++i) {
            line(0, "kernel {}", i);
            std::visit([&](const auto& plan) { add(plan, i); }, program_.kernels[i]);
        }
        return std::move(text_);
    }

private:
    template <typename... Args>
    void line(int depth, fmt::format_string<Args...> format, Args&&... args) {
        text_.append(static_cast<std::size_t>(depth) * 2, ' ');
        text_ += fmt::format(format, std::forward<Args>(args)...) + '\n';
    }

    const ir::Class& classOf(ir::ClassId id) const { return program_.design.classes[id.index]; }

    void add(const LoopPlan& loop, std::uint32_t kernel) {
        const ir::Class& cls = classOf(loop.cls);
        line(1, "loop over {} {}", cls.instances, cls.name);
        addSegments(loop.segments);
        if (loop.joined) addSegments(*loop.joined);
        for (const UsualStride& usual : loop.usualStrides)
            line(1, "usual stride [row {}] = {}", usual.column, usual.stride);
        if (loop.seams)
            line(1, "{} seams @ {}, {} variables saved, span {} of {} seams", loop.seams->count,
                 loop.seams->offset, loop.seams->saved.size(), loop.seams->span,
                 loop.seams->seamsInSpan);
        for (std::uint32_t i = 0; i < loop.walks.size(); ++i) {
            const Walk& walk = loop.walks[i];
            line(1, "walk {}, as {}{}{}{}{}", nameOf(walk.kind), nameOf(walk.compiled),
                 walk.selects == Selects::Masks ? ", masks" : "",
                 walk.told.context ? ", context" : "", walk.told.instance ? ", instance" : "",
                 walk.isSilent ? ", silent" : "");
            if (walk.function != WalkRef{kernel, i})
                line(2, "function of kernel {}, walk {}", walk.function.kernel, walk.function.walk);
            for (std::size_t p = 0; p < walk.parameters.size(); ++p)
                addParameter(p, walk.parameters[p]);
            addActivation(cls, walk.activation);
            for (const ir::LocalId id : walk.lanes)
                line(2, "array of {} {}", walk.round, cls.body.locals[id.index].name);
            for (const Stage& stage : walk.stages)
                addStage(cls, stage);
        }
        if (loop.filledWord != 0)
            line(1, "vectors of words of {} bytes are filled from {} instances on", loop.filledWord,
                 loop.filledInstances);
    }

    void addStage(const ir::Class& cls, const Stage& stage) {
        line(2, "stage of {} statements from {}{}{}{}", stage.count, stage.first,
             stage.isMemory ? ", memory" : "", stage.selects == Selects::Masks ? ", masks" : "",
             stage.isSilent ? ", silent" : "");
        addLocals(3, "takes", cls.body, stage.taken);
        addLocals(3, "declares", cls.body, stage.declared);
        addLocals(3, "leaves", cls.body, stage.left);
        addActivation(cls, stage.activation);
    }

    void addLocals(int depth, const char* what, const ir::Body& body,
                   const std::vector<ir::LocalId>& locals) {
        std::string names;
        for (const ir::LocalId id : locals)
            names += " " + body.locals[id.index].name;
        if (!names.empty()) line(depth, "{}{}", what, names);
    }

    /// What of a body is decided once for all that runs it.
    void addBody(const std::string& name, const BodyInfo& info) {
        line(0, "body {}", name);
        addLocals(1, "in front:", *info.body, info.inFront);
        std::string statics, canonical;
        for (std::size_t i = 0; i < info.locals.size(); ++i) {
            if (info.locals[i].isStatic) statics += " " + info.body->locals[i].name;
            if (info.locals[i].isCanonical) canonical += " " + info.body->locals[i].name;
        }
        if (!statics.empty()) line(1, "static:{}", statics);
        if (!canonical.empty()) line(1, "canonical:{}", canonical);
        for (const auto& [first, part] : info.parts)
            line(1, "part of {} statements from {}", part.count, first.index);
        if (info.arguments == ArgumentForm::Registers) line(1, "tells values in registers");
        if (info.isCopiedToParts) line(1, "begins with something");
    }

    void addSegments(const Segments& segments) {
        const std::string place =
            std::visit(Overloaded{
                           [](const OneRow&) { return std::string("one"); },
                           [](const RowsInCode&) { return std::string("in code"); },
                           [](const RowsInData& a) { return fmt::format("@ {}", a.offset); },
                       },
                       segments.place);
        line(1, "{} segments, {}", segments.count(), place);
        for (std::size_t row = 0; row < std::min<std::size_t>(segments.count(), 4); ++row) {
            std::string numbers;
            for (std::size_t i = 0; i < segments.rowWidth; ++i)
                numbers += fmt::format(" {}", segments.rows[row * segments.rowWidth + i]);
            line(2, "row{}", numbers);
        }
    }

    void addParameter(std::size_t number, const Parameter& parameter) {
        line(2, "p{} {} {} {}: {}", number, nameOf(parameter.use), parameter.of,
             nameOf(parameter.type), textOf(parameter.argument));
    }

    void addActivation(const ir::Class& cls, const Activation& activation) {
        for (const InputLoad& load : activation.inputs)
            line(2, "load {}.{} = {}{}", cls.inputs[load.input].name, load.element,
                 textOf(load.from),
                 load.undriven ? fmt::format(", {} where p{}[i]", valueOf(load.undriven->value),
                                             load.undriven->flags)
                               : "");
        for (const InputSelection& selection : activation.selections)
            line(2, "select {} of {}, {}", cls.inputs[selection.input].name, selection.elements,
                 nameOf(selection.slot));
        for (const ColumnLoad& column : activation.columns)
            line(2, "load {} = {}", cls.columns[column.column].name, textOf(column.from));
        for (const StateAccess& state : activation.state)
            line(2, "variable {}{} = {}{}", nameOf(state.worksOn),
                 cls.body.locals[state.local.index].name, beginOf(state.begin),
                 state.isStored ? " -> " + textOf(state.place) : "");
        for (const OutputAccess& output : activation.outputs)
            line(2, "field {} = {}{}{}", cls.body.locals[output.local.index].name,
                 beginOf(output.begin), output.stored ? " -> " + textOf(*output.stored) : "",
                 output.observed ? " -> observed " + textOf(*output.observed) : "");
        if (activation.mayLeave) line(2, "may leave");
    }

    void add(const BlockPlan& block, std::uint32_t) {
        line(1, "block{}{}{}{}{}", block.runsUnobserved ? ", runs unobserved" : "",
             block.mayEnd ? ", may end" : "", block.tellsCycle ? ", tells the cycle" : "",
             block.runsPairs ? ", in pairs" : "", block.hasResting ? ", rests" : "");
        for (const BlockFunction& function : block.functions)
            line(1, "function of steps {} to {}{}", function.begin, function.end,
                 function.isInline ? ", inline" : "");
        for (const BlockStep& step : block.steps) {
            line(1, "step {} {}", classOf(step.instance.cls).name, step.instance.instance);
            addActivation(classOf(step.instance.cls), step.activation);
        }
    }

    void add(const OrderedPlan& ordered, std::uint32_t) {
        line(1, "ordered: {} rows @ {}", ordered.rows, ordered.offset);
        for (const std::uint32_t loop : ordered.loops)
            line(2, "kernel {}", loop);
    }

    void add(const MergedPlan& merged, std::uint32_t) {
        line(1, "merged: {} instances at a time", merged.instances);
        for (const std::uint32_t loop : merged.loops)
            line(2, "kernel {}", loop);
    }

    const Program& program_;
    std::string text_;
};

}  // namespace

std::string list(const Program& program) { return Lister(program).list(); }

}  // namespace smec::test
