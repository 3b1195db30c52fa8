#include "codegen/cpp/print/walk.h"

#include "ir/visit.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

std::string region(const std::string& type, Base base, std::uint64_t offset) {
    const char* owner = base == Base::Constants ? "thread." : "slots.";
    return fmt::format("sme::at<{}>({}{}, {})", type, owner, memberOf(base), offset);
}

/// `count` instances times `factor`, as C++.
std::string scaled(const char* count, std::int64_t factor) {
    if (factor == 1) return count;
    return factor >= 0 ? fmt::format("u64({}) * {}", count, factor)
                       : fmt::format("i64({}) * {}", count, factor);
}

std::string indexed(const std::string& pointer, std::int64_t stride) {
    if (stride == 0) return pointer + "[0]";
    if (stride == 1) return pointer + "[i]";
    return fmt::format("{}[{} * {}]", pointer, stride < 0 ? "i64(i)" : "i", stride);
}

/// Of an array the pointer to its first element, spelled `x[…]`.
std::string firstElement(std::string element, const ir::StorageType& type) {
    if (!type.isArray()) return element;
    if (!element.ends_with("[0]")) return "&" + element;
    element.resize(element.size() - 3);
    return element;
}

bool isChanged(ParameterUse use) {
    return use == ParameterUse::State || use == ParameterUse::Output;
}

bool isNumber(ParameterUse use) { return use == ParameterUse::Step || use == ParameterUse::Common; }

/// What stands after the location of the process.
const char* commentOf(WalkKind kind) {
    switch (kind) {
    case WalkKind::Segment: return "";
    case WalkKind::Strided: return ", with other strides";
    case WalkKind::Ahead: return ", whether a check fails";
    case WalkKind::Sure: return ", when no check fails";
    case WalkKind::Seams: return ", where segments meet";
    case WalkKind::AheadAtSeams: return ", whether a check fails where segments meet";
    case WalkKind::SureAtSeams: return ", where segments meet, when no check fails";
    }
    return "";
}

const char* resultOf(const Walk& walk) {
    switch (walk.compiled) {
    case WalkFunction::Loop: return "SME_LOOP void";
    case WalkFunction::Lanes: return "SME_LANES void";
    case WalkFunction::LongLanes: return "SME_LONG_LANES void";
    case WalkFunction::Checks: return "SME_CHECKS bool";
    }
    return "";
}

}  // namespace

WalkPrinter::WalkPrinter(const CppDesign& cpp, const LoopPlan& loop, const Walk& walk)
    : cpp_(cpp), loop_(loop), walk_(walk), cls_(cpp.program.design.classes[loop.cls.index]) {
    if (isAtSeams()) names_.add("seam");
    if (!walk.stages.empty()) {
        names_.add("first");
        names_.add("stop");
    }
    if (checksOf(walk.kind) == Checks::Collect) names_.add("failed");
    for (const Parameter& parameter : walk.parameters)
        spelled_.push_back(names_.add(nameOfParameter(parameter)));
}

std::string WalkPrinter::nameOfParameter(const Parameter& parameter) const {
    const std::vector<ir::Plane>& planes = cpp_.program.design.planes;
    const auto port = [&](const char* suffix) {
        const ir::Input& input = cls_.inputs[parameter.of];
        const bool isOneOfMany = parameter.element && input.elements.size() > 1;
        return input.name + (isOneOfMany ? "_" + std::to_string(*parameter.element) : "") + suffix;
    };
    const auto variable = [&](const char* suffix) {
        return planes[cls_.state[parameter.of].index].name + suffix;
    };
    const auto field = [&](const char* suffix) {
        return planes[cls_.outputs[parameter.of].plane.index].name + suffix;
    };
    switch (parameter.use) {
    case ParameterUse::Field: return port("_in");
    case ParameterUse::Index: return port("_index");
    case ParameterUse::Step: return port("_step");
    case ParameterUse::Flags: return "border";
    case ParameterUse::Base: return port("_base");
    case ParameterUse::Column: return cls_.columns[parameter.of].name + "_column";
    case ParameterUse::State: return variable("_state");
    case ParameterUse::Common: return variable("_common");
    case ParameterUse::Saved: return variable("_saved");
    case ParameterUse::Output: return field("_out");
    case ParameterUse::Last: return field("_last");
    case ParameterUse::Initial: return field("_default");
    }
    return "";
}

std::string WalkPrinter::parameters() const {
    std::string list;
    if (walk_.told.context) list += "const sme::Thread& thread, const sme::Slots& slots, ";
    if (walk_.told.instance) list += "const u32 first, ";
    list += "const u64 count";
    if (isAtSeams()) list += ", const u32* seam";
    for (std::size_t i = 0; i < spelled_.size(); ++i) {
        const Parameter& parameter = walk_.parameters[i];
        const std::string type = nameOf(storedWord(parameter.type));
        if (isNumber(parameter.use))
            list += fmt::format(", const {} {}", type, spelled_[i]);
        else
            list += fmt::format(", {}{}* __restrict {}", isChanged(parameter.use) ? "" : "const ",
                                type, spelled_[i]);
    }
    return list;
}

void WalkPrinter::print(Writer& out) {
    if (!walk_.stages.empty()) return printStages(out);
    Writer body;
    body.setDepth(2);
    Site site;
    site.instance = "first + u32(i)";
    site.checks = checksOf(walk_.kind);
    site.selects = walk_.selects;
    Names labels;
    printActivation(cpp_, loop_.cls, walk_.activation, *this, site, names_, labels, body);

    const bool isLook = site.checks == Checks::Collect;
    out.line("// {}{}", locationComment(cpp_.program, cls_.range, cls_.name),
             commentOf(walk_.kind));
    out.open("{} {}({})", resultOf(walk_), cpp_.names.loops[walk_.function.kernel].of(walk_.kind),
             parameters());
    if (isLook) out.line("u8 failed = 0;");
    if (walk_.isSilent) out.margin("#pragma GCC ivdep");
    if (isAtSeams())
        out.open("for (u64 i = 0; i < count; ++i, seam += {})", loop_.segments.rowWidth);
    else
        out.open("for (u64 i = 0; i < count; ++i)");
    out.append(body.text());
    out.close();
    if (isLook) out.line("return failed != 0;");
    out.close();
    out.blank();
}

// Stages run over a round of instances each:
//   u32 at_lane[256];
//   for (u64 first = 0; first < count; first += 256) {
//       const u64 stop = first + 256 < count ? first + 256 : count;
//       for (u64 i = first; i < stop; ++i) { …; at_lane[i - first] = at; }
//       for (u64 i = first; i < stop; ++i) { const u32 at = at_lane[i - first]; … } }
void WalkPrinter::printStages(Writer& out) {
    const std::size_t round = walk_.round;
    out.line("// {}{}", locationComment(cpp_.program, cls_.range, cls_.name),
             commentOf(walk_.kind));
    out.open("{} {}({})", resultOf(walk_), functionNames().of(walk_.kind), parameters());
    for (const ir::LocalId id : walk_.lanes) {
        const ir::Local& local = cls_.body.locals[id.index];
        const std::string& name = lanes_[id.index] = names_.add(local.name + "_lane");
        out.line("alignas(64) {} {}[{}];", nameOf(storedWord(local.type.scalar)), name, round);
    }
    out.open("for (u64 first = 0; first < count; first += {})", round);
    out.line("const u64 stop = first + {} < count ? first + {} : count;", round, round);
    for (const Stage& stage : walk_.stages)
        printStage(stage, out);
    out.close();
    out.close();
    out.blank();
}

void WalkPrinter::printStage(const Stage& stage, Writer& out) {
    Writer body;
    body.setDepth(3);
    Site site;
    site.checks = Checks::Skip;
    site.selects = stage.selects;
    Names names = names_, labels;
    const std::function<std::string(ir::LocalId)> lane = [&](ir::LocalId id) {
        return fmt::format("{}[i - first]", lanes_.at(id.index));
    };
    printActivation(cpp_, loop_.cls, StagePlaces{stage, lane}, *this, site, names, labels, body);
    if (stage.isSilent) out.margin("#pragma GCC ivdep");
    out.open("for (u64 i = first; i < stop; ++i)");
    out.append(body.text());
    out.close();
}

void WalkPrinter::printFilled(const std::string& name, Writer& out) const {
    const std::string& inner = functionNames().of(walk_.kind);
    std::string plain, filled;
    for (std::size_t i = 0; i < spelled_.size(); ++i) {
        const bool moves = instanceStride(walk_.parameters[i]) != 0;
        plain += ", " + spelled_[i];
        filled += ", " + spelled_[i] + (moves ? "_filled.values" : "");
    }
    out.line("// {}, the last instances as a whole vector",
             locationComment(cpp_.program, cls_.range, cls_.name));
    out.open("void {}({})", name, parameters());
    out.line("constexpr u64 lanes = sme::kVectorBytes / {};", loop_.filledWord);
    out.line("const u64 rest = count % lanes, whole = count - rest;");
    out.line("if (!sme::kFillsVectors || rest < {}) return {}(count{});", loop_.filledInstances,
             inner, plain);
    out.line("if (whole > 0) {}(whole{});", inner, plain);
    for (std::size_t i = 0; i < spelled_.size(); ++i) {
        const Parameter& parameter = walk_.parameters[i];
        if (instanceStride(parameter) == 0) continue;
        out.line("{}sme::Filled<{}, lanes> {}_filled({} + whole, rest);",
                 isChanged(parameter.use) ? "" : "const ", nameOf(storedWord(parameter.type)),
                 spelled_[i], spelled_[i]);
    }
    out.line("{}(lanes{});", inner, filled);
    for (std::size_t i = 0; i < spelled_.size(); ++i) {
        if (isChanged(walk_.parameters[i].use))
            out.line("{}_filled.store({} + whole, rest);", spelled_[i], spelled_[i]);
    }
    out.close();
    out.blank();
}

// ---------------------------------------------------------------- calls

std::string WalkPrinter::call(const std::string& count) const {
    return callOf(functionNames().of(walk_.kind), count);
}

std::string WalkPrinter::callOf(const std::string& function, const std::string& count) const {
    std::string list;
    if (walk_.told.context) list += "thread, slots, ";
    if (walk_.told.instance) list += "begin, ";
    list += count;
    for (const Parameter& parameter : walk_.parameters)
        list += ", " + argument(parameter);
    return fmt::format("{}({})", function, list);
}

std::string WalkPrinter::argument(const Parameter& parameter) const {
    const std::string type = nameOf(storedWord(parameter.type));
    return smec::visit(
        Overloaded{
            [&](const InRegion& from) {
                const std::string start = region(type, from.base, from.offset);
                return from.perInstance == 0 ? start
                                             : start + " + " + scaled("begin", from.perInstance);
            },
            [&](const InRow& from) { return inRow(from, type); },
            [&](const InRowByStep& from) { return inRowByStep(from, type); },
            [](const RowStep& from) { return fmt::format("i32(row[{}])", from.column); },
            [&](const FirstValue& from) {
                return region(type, Base::State, from.offset) + "[begin]";
            },
            [](const SavedState& from) { return fmt::format("saved_{}", from.slot); },
        },
        parameter.argument);
}

/// A single row stands in the code, and begins with instance 0.
std::string WalkPrinter::inRow(const InRow& row, const std::string& type) const {
    const Segments& segments = loop_.segments;
    const bool isOne = std::holds_alternative<OneRow>(segments.place);
    const std::string element =
        isOne ? std::to_string(segments.rows[row.column]) : fmt::format("row[{}]", row.column);
    const std::int64_t perInstance = row.stride * (row.slot == Slot::Either ? 2 : 1);
    const std::string skip =
        row.stride == 0 ? "" : " + " + scaled(isOne ? "begin" : "skip", perInstance);
    if (row.slot == Slot::Either)
        return fmt::format("sme::pick<{}>(slots, u64({}){})", type, element, skip);
    return region(type, baseOf(row.slot), 0) + " + " + element + skip;
}

std::string WalkPrinter::inRowByStep(const InRowByStep& row, const std::string& type) const {
    const bool isCode = row.slot == Slot::Either;
    const std::string skip =
        fmt::format("i64(skip) * i32(row[{}]){}", row.column + 1, isCode ? " * 2" : "");
    if (isCode) return fmt::format("sme::pick<{}>(slots, row[{}] + {})", type, row.column, skip);
    return fmt::format("{} + row[{}] + {}", region(type, baseOf(row.slot), 0), row.column, skip);
}

// ---------------------------------------------------------------- places

std::string WalkPrinter::of(const Access& access, const ir::StorageType& type) {
    const auto own = [&](const std::string& pointer) {
        return fmt::format("{}[{}]", pointer, instance());
    };
    return smec::visit(
        Overloaded{
            [&](const OfInstance& a) {
                if (a.length == 0) return own(spelled_[a.pointer]);
                const char* format = isAtSeams() ? "{} + u64({}) * {}" : "{} + {} * {}";
                return fmt::format(fmt::runtime(format), spelled_[a.pointer], instance(), a.length);
            },
            [&](const AtStride& a) {
                return firstElement(indexed(spelled_[a.pointer], a.stride), type);
            },
            [&](const AtStep& a) {
                return firstElement(
                    fmt::format("{}[i64(i) * {}]", spelled_[a.pointer], spelled_[a.step]), type);
            },
            [&](const AtSeam& a) {
                return firstElement(fmt::format("{}[seam[{}]]", spelled_[a.pointer], a.column),
                                    type);
            },
            [&](const AtIndex& a) {
                return firstElement(
                    fmt::format("{}[{}]", spelled_[a.pointer], own(spelled_[a.index])), type);
            },
            [&](const AtCode& a) {
                const std::string word = nameOf(storedWord(type.scalar)),
                                  code = own(spelled_[a.index]);
                return firstElement(fmt::format("sme::pick<{}>(slots, {})[0]", word, code), type);
            },
            [](const ir::AnyOf<AtElement, AtOffset> auto&) -> std::string {
                throw InternalError("codegen: a constant place in a loop");
            },
            [&](const ParameterValue& a) { return spelled_[a.value]; },
            [&](const Known& a) { return literalOf(a, type); },
        },
        access);
}

std::string WalkPrinter::ofInput(const InputLoad& load, const ir::StorageType& type) {
    const std::string place = of(load.from, type);
    if (!load.undriven) return place;
    const ir::StorageType stored{type.scalar, 1};
    return fmt::format("sme::choose<{}>({}[{}] != 0, {}, {})", nameOf(storedWord(type.scalar)),
                       spelled_[load.undriven->flags], instance(),
                       literalOf({load.undriven->value}, stored), place);
}

Selection WalkPrinter::ofSelection(const InputSelection& selection, const ir::Input& input) {
    const auto& column = std::get<IndexColumn>(selection.index);
    Selection spelled;
    spelled.index = fmt::format("({} + i * {})", spelled_[column.index], selection.elements);
    spelled.slot = selection.slot;
    spelled.type = storedWord(input.type.scalar);
    spelled.elements = selection.elements;
    spelled.base = column.base ? spelled_[*column.base] : "slots";
    return spelled;
}

}  // namespace smec::codegen::cpp
