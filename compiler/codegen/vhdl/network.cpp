#include "codegen/vhdl/network.h"

#include <algorithm>
#include <utility>

#include "codegen/hdl_writer.h"
#include "codegen/vhdl/spelling.h"
#include "hdl/linear_place.h"
#include "hdl/names.h"
#include "ir/arithmetic.h"
#include "source/internal_error.h"

// An actual that is one signal of the port's type stands in the port map itself. All others are put
// together, or taken apart, by assignments beside it:
//
//   signal merge_from : unsigned(23 downto 0);
//   merge_from(7 downto 0) <= a_v;  …
//   merge : entity work.merge port map (…, from => merge_from);

namespace smec::codegen::vhdl {

using namespace hdl;

namespace {

std::uint32_t widthOfPart(const Module& module, const Actual::Part& part) {
    if (!part.signal.valid())
        return static_cast<std::uint32_t>(part.type.width * part.values.size());
    const Signal& signal = module[part.signal];
    return part.count == 0 ? widthOf(signal) : part.count * signal.type.width;
}

class NetworkPrinter {
public:
    NetworkPrinter(const Design& design, const Module& module, const Options& options,
                   const Probed* copies)
        : design_(design), module_(module), options_(options), copies_(copies) {
        for (const char* name : {"clk", "rst", "rst_n"})
            names_.take(name);
        for (const Signal& signal : module.signals)
            names_.take(signal.name);
        for (const Instance& instance : module.instances)
            names_.take(instance.name);
        if (copies) names_.take("probes");
        declarations_.in();
        shownSignals_.in();
        code_.in();
    }

    Architecture run() {
        for (const Signal& signal : module_.signals)
            if (signal.role == Role::Wire)
                declarations_.line("signal {} : {} := {};", identifier(signal.name),
                                   declared(signal), initialOf(module_, signal));
        for (const Instance& instance : module_.instances) {
            if (instance.loops.empty())
                print(instance);
            else
                printLoops(instance);
        }
        if (copies_) show();
        declarations_.append(shownSignals_.text());
        return {declarations_.text(), code_.text()};
    }

private:
    static const Signal& named(const Module& module, const std::string& name) {
        const auto at = std::find_if(module.signals.begin(), module.signals.end(),
                                     [&](const Signal& signal) { return signal.name == name; });
        require(at != module.signals.end(), "a port that its module does not have");
        return *at;
    }

    void printLoops(const Instance& instance) {
        Writer declarations, code;
        for (std::size_t i = 0; i <= instance.loops.size(); ++i) {
            declarations.in();
            code.in();
        }
        std::swap(declarations, declarations_);
        std::swap(code, code_);
        print(instance);
        std::swap(declarations, declarations_);
        std::swap(code, code_);
        for (std::size_t i = 0; i < instance.loops.size(); ++i) {
            const Loop& loop = instance.loops[i];
            code_.line("{} : for {} in {} to {} generate",
                       i == 0 ? identifier(instance.name) : kInnerLoop, loopVariable(i), loop.first,
                       loop.first + loop.count - 1);
            code_.in();
        }
        code_.append(declarations.text());
        code_.out();
        code_.line("begin");
        code_.in();
        code_.append(code.text());
        for (std::size_t i = 0; i < instance.loops.size(); ++i) {
            code_.out();
            code_.line("end generate;");
        }
    }

    void print(const Instance& instance) {
        const Module& inner = design_.modules[instance.module.index];
        std::vector<std::string> generics, ports;
        for (const Argument& argument : instance.arguments)
            generics.push_back(fmt::format("{} => {}", identifier(argument.parameter),
                                           generic(instance, argument, inner)));
        if (inner.hasClock) {
            ports.emplace_back("clk => clk");
            ports.push_back(fmt::format("{0} => {0}", options_.name()));
        }
        for (const Actual& actual : instance.actuals)
            ports.push_back(fmt::format("{} => {}", identifier(actual.port),
                                        textOf(instance, named(inner, actual.port), actual)));
        const Probed::Copy* copy = copies_ ? &copies_->copies[instance.module.index] : nullptr;
        const bool isCopy = copy && copy->width != 0;
        if (isCopy)
            ports.push_back(fmt::format("{} => {}", copy->port, shown(instance, copy->width)));
        const bool isBare = generics.empty() && ports.empty();
        code_.line("{} : entity work.{}{}",
                   instance.loops.empty() ? identifier(instance.name) : kElement,
                   isCopy ? copy->name : identifier(inner.name), isBare ? ";" : "");
        code_.in();
        map("generic", generics, ports.empty());
        map("port", ports, true);
        code_.out();
    }

    /// Those of an entity written by hand are integers and booleans, where they can.
    static std::string generic(const Instance& instance, const Argument& argument,
                               const Module& inner) {
        const Type type = named(inner, argument.parameter).type;
        const LinearPlace place(instance, argument.value, argument.steps);
        const bool isPlain = inner.kind == Kind::Foreign;
        if (!place.isConstant())
            return isPlain ? place.text()
                           : fmt::format("{}({}, {})", type.isSigned ? "to_signed" : "to_unsigned",
                                         place.text(), type.width);
        if (!isPlain || !isIntegerOfAll(argument.value)) return literal(argument.value, type);
        if (type.isBool) return argument.value == 0 ? "false" : "true";
        return argument.value.str();
    }

    /// The signal for what a network within this one shows, or its part for one round.
    std::string shown(const Instance& instance, std::uint32_t width) {
        std::string& name = shown_[instance.name];
        name = names_.take(instance.name + "_probes");
        const std::uint64_t all = width * instance.rounds();
        shownSignals_.line("signal {} : unsigned({} downto 0);", name, all - 1);
        if (instance.loops.empty()) return name;
        const std::string round = roundText(instance);
        return fmt::format("{0}(({1}) * {2} + {3} downto ({1}) * {2})", name, round, width,
                           width - 1);
    }

    void show() {
        const Probed::Copy& own =
            copies_->copies[static_cast<std::size_t>(&module_ - design_.modules.data())];
        for (const auto& [signal, low] : own.signals) {
            const std::uint32_t width = widthOf(module_.signals[signal]);
            const Form form = formOf(module_.signals[signal]);
            const std::string name = identifier(module_.signals[signal].name);
            code_.line("{}({} downto {}) <= {};", own.port, low + width - 1, low,
                       converted(name, form, Form::Unsigned));
        }
        for (const auto& [instance, low] : own.instances) {
            code_.line("{0}({1} downto {2}) <= {3};", own.port, low + widthOfProbes(instance) - 1,
                       low, shown_.at(instance));
        }
    }

    std::uint32_t widthOfProbes(const std::string& instance) const {
        for (const Instance& one : module_.instances)
            if (one.name == instance)
                return static_cast<std::uint32_t>(copies_->copies[one.module.index].width
                                                  * one.rounds());
        throw InternalError("a probe within an instance that is not there");
    }

    void map(const char* kind, const std::vector<std::string>& entries, bool isLast) {
        if (entries.empty()) return;
        code_.line("{} map (", kind);
        for (std::size_t i = 0; i < entries.size(); ++i)
            code_.line("    {}{}", entries[i], i + 1 < entries.size() ? "," : "");
        code_.line("){}", isLast ? ";" : "");
    }

    std::string textOf(const Instance& instance, const Signal& port, const Actual& actual) {
        if (actual.parts.size() == 1) {
            const Actual::Part& part = actual.parts.front();
            if (part.signal.valid() && part.count == 0
                && declared(module_[part.signal]) == declared(port))
                return identifier(module_[part.signal].name);
            if (part.signal.valid() && part.count != 0 && formOf(port) != Form::Signed)
                return placeOf(instance, part, formOf(port));
            if (!part.signal.valid() && port.length == 0)
                return constantSignal(instance.name + "_" + port.name, part, port.type);
        }
        const std::string name = names_.take(instance.name + "_" + port.name);
        declarations_.line("signal {} : {} := {};", name, declared(port), zero(port));
        std::uint32_t low = 0;
        for (const Actual::Part& part : actual.parts) {
            const std::uint32_t width = widthOfPart(module_, part);
            const bool isAll = width == widthOf(port);
            connect(instance, name, port, part, isAll, low, width);
            low += width;
        }
        return name;
    }

    /// A literal itself would come to the port after the first activation of its processes.
    std::string constantSignal(const std::string& wanted, const Actual::Part& part,
                               const Type& type) {
        const std::string name = names_.take(wanted), value = literal(part.values.front(), type);
        declarations_.line("signal {} : {} := {};", name, declared(type), value);
        code_.line("{} <= {};", name, value);
        return name;
    }

    static std::string zero(const Signal& signal) {
        if (signal.length == 0) return literal(0, signal.type);
        return literal(0, {widthOf(signal), false, false});
    }

    /// Elements of a vector: one bit for Form::Logic.
    std::string placeOf(const Instance& instance, const Actual::Part& part, Form form) const {
        const Signal& signal = module_[part.signal];
        const std::string name = identifier(signal.name);
        const LinearPlace place(instance, part.first, part.steps);
        const std::string first =
            place.isConstant()       ? std::to_string(part.first * signal.type.width)
            : signal.type.width == 1 ? place.text()
                                     : fmt::format("{} * {}", place.operand(), signal.type.width);
        if (form == Form::Logic) return fmt::format("{}({})", name, first);
        const std::uint32_t more = widthOfPart(module_, part) - 1;
        if (place.isConstant())
            return fmt::format("{}({} downto {})", name, part.first * signal.type.width + more,
                               first);
        return fmt::format("{0}({1} + {2} downto {1})", name, first, more);
    }

    void connect(const Instance& instance, const std::string& whole, const Signal& port,
                 const Actual::Part& part, bool isAll, std::uint32_t low, std::uint32_t width) {
        std::string place = whole;
        Form form = formOf(port);
        const bool isPiece = part.count != 0;
        const Form other = isPiece
                               ? (width == 1 && form != Form::Signed ? Form::Logic : Form::Unsigned)
                           : part.signal.valid() ? formOf(module_[part.signal])
                                                 : form;
        if (!isAll || (form == Form::Unsigned && other == Form::Logic)) {
            const bool isBit = other == Form::Logic;
            place += isBit ? fmt::format("({})", low)
                           : fmt::format("({} downto {})", low + width - 1, low);
            form = isBit ? Form::Logic : Form::Unsigned;
        }
        if (!part.signal.valid()) return code_.line("{} <= {};", place, constant(part, width));
        const std::string name =
            isPiece ? placeOf(instance, part, other) : identifier(module_[part.signal].name);
        if (port.role == Role::Input)
            code_.line("{} <= {};", place, converted(name, other, form));
        else
            code_.line("{} <= {};", name, converted(place, form, other));
    }

    static std::string constant(const Actual::Part& part, std::uint32_t width) {
        Integer all = 0;
        for (std::size_t i = part.values.size(); i-- > 0;)
            all =
                (all << part.type.width) | ir::wrapInteger(part.values[i], part.type.width, false);
        return literal(all, {width, false, false});
    }

    const Design& design_;
    const Module& module_;
    const Options& options_;
    const Probed* copies_;
    std::map<std::string, std::string> shown_;  ///< by instance
    Names names_;
    Writer declarations_, code_;
    Writer shownSignals_;  ///< outside of all loops
};

}  // namespace

Architecture networkOf(const Design& design, const Module& module, const Options& options,
                       const Probed* copies) {
    return NetworkPrinter(design, module, options, copies).run();
}

}  // namespace smec::codegen::vhdl
