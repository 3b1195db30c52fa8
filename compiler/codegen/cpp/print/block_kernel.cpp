// Straight-line code: every field has a constant place, `read_u32[17]`, in a region seen as an
// array of its type. A place is only ever accessed as one type, so the typed views do not alias;
// the three regions are restrict parameters.

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "codegen/cpp/print/activation.h"
#include "codegen/cpp/print/unit.h"
#include "ir/visit.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

/// The regions as arrays of their types, declared in front of the block.
class Views {
public:
    /// `onlyRead`: regions besides Base::Read that the function reads and nothing else.
    explicit Views(std::set<Base> onlyRead = {}) : onlyRead_(std::move(onlyRead)) {
        onlyRead_.insert(Base::Read);
    }

    /// The name of a region as an array of a type.
    std::string of(Base base, const std::string& type) {
        const std::string parameter = memberOf(base);
        std::string name = parameter + "_" + type;
        for (char& c : name)
            c = c == ':' || c == '<' ? '_' : c;
        if (name.back() == '>') name.pop_back();
        const char* constness = onlyRead_.contains(base) ? "const " : "";
        views_[name] = fmt::format("{}{}* const {} = sme::at<{}>({}, 0);", constness, type, name,
                                   type, parameter);
        return name;
    }

    /// A variable that has what is to be stored in an element, or was there.
    std::string variable(const AtElement& place, const std::string& type) {
        std::string name = fmt::format("{}_{}", of(place.base, type), place.element);
        (place.isKept ? kept_ : variables_)[{type, place.element, place.base}] = name;
        return place.isKept ? "kept." + name : name;
    }

    void print(Writer& out) const {
        for (const auto& [name, view] : views_)
            out.line("{}", view);
        printVariables(variables_, out);
    }

    void printKept(Writer& out) const { printVariables(kept_, out); }

private:
    using Variables = std::map<std::tuple<std::string, std::uint64_t, Base>, std::string>;

    static void printVariables(const Variables& variables, Writer& out) {
        for (const auto& [place, name] : variables)
            out.line("{} {};", std::get<0>(place), name);
    }

    std::set<Base> onlyRead_;
    std::map<std::string, std::string> views_;  ///< by name
    Variables variables_, kept_;
};

std::string wakerOf(std::uint32_t step) { return fmt::format("isAwake_{}", step); }

/// Spells places of one activation.
class StepSpeller : public AccessSpeller {
public:
    StepSpeller(Views& views, Names& names, Writer& out)
        : views_(views), names_(names), out_(out) {}

    std::string of(const Access& access, const ir::StorageType& type) override {
        return smec::visit(
            Overloaded{
                [&](const AtElement& a) {
                    // a byte known to be 0 or 1 is a condition as it is
                    const std::string word = nameOf(type.isArray() ? storedWord(type.scalar)
                                                                   : variableWord(type.scalar));
                    if (a.isOfBlock) return views_.variable(a, word);
                    const char* format = type.isArray() ? "{} + {}" : "{}[{}]";
                    return fmt::format(fmt::runtime(format), views_.of(a.base, word), a.element);
                },
                [&](const AtOffset& a) {
                    return fmt::format("sme::at<{}>(thread.constants, {})",
                                       nameOf(storedWord(type.scalar)), a.offset);
                },
                [&](const Known& a) { return literalOf(a, type); },
                [](const OfInstance&) { return ofLoop(); },
                [](const AtStride&) { return ofLoop(); },
                [](const AtStep&) { return ofLoop(); },
                [](const AtSeam&) { return ofLoop(); },
                [](const AtIndex&) { return ofLoop(); },
                [](const AtCode&) { return ofLoop(); },
                [](const ParameterValue&) { return ofLoop(); },
            },
            access);
    }

    std::string ofInput(const InputLoad& load, const ir::StorageType& type) override {
        const std::string place = of(load.from, type);
        if (!load.unobserved) return place;
        return fmt::format("(isUnobserved ? {} : {})", of(*load.unobserved, type), place);
    }

    Selection ofSelection(const InputSelection& selection, const ir::Input& input) override {
        Selection spelled{"", names_.add(input.name + "_index"), selection.slot,
                          storedWord(input.type.scalar), selection.elements};
        // unobserved cycles change slots without Slots
        if (selection.slot == Slot::Either)
            spelled.base = "read, write";
        else
            spelled.base = views_.of(selection.slot == Slot::Write ? Base::Write : Base::Read,
                                     nameOf(spelled.type));
        std::string list;
        for (const std::uint32_t element : std::get<IndexTable>(selection.index).elements)
            list += fmt::format("{}{}", list.empty() ? "" : ", ", element);
        out_.line("static constexpr u32 {}[] = {{{}}};", spelled.index, list);
        return spelled;
    }

private:
    static std::string ofLoop() {
        throw InternalError("codegen: straight-line code without a constant place");
    }

    Views& views_;
    Names& names_;
    Writer& out_;
};

/// What later steps read of fields that this one changes.
void printFormer(const ir::Class& cls, const BlockStep& step, StepSpeller& speller, Writer& out) {
    for (const OutputAccess& output : step.activation.outputs) {
        if (!output.isReadAfter) continue;
        const ir::StorageType& type = cls.body.locals[output.local.index].type;
        const AtElement former{Base::Read, std::get<AtElement>(output.place).element, true};
        out.line("if constexpr (isUnobserved) {} = {};", speller.of(former, type),
                 speller.of(*output.variable, type));
    }
}

void printStep(const CppDesign& cpp, const BlockPlan& block, std::uint32_t index, Views& views,
               Names& labels, Writer& out) {
    const BlockStep& step = block.steps[index];
    const ir::Class& cls = cpp.program.design.classes[step.instance.cls.index];
    out.line("// {}", locationComment(cpp.program, cls.range, cls.name));
    if (step.rests) {
        out.open("if (!isUnobserved || kept.{})", wakerOf(index));
        out.line("kept.{} = false;", wakerOf(index));
    } else {
        out.open("");
    }
    Names names;
    StepSpeller speller(views, names, out);
    printFormer(cls, step, speller, out);
    Site site;
    site.instance = std::to_string(step.instance.instance);
    site.mayBeUnobserved = block.runsUnobserved;
    for (const Waking& waking : step.wakes)
        site.inFront[waking.branch].push_back(fmt::format("kept.{} = true;", wakerOf(waking.step)));
    printActivation(cpp, step.instance.cls, step.activation, speller, site, names, labels, out);
    out.close();
}

/// Fields that unobserved cycles did not store, and an observed one reads.
void printSettle(const CppDesign& cpp, const BlockPlan& block, const std::string& name,
                 Writer& out) {
    Writer lines;
    Names names;
    Views views({Base::State});
    StepSpeller speller(views, names, lines);
    lines.setDepth(1);
    for (const BlockStep& step : block.steps) {
        const ir::Class& cls = cpp.program.design.classes[step.instance.cls.index];
        for (const OutputAccess& output : step.activation.outputs) {
            if (!output.variable) continue;
            const ir::StorageType& type = cls.body.locals[output.local.index].type;
            const AtElement field{Base::Write, std::get<AtElement>(output.place).element};
            lines.line("{} = {};", speller.of(field, type), speller.of(*output.variable, type));
        }
    }
    out.open("void {}_settle([[maybe_unused]] std::byte* slot, "
             "[[maybe_unused]] const std::byte* state)",
             name);
    if (!lines.text().empty()) out.line("std::byte* const write = slot;");
    views.print(out);
    out.append(lines.text());
    out.close();
    out.blank();
}

/// What outlives a cycle: results of steps that rest, and whether they are awake.
void printKept(const CppDesign& cpp, const BlockPlan& block, Views& views, const std::string& inner,
               Writer& out) {
    if (!block.hasResting) return;
    out.open("struct {}_kept", inner);
    for (std::uint32_t i = 0; i < block.steps.size(); ++i) {
        const BlockStep& step = block.steps[i];
        if (!step.rests) continue;
        out.line("bool {} = true;", wakerOf(i));
        const ir::Class& cls = cpp.program.design.classes[step.instance.cls.index];
        for (const OutputAccess& output : step.activation.outputs) {
            const auto& place = std::get<AtElement>(output.place);
            const ir::Scalar& type = cls.body.locals[output.local.index].type.scalar;
            if (place.isKept) views.variable(place, nameOf(variableWord(type)));
        }
    }
    views.printKept(out);
    out.close(";");
    out.blank();
}

/// Of a block that is cut: units name its functions alike.
std::string nameOfFunction(const CppDesign& cpp, plan::CutFunction function) {
    return fmt::format("{}_{}", cpp.names.loops[function.kernel].inner, function.function + 1);
}

std::string parametersOf(const BlockPlan& block, const std::string& name) {
    return fmt::format(
        "([[maybe_unused]] const sme::Thread& thread, "
        "[[maybe_unused]] const sme::Slots& slots, [[maybe_unused]] const std::byte* "
        "__restrict read, [[maybe_unused]] std::byte* __restrict write, "
        "[[maybe_unused]] std::byte* __restrict state{})",
        block.hasResting ? fmt::format(", {}_kept& kept", name) : "");
}

const char* resultOf(const BlockPlan& block) { return block.mayEnd ? "bool" : "void"; }

void openFunction(const std::string& name, const BlockPlan& block, bool isInline, Writer& out) {
    if (block.runsUnobserved) out.line("template <bool isUnobserved>");
    out.open("{} {} {}{}", isInline ? "SME_INLINE_RUN" : "SME_BLOCK", resultOf(block), name,
             parametersOf(block, name));
}

void printFunction(const CppDesign& cpp, const BlockPlan& block, const BlockFunction& function,
                   const std::string& name, Writer& out) {
    Writer body;
    Names labels;
    body.setDepth(1);
    Views views;
    printKept(cpp, block, views, name, out);
    for (std::uint32_t i = function.begin; i < function.end; ++i)
        printStep(cpp, block, i, views, labels, body);
    openFunction(name, block, function.isInline, out);
    views.print(out);
    out.append(body.text());
    if (block.mayEnd) out.line("return true;");
    out.close();
    out.blank();
}

/// Of a block that is cut: what calls its functions, wherever they stand.
void printCalls(const CppDesign& cpp, std::uint32_t kernel, const BlockPlan& block, Writer& out) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < block.functions.size(); ++i)
        names.push_back(nameOfFunction(cpp, {kernel, i}));
    for (const std::string& name : names) {
        if (block.runsUnobserved) out.line("template <bool isUnobserved>");
        out.line("SME_BLOCK {} {}{};", resultOf(block), name, parametersOf(block, name));
    }
    out.blank();
    out.margin("namespace {");
    out.blank();
    openFunction(cpp.names.loops[kernel].inner, block, true, out);
    for (const std::string& name : names) {
        const std::string call = fmt::format("{}{}(thread, slots, read, write, state)", name,
                                             block.runsUnobserved ? "<isUnobserved>" : "");
        if (block.mayEnd)
            out.line("if (!{}) return false;", call);
        else
            out.line("{};", call);
    }
    if (block.mayEnd) out.line("return true;");
    out.close();
    out.blank();
    out.margin("}  // namespace");
    out.blank();
}

void printObserved(const BlockPlan& block, const std::string& name, const std::string& inner,
                   Writer& out) {
    out.open("void {}({})", name, kBlockParameters);
    if (block.hasResting) out.line("{}_kept kept;", inner);
    out.line("{}{}(thread, slots, slots.read, slots.write, slots.state{});", inner,
             block.runsUnobserved ? "<false>" : "", block.hasResting ? ", kept" : "");
    out.close();
    out.blank();
}

/// One unobserved cycle; behind it, where it may end, the number of those before it.
void printCycle(const BlockPlan& block, const std::string& inner, const char* slots,
                const char* cycles, Writer& out) {
    const std::string call =
        fmt::format("{}<true>(thread, {}, {}, state{})", inner, block.tellsCycle ? "now" : "first",
                    slots, block.hasResting ? ", kept" : "");
    if (block.mayEnd)
        out.line("if (!{}) [[unlikely]] return {};", call, cycles);
    else
        out.line("{};", call);
    if (block.tellsCycle) out.line("++now.cycle;");
}

void printUnobserved(const BlockPlan& block, const std::string& name, const std::string& inner,
                     Writer& out) {
    out.open("u64 {}_cycles(const sme::Thread& thread, const sme::Slots& first, u64 most)", name);
    if (block.hasResting) out.line("{}_kept kept;", inner);
    if (block.tellsCycle) out.line("sme::Slots now = first;");
    out.line("std::byte* __restrict const even = first.write;");
    out.line("std::byte* __restrict const odd = first.read;");
    out.line("std::byte* __restrict const state = first.state;");
    out.line("u64 cycle = 0;");
    if (block.runsPairs) {
        out.open("for (; cycle + 1 < most; cycle += 2)");
        printCycle(block, inner, "odd, even", "cycle", out);
        printCycle(block, inner, "even, odd", "cycle + 1", out);
        out.close();
    }
    out.open("for (; cycle < most; ++cycle)");
    printCycle(block, inner, "(cycle & 1) != 0 ? even : odd, (cycle & 1) != 0 ? odd : even",
               "cycle", out);
    out.close();
    out.line("return most;");
    out.close();
    out.blank();
}

}  // namespace

void printBlock(const CppDesign& cpp, std::uint32_t kernel, Writer& out) {
    const auto& block = std::get<BlockPlan>(cpp.program.kernels[kernel]);
    const std::string& inner = cpp.names.loops[kernel].inner;
    if (block.functions.size() == 1) {
        out.margin("namespace {");
        out.blank();
        printFunction(cpp, block, block.functions.front(), inner, out);
        out.margin("}  // namespace");
        out.blank();
    } else {
        printCalls(cpp, kernel, block, out);
    }
    const std::string& name = cpp.names.kernels[kernel];
    printObserved(block, name, inner, out);
    if (!block.runsUnobserved) return;
    printUnobserved(block, name, inner, out);
    printSettle(cpp, block, name, out);
}

void printBlockFunction(const CppDesign& cpp, plan::CutFunction function, Writer& out) {
    const auto& block = std::get<BlockPlan>(cpp.program.kernels[function.kernel]);
    const std::string name = nameOfFunction(cpp, function);
    printFunction(cpp, block, block.functions[function.function], name, out);
    if (!block.runsUnobserved) return;
    for (const char* isUnobserved : {"false", "true"})
        out.line("template {} {}<{}>{};", resultOf(block), name, isUnobserved,
                 parametersOf(block, name));
    out.blank();
}

}  // namespace smec::codegen::cpp
