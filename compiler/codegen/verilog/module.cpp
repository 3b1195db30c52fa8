#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "codegen/verilog/expression.h"
#include "codegen/verilog/verilog.h"
#include "codegen/verilog/wide.h"
#include "hdl/linear_place.h"
#include "hdl/module_builder.h"
#include "ir/arithmetic.h"

namespace smec::codegen::verilog {

using namespace hdl;

namespace {

class ModulePrinter {
public:
    ModulePrinter(const hdl::Design& design, const Module& module, const SourceManager& sources,
                  const Options& options)
        : design_(design),
          module_(module),
          sources_(sources),
          options_(options),
          expressions_(module, options.dialect),
          reset_(options.reset.name()) {}

    std::string run() {
        header();
        const std::size_t front = out_.size();
        signals();
        switch (module_.kind) {
        case Kind::Network: instances(); break;
        case Kind::Clocked: clocked(); break;
        case Kind::Combinational: combinational(); break;
        case Kind::Delay: delay(); break;
        case Kind::Foreign: break;
        }
        std::string body = out_.substr(front);
        out_.resize(front);
        functions();
        out_ += body + "endmodule\n";
        return std::move(out_);
    }

private:
    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        out_.append(depth_ * 4, ' ');
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
        out_ += '\n';
    }

    std::string placeOf(SourceRange range) const {
        if (!range.valid()) return {};
        const std::string& path = sources_.path(range.file);
        const std::size_t slash = path.find_last_of('/');
        return fmt::format("{}:{}", slash == std::string::npos ? path : path.substr(slash + 1),
                           sources_.lineNumber(range.file, range.begin));
    }

    // ------------------------------------------------------------ header

    void header() {
        const std::string place = placeOf(module_.range);
        const char* kind = module_.kind == Kind::Network ? "network"
                           : module_.kind == Kind::Delay ? "delay line"
                                                         : "process";
        line("// {} {}{}{}", kind, module_.title, place.empty() ? "" : ", ", place);
        line("`default_nettype none");
        // a reader of a bus need not look at every bit, and a parameter may settle a comparison
        line("/* verilator lint_off UNUSEDSIGNAL */");
        const bool hasParameters =
            std::any_of(module_.signals.begin(), module_.signals.end(),
                        [](const Signal& signal) { return signal.role == Role::Parameter; });
        if (hasParameters) {
            line("/* verilator lint_off UNSIGNED */");
            line("/* verilator lint_off CMPCONST */");
        }
        if (!place.empty()) line("(* src = \"{}\" *)", place);
        std::vector<std::string> parameters, ports;
        for (const Signal& signal : module_.signals)
            if (signal.role == Role::Parameter)
                parameters.push_back(fmt::format(
                    "    parameter {} = {}",
                    named(declared(signal.type, 1, isOld() ? "" : "logic"), signal.name),
                    literal(0, signal.type)));
        if (module_.hasClock) {
            ports.push_back("    input  " + net(Type{}) + " clk");
            ports.push_back("    input  " + net(Type{}) + " " + reset_);
        }
        for (const Signal& signal : module_.signals) {
            const std::string wire = net(signal.type, signal.elements());
            if (signal.role == Role::Input)
                ports.push_back(fmt::format("    input  {} {}", wire, signal.name));
            if (signal.role != Role::Output) continue;
            const bool isWire = module_.kind == Kind::Network || (isOld() && isAssignedOutside());
            ports.push_back(fmt::format("    output {} {}",
                                        isWire ? wire : variable(signal.type, signal.elements()),
                                        signal.name));
        }
        out_ += "module " + module_.name;
        if (!parameters.empty()) out_ += fmt::format(" #(\n{}\n)", fmt::join(parameters, ",\n"));
        out_ += ports.empty() ? ";\n" : fmt::format(" (\n{}\n);\n", fmt::join(ports, ",\n"));
        depth_ = 1;
    }

    bool isOld() const { return options_.isVerilog2005(); }

    std::string variable(const Type& type, std::uint64_t elements = 1) const {
        return declared(type, elements, isOld() ? "reg" : "logic");
    }
    /// Of a port.
    std::string net(const Type& type, std::uint64_t elements = 1) const {
        return declared(type, elements, isOld() ? "wire" : "wire logic");
    }
    static std::string named(const std::string& type, const std::string& name) {
        return type.empty() ? name : type + " " + name;
    }
    /// Outputs are set by `assign`, not in a process.
    bool isAssignedOutside() const {
        return module_.kind == Kind::Delay || (module_.kind == Kind::Combinational && isConstant());
    }

    /// Its first line. `name` gives the result.
    void openFunction(const std::string& name, const Type& result, const Type& argument,
                      const char* argumentName) {
        const char* keyword = isOld() ? "" : "logic";
        line("function automatic {}(input {});", named(declared(result, 1, keyword), name),
             named(declared(argument, 1, keyword), argumentName));
        ++depth_;
    }
    void closeFunction() {
        --depth_;
        line("endfunction");
    }

    /// Constant arrays, counts of bits, and changes of width that Verilog-2005 has no operator for.
    void functions() {
        for (const Signal& signal : module_.signals) {
            if (signal.role != Role::Table) continue;
            const std::uint32_t width = indexWidth(signal.length);
            openFunction(signal.name, signal.type, {width, false, false}, "index");
            line("case (index)");
            ++depth_;
            for (std::size_t i = 0; i < signal.initial.size(); ++i)
                line("{}'d{}: {} = {};", width, i, signal.name,
                     literal(signal.initial[i], signal.type));
            line("default: {} = {};", signal.name, literal(0, signal.type));
            --depth_;
            line("endcase");
            closeFunction();
        }
        for (const auto& [width, result] : popcounts(module_)) {
            const std::string name = fmt::format("popcount_{}_{}", width, result);
            openFunction(name, {result, false, false}, {width, false, false}, "value");
            line("integer k;");
            line("begin");
            line("    {} = {}'d0;", name, result);
            line("    for (k = 0; k < {}; k = k + 1)", width);
            line("        if (value{2}) {0} = {0} + {1}'d1;", name, result,
                 width == 1 ? "" : "[k]");
            line("end");
            closeFunction();
        }
        for (const ExpressionPrinter::Change& change : expressions_.changes()) {
            openFunction(change.name(), change.to(), change.from(), "value");
            if (change.isSigned)
                line("{} = {{{{{}{{{}}}}}, value}};", change.name(),
                     change.toWidth - change.fromWidth,
                     change.fromWidth == 1 ? "value"
                                           : fmt::format("value[{}]", change.fromWidth - 1));
            else
                line("{} = value[{}:0];", change.name(), change.toWidth - 1);
            closeFunction();
        }
    }

    void signals() {
        for (const Signal& signal : module_.signals) {
            if (signal.role == Role::Constant)
                line("localparam {} = {};",
                     named(declared(signal.type, 1, isOld() ? "" : "logic"), signal.name),
                     literal(signal.initial.front(), signal.type));
            if (signal.role == Role::Wire)
                line("{} {};", declared(signal.type, signal.elements(), "wire"), signal.name);
            if (signal.role != Role::Register) continue;
            const bool isArray = signal.length != 0 && !signal.isPacked;
            if (isArray && !signal.isMemory) line("(* mem2reg *)");
            line("{} {}{};", variable(signal.type, isArray ? 1 : signal.elements()), signal.name,
                 isArray ? fmt::format(" [0:{}]", signal.length - 1) : "");
        }
    }

    // ------------------------------------------------------------ networks

    void instances() {
        std::size_t depth = 0;
        for (const Instance& instance : module_.instances)
            depth = std::max(depth, instance.loops.size());
        for (std::size_t i = 0; i < depth; ++i)
            line("genvar {};", loopVariable(i));
        for (const Instance& instance : module_.instances) {
            if (!instance.loops.empty()) line("generate");
            for (std::size_t i = 0; i < instance.loops.size(); ++i) {
                const Loop& loop = instance.loops[i];
                line("for ({0} = {1}; {0} < {2}; {0} = {0} + 1) begin : {3}", loopVariable(i),
                     loop.first, loop.first + loop.count, i == 0 ? instance.name : kInnerLoop);
                ++depth_;
            }
            print(instance);
            for (std::size_t i = 0; i < instance.loops.size(); ++i) {
                --depth_;
                line("end");
            }
            if (!instance.loops.empty()) line("endgenerate");
        }
    }

    void print(const Instance& instance) {
        const Module& inner = design_.modules[instance.module.index];
        std::vector<std::string> parameters, ports;
        for (const Argument& argument : instance.arguments) {
            parameters.push_back(
                fmt::format(".{}({})", argument.parameter, textOf(instance, argument, inner)));
            const LinearPlace place(instance, argument.value, argument.steps);
            if (isOld() && !place.isConstant() && inner.kind != Kind::Foreign)
                line("localparam [31:0] {} = {};", wide(argument), place.text());
        }
        if (inner.hasClock) {
            ports.emplace_back(".clk(clk)");
            ports.push_back(fmt::format(".{0}({0})", reset_));
        }
        for (const Actual& actual : instance.actuals)
            ports.push_back(fmt::format(".{}({})", actual.port, textOf(instance, actual)));
        std::string head = inner.name;
        if (!parameters.empty()) head += fmt::format(" #({})", fmt::join(parameters, ", "));
        const std::string name = instance.loops.empty() ? instance.name : kElement;
        if (ports.empty()) return line("{} {} ();", head, name);
        line("{} {} (", head, name);
        ++depth_;
        for (std::size_t i = 0; i < ports.size(); ++i)
            line("{}{}", ports[i], i + 1 < ports.size() ? "," : "");
        --depth_;
        line(");");
    }

    /// A number of the loop that Verilog-2005 has no cast for.
    static std::string wide(const Argument& argument) { return argument.parameter + "_wide"; }

    std::string textOf(const Instance& instance, const Argument& argument,
                       const Module& inner) const {
        const LinearPlace place(instance, argument.value, argument.steps);
        if (!place.isConstant() && inner.kind == Kind::Foreign) return place.text();
        if (!place.isConstant() && isOld())
            return fmt::format("{}[{}:0]", wide(argument), argument.width - 1);
        if (!place.isConstant()) return fmt::format("{}'({})", argument.width, place.text());
        const Type type{argument.width, argument.value < 0, false};
        // a parameter written by hand has no width, mostly
        const bool isPlain = inner.kind == Kind::Foreign && isIntegerOfAll(argument.value);
        return isPlain ? argument.value.str() : literal(argument.value, type);
    }

    /// Element 0 in the low bits.
    std::string textOf(const Instance& instance, const Actual& actual) const {
        std::vector<std::string> parts;
        for (const Actual::Part& part : actual.parts) {
            if (part.signal.valid()) {
                parts.push_back(textOf(instance, part));
                continue;
            }
            for (const Integer& value : part.values)
                parts.push_back(literal(ir::wrapInteger(value, part.type.width, false),
                                        {part.type.width, false, part.type.isBool}));
        }
        if (parts.size() == 1) return parts.front();
        std::reverse(parts.begin(), parts.end());
        return fmt::format("{{{}}}", fmt::join(parts, ", "));
    }

    std::string textOf(const Instance& instance, const Actual::Part& part) const {
        const Signal& signal = module_[part.signal];
        if (part.count == 0) return signal.name;
        const std::uint32_t width = part.count * signal.type.width;
        const LinearPlace place(instance, part.first, part.steps);
        if (place.isConstant()) {
            const std::int64_t low = part.first * signal.type.width;
            if (width == 1) return fmt::format("{}[{}]", signal.name, low);
            return fmt::format("{}[{}:{}]", signal.name, low + width - 1, low);
        }
        if (signal.type.width == 1 && width == 1)
            return fmt::format("{}[{}]", signal.name, place.text());
        return fmt::format("{}[{} * {} +: {}]", signal.name, place.operand(), signal.type.width,
                           width);
    }

    // ------------------------------------------------------------ processes

    static bool isArray(const Signal& signal) { return signal.length != 0 && !signal.isPacked; }

    std::string initialOf(const Signal& signal) const {
        if (signal.initialFrom) return module_[*signal.initialFrom].name;
        if (signal.length == 0) return literal(signal.initial.front(), signal.type);
        if (signal.initial.size() == 1)
            return fmt::format("{{{}{{{}}}}}", signal.length,
                               literal(ir::wrapInteger(signal.initial[0], signal.type.width, false),
                                       {signal.type.width, false, signal.type.isBool}));
        std::vector<std::string> parts;
        for (const Integer& value : signal.initial)
            parts.push_back(literal(ir::wrapInteger(value, signal.type.width, false),
                                    {signal.type.width, false, signal.type.isBool}));
        std::reverse(parts.begin(), parts.end());
        return fmt::format("{{{}}}", fmt::join(parts, ", "));
    }

    /// All elements, element 0 in the low bits.
    static Integer contentsOf(const Signal& signal) {
        Integer all = 0;
        for (std::size_t i = signal.elements(); i-- > 0;) {
            const Integer& value = signal.initial[signal.initial.size() == 1 ? 0 : i];
            all = (all << signal.type.width) | ir::wrapInteger(value, signal.type.width, false);
        }
        return all;
    }

    void setInitial(const Signal& signal, const char* assign) {
        const std::uint64_t width = signal.type.width * signal.elements();
        if (signal.initialFrom) return setFrom(signal.name, assign, *signal.initialFrom);
        const Integer value = contentsOf(signal);
        if (isSpoilt(value, width)) return setParts(signal.name, 0, width, assign, value);
        line("{} {} {};", signal.name, assign, initialOf(signal));
    }

    /// From a parameter, as wide as the signal.
    void setFrom(const std::string& name, const char* assign, SignalId from) {
        const Signal& parameter = module_[from];
        if (parameter.type.width <= kSafe) return line("{} {} {};", name, assign, parameter.name);
        for (const Part& part : partsOf(parameter.type.width))
            line("{0}[{1} +: {2}] {3} {4}[{1} +: {2}];", name, part.low, part.width, assign,
                 parameter.name);
    }

    /// Bits of a vector that Verilator would spoil, one after the other.
    void setParts(const std::string& name, std::uint64_t low, std::uint64_t width,
                  const std::string& assign, const Integer& value) {
        const Integer bits = ir::wrapInteger(value, static_cast<std::uint32_t>(width), false);
        for (const Part& part : partsOf(width)) {
            const auto partWidth = static_cast<std::uint32_t>(part.width);
            const Integer piece = ir::wrapInteger(bits >> part.low, partWidth, false);
            line("{}[{}:{}] {} {};", name, low + part.low + part.width - 1, low + part.low, assign,
                 literal(piece, {partWidth, false, false}));
        }
    }

    void initialise(const Signal& signal, const char* assign) {
        if (!isArray(signal)) return setInitial(signal, assign);
        if (signal.initialFrom) {
            const std::string from = module_[*signal.initialFrom].name;
            for (std::uint32_t k = 0; k < signal.length; ++k)
                line("{}[{}] {} {}[{} +: {}];", signal.name, k, assign, from, k * signal.type.width,
                     signal.type.width);
        } else if (signal.initial.size() == 1) {
            line("for (k = 0; k < {}; k = k + 1) {}[k] {} {};", signal.length, signal.name, assign,
                 literal(signal.initial[0], signal.type));
        } else {
            for (std::size_t k = 0; k < signal.initial.size(); ++k)
                line("{}[{}] {} {};", signal.name, k, assign,
                     literal(signal.initial[k], signal.type));
        }
    }

    bool needsLoop(const Block& block) const {
        return std::any_of(block.begin(), block.end(), [&](const Stmt& stmt) {
            if (const auto* copy = std::get_if<hdl::CopyArray>(&stmt.node))
                return isArray(module_[copy->to]) || isArray(module_[copy->from]);
            if (const auto* fill = std::get_if<FillArray>(&stmt.node))
                return isArray(module_[fill->to]);
            if (const auto* branch = std::get_if<If>(&stmt.node))
                return needsLoop(branch->yes) || needsLoop(branch->no);
            if (const auto* choice = std::get_if<Case>(&stmt.node))
                return needsLoop(choice->otherwise)
                       || std::any_of(choice->choices.begin(), choice->choices.end(),
                                      [&](const Choice& one) { return needsLoop(one.body); });
            return false;
        });
    }

    static bool holdsAssert(const Block& block) {
        return std::any_of(block.begin(), block.end(), [](const Stmt& stmt) {
            if (const auto* branch = std::get_if<If>(&stmt.node))
                return holdsAssert(branch->yes) || holdsAssert(branch->no);
            if (const auto* choice = std::get_if<Case>(&stmt.node))
                return holdsAssert(choice->otherwise)
                       || std::any_of(choice->choices.begin(), choice->choices.end(),
                                      [](const Choice& one) { return holdsAssert(one.body); });
            return std::holds_alternative<Assert>(stmt.node);
        });
    }

    bool initialNeedsLoop(bool isReset) const {
        return std::any_of(module_.signals.begin(), module_.signals.end(), [&](const Signal& s) {
            return isArray(s) && s.isRegister && !s.initialFrom && s.initial.size() == 1
                   && !(isReset && s.isMemory);
        });
    }

    void locals(bool needsCounter) {
        for (const Signal& signal : module_.signals)
            if (signal.role == Role::Local)
                line("{} {};", variable(signal.type, signal.elements()), signal.name);
        if (needsCounter) line("integer k;");
    }

    void contents() {
        const bool some = std::any_of(module_.signals.begin(), module_.signals.end(),
                                      [](const Signal& s) { return s.isRegister && s.isMemory; });
        if (!some) return;
        line("initial begin : contents");
        ++depth_;
        if (std::any_of(module_.signals.begin(), module_.signals.end(), [&](const Signal& s) {
                return s.isMemory && !s.initialFrom && s.initial.size() == 1;
            }))
            line("integer k;");
        for (const Signal& signal : module_.signals)
            if (signal.isRegister && signal.isMemory) initialise(signal, "=");
        --depth_;
        line("end");
    }

    void clocked() {
        contents();
        const bool hasBlocking =
            std::any_of(module_.signals.begin(), module_.signals.end(),
                        [](const Signal& signal) { return signal.isBlocking; });
        if (hasBlocking) {
            line("// arrays of the process that it reads behind places that set them");
            line("/* verilator lint_off BLKSEQ */");
        }
        clockedHead();
        ++depth_;
        locals(needsLoop(module_.body) || initialNeedsLoop(true));
        line("if ({}{}) begin", options_.reset.isActiveLow ? "!" : "", reset_);
        ++depth_;
        for (const Signal& signal : module_.signals)
            if (signal.isRegister && !signal.isMemory)
                initialise(signal, signal.isBlocking ? "=" : "<=");
        --depth_;
        line("end else begin");
        ++depth_;
        statements(module_.body);
        for (const Signal& signal : module_.signals)
            if (module_.usesCycle && signal.name == "cycle") line("cycle <= cycle + 64'd1;");
        --depth_;
        line("end");
        --depth_;
        line("end");
        if (hasBlocking) line("/* verilator lint_on BLKSEQ */");
    }

    void clockedHead() {
        const std::string edge =
            options_.reset.isAsync ? fmt::format(
                " or {} {}", options_.reset.isActiveLow ? "negedge" : "posedge", reset_)
                                   : "";
        line("{} @(posedge clk{}) begin : process_body",
             isOld() || holdsAssert(module_.body) ? "always" : "always_ff", edge);
    }

    void combinational() {
        if (module_.usesCycle) {
            clockedHead();
            line("    if ({}{}) cycle <= 64'd0;", options_.reset.isActiveLow ? "!" : "", reset_);
            line("    else cycle <= cycle + 64'd1;");
            line("end");
        }
        if (isConstant()) return constants();
        begin();
        line("begin : {}", kLogic);
        ++depth_;
        line("{} unused_start;", variable(Type{}));
        locals(false);
        line("unused_start = start;");
        statements(module_.body);
        --depth_;
        line("end");
    }

    /// The head of what is computed from time 0 on: not all simulators run `always @*` before a
    /// signal changes, and Icarus 11 may run an always_comb for ever then.
    void begin() {
        const char* moving = "reg start = 1'b0;\n    initial start <= 1'b1;";
        const char* still = "wire start = 1'b1;";
        if (isOld()) {
            out_ += "`ifdef SYNTHESIS\n";
            line("{}", still);
            out_ += "`elsif VERILATOR\n";
            line("{}", still);
            out_ += "`else\n";
            line("{}", moving);
            out_ += "`endif\n";
            return line("always @*");
        }
        out_ += "`ifdef __ICARUS__\n";
        line("{}", moving);
        line("always @*");
        out_ += "`else\n";
        line("{}", still);
        line("always_comb");
        out_ += "`endif\n";
    }

    /// Outputs are always the same.
    bool isConstant() const {
        return std::all_of(module_.body.begin(), module_.body.end(), [&](const Stmt& stmt) {
            const auto* set = std::get_if<Assign>(&stmt.node);
            return set && !set->index.valid() && module_[set->value].op == Op::Const;
        });
    }

    void constants() {
        for (std::size_t i = 0; i < module_.signals.size(); ++i) {
            if (module_.signals[i].role != Role::Output) continue;
            const Assign* last = nullptr;
            for (const Stmt& stmt : module_.body)
                if (std::get<Assign>(stmt.node).to.index == i) last = &std::get<Assign>(stmt.node);
            if (!last) continue;
            const Expr& value = module_[last->value];
            const std::string name = "assign " + module_.signals[i].name;
            if (isSpoilt(value.value, value.type.width))
                setParts(name, 0, value.type.width, "=", value.value);
            else
                line("{} = {};", name, expressions_.text(last->value));
        }
    }

    /// One for each cycle of delay.
    Integer repeated(const Integer& value, std::uint64_t width) const {
        Integer all = 0;
        for (std::uint32_t i = 0; i < module_.delay; ++i)
            all = (all << width) | value;
        return all;
    }

    void delay() {
        const Signal& in = module_.signals[0];
        const Signal& out = module_.signals[1];
        const std::uint64_t width = out.type.width * out.elements();
        const std::uint64_t all = width * module_.delay;
        std::string initial = initialOf(out);
        if (out.length == 0) initial = "{" + initial + "}";
        line("{} line;", variable({static_cast<std::uint32_t>(all), false, false}));
        clockedHead();
        ++depth_;
        const Integer value = out.initialFrom ? Integer(0) : repeated(contentsOf(out), width);
        if (isSpoilt(value, all)) {
            line("if ({}{}) begin", options_.reset.isActiveLow ? "!" : "", reset_);
            ++depth_;
            setParts("line", 0, all, "<=", value);
            --depth_;
            line("end");
        } else {
            line("if ({}{}) line <= {{{}{{{}}}}};", options_.reset.isActiveLow ? "!" : "", reset_,
                 module_.delay, initial);
        }
        if (module_.delay == 1)
            line("else line <= {};", in.name);
        else
            line("else line <= {{line[{}:0], {}}};", all - width - 1, in.name);
        --depth_;
        line("end");
        if (module_.delay == 1)
            line("assign {} = line;", out.name);
        else
            line("assign {} = line[{}:{}];", out.name, all - 1, all - width);
    }

    // ------------------------------------------------------------ statements

    void statements(const Block& block) {
        SourceRange last;
        for (std::size_t i = 0; i < block.size(); ++i) {
            const Stmt& stmt = block[i];
            const std::string place = placeOf(stmt.range);
            if (!place.empty() && placeOf(last) != place) line("// {}", place);
            if (stmt.range.valid()) last = stmt.range;
            if (const std::size_t count = constantRun(block, i); count > 0) {
                i += count - 1;
                continue;
            }
            std::visit([&](const auto& node) { statement(node); }, stmt.node);
        }
    }

    /// Constants for elements that follow each other, which Verilator makes one constant of, as
    /// parts of that if it would spoil it. How many statements that were.
    std::size_t constantRun(const Block& block, std::size_t first) {
        const auto* head = std::get_if<Assign>(&block[first].node);
        if (!head || !head->index.valid() || !module_[head->to].isPacked) return 0;
        const std::uint32_t width = module_[head->to].type.width;
        std::uint64_t low = 0;
        Integer value = 0;
        std::size_t count = 0;
        for (std::size_t i = first; i < block.size(); ++i, ++count) {
            const auto* next = std::get_if<Assign>(&block[i].node);
            if (!next || next->to != head->to || !next->index.valid()) break;
            const Expr& index = module_[next->index];
            const Expr& element = module_[next->value];
            if (index.op != Op::Const || element.op != Op::Const) break;
            if (i == first) low = static_cast<std::uint64_t>(index.value);
            if (index.value != low + count) break;
            value |= ir::wrapInteger(element.value, width, false) << (count * width);
        }
        if (!isSpoilt(value, count * width)) return 0;
        setParts(module_[head->to].name, low * width, count * width, symbol(head->to), value);
        return count;
    }

    const char* symbol(SignalId id) const {
        const Signal& signal = module_[id];
        return signal.isRegister && !signal.isBlocking ? "<=" : "=";
    }

    void statement(const Assign& node) {
        const Expr& value = module_[node.value];
        const std::string to = expressions_.place(node.to, node.index);
        if (!node.index.valid() && value.op == Op::Const && isSpoilt(value.value, value.type.width))
            return setParts(to, 0, value.type.width, symbol(node.to), value.value);
        if (!node.index.valid() && value.op == Op::Ref
            && module_[value.signal].role == Role::Parameter)
            return setFrom(to, symbol(node.to), value.signal);
        line("{} {} {};", to, symbol(node.to), expressions_.text(node.value));
    }

    void statement(const hdl::CopyArray& node) {
        const Signal& to = module_[node.to];
        const Signal& from = module_[node.from];
        if (!isArray(to) && !isArray(from))
            return line("{} {} {};", to.name, symbol(node.to), from.name);
        const auto at = [](const Signal& signal) {
            if (isArray(signal)) return signal.name + "[k]";
            if (signal.length == 1) return signal.name;
            return fmt::format("{}[k * {} +: {}]", signal.name, signal.type.width,
                               signal.type.width);
        };
        line("for (k = 0; k < {}; k = k + 1) {} {} {};", to.length, at(to), symbol(node.to),
             at(from));
    }

    void statement(const FillArray& node) {
        const Signal& to = module_[node.to];
        const std::string value = expressions_.text(node.value);
        const Expr& constant = module_[node.value];
        if (!isArray(to) && constant.op == Op::Const) {
            Signal all = to;
            all.initial = {constant.value};
            all.initialFrom.reset();
            return setInitial(all, symbol(node.to));
        }
        if (isArray(to))
            return line("for (k = 0; k < {}; k = k + 1) {}[k] {} {};", to.length, to.name,
                        symbol(node.to), value);
        line("{} {} {{{}{{{}}}}};", to.name, symbol(node.to), to.length, value);
    }

    void nested(const Block& block) {
        ++depth_;
        statements(block);
        --depth_;
    }

    void statement(const If& node) {
        line("if ({}) begin", expressions_.text(node.condition));
        nested(node.yes);
        const Block* rest = &node.no;
        while (rest->size() == 1 && std::holds_alternative<If>(rest->front().node)) {
            const If& next = std::get<If>(rest->front().node);
            line("end else if ({}) begin", expressions_.text(next.condition));
            nested(next.yes);
            rest = &next.no;
        }
        if (!rest->empty()) {
            line("end else begin");
            nested(*rest);
        }
        line("end");
    }

    void statement(const Case& node) {
        const Type type = module_[node.subject].type;
        line("case ({})", expressions_.text(node.subject));
        ++depth_;
        for (const Choice& choice : node.choices) {
            std::vector<std::string> labels;
            for (const Integer& label : choice.labels)
                labels.push_back(literal(label, type));
            line("{}: begin", fmt::join(labels, ", "));
            nested(choice.body);
            line("end");
        }
        line("default: begin");
        nested(node.otherwise);
        line("end");
        --depth_;
        line("endcase");
    }

    void statement(const Assert& node) {
        if (module_.kind != Kind::Clocked) return;
        std::string text, args;
        for (std::size_t i = 0; i < node.pieces.size(); ++i) {
            if (i > 0) text += "%0d";
            for (const char c : node.pieces[i]) {
                if (c == '"' || c == '\\') text += '\\';
                if (c == '%') text += '%';
                text += c == '\n' ? ' ' : c;
            }
        }
        for (const ExprId arg : node.args)
            args += ", " + expressions_.text(arg);
        out_ += "`ifndef SYNTHESIS\n";
        const std::string condition = expressions_.text(node.condition);
        if (isOld())
            line("if (!({})) $display(\"%m: {}\"{});", condition, text, args);
        else
            line("assert ({}) else $error(\"{}\"{});", condition, text, args);
        out_ += "`endif\n";
    }

    static constexpr const char* kLogic = "process_logic";
    static constexpr std::uint32_t kSafe = 256;  ///< bits of a constant that no tool spoils

    const hdl::Design& design_;
    const Module& module_;
    const SourceManager& sources_;
    const Options& options_;
    ExpressionPrinter expressions_;
    std::string reset_;
    std::string out_;
    std::size_t depth_ = 0;
};

}  // namespace

std::map<std::string, std::string> print(const hdl::Design& design, const SourceManager& sources,
                                         const Options& options) {
    std::map<std::string, std::string> files;
    for (const Module& module : design.modules)
        if (module.kind != Kind::Foreign)
            files[module.name + options.suffix()] =
                ModulePrinter(design, module, sources, options).run();
    return files;
}

}  // namespace smec::codegen::verilog
