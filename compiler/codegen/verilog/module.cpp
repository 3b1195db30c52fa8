#include <algorithm>
#include <vector>

#include "codegen/verilog/called.h"
#include "codegen/verilog/contents.h"
#include "codegen/verilog/expression.h"
#include "codegen/verilog/functions.h"
#include "codegen/verilog/network.h"
#include "codegen/verilog/process.h"
#include "codegen/verilog/verilog.h"
#include "hdl/module_builder.h"
#include "hdl/unread.h"
#include "hdl/walk.h"

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
          isUnread_(unreadSignals(design, module)),
          expressions_(module, options.dialect) {}

    std::string run() {
        header();
        Writer body(1);
        signals(body);
        if (module_.kind == Kind::Network)
            printNetwork(design_, module_, options_, body);
        else
            printProcess(module_, sources_, options_, expressions_, body);
        functions();
        out_.append(body.text());
        out_.out();
        out_.line("endmodule");
        // for files that are read after this one
        out_.line("`default_nettype wire");
        return out_.text();
    }

private:
    void header() {
        const std::string place = placeOf(sources_, module_.range);
        const char* kind = module_.kind == Kind::Network ? "network"
                           : module_.kind == Kind::Delay ? "delay line"
                                                         : "process";
        out_.line("// {} {}{}{}", kind, module_.title, place.empty() ? "" : ", ", place);
        out_.line("`default_nettype none");
        lintOff();
        if (!place.empty()) out_.line("(* src = \"{}\" *)", place);
        const std::vector<std::string> parameters = this->parameters(), ports = this->ports();
        std::string head = "module " + module_.name;
        if (!parameters.empty()) head += fmt::format(" #(\n{}\n)", fmt::join(parameters, ",\n"));
        if (!ports.empty()) head += fmt::format(" (\n{}\n)", fmt::join(ports, ",\n"));
        // a bus has what all of its readers need
        const bool hasIdle =
            hasUnread({Role::Input}) || (module_.kind == Kind::Clocked && doesNothing(module_));
        if (hasIdle) out_.line("/* verilator lint_off UNUSEDSIGNAL */");
        out_.line("{};", head);
        if (hasIdle) out_.line("/* verilator lint_on UNUSEDSIGNAL */");
        out_.in();
    }

    void lintOff() {
        if (options_.reset.isAsync && module_.hasClock) {
            // memories and assertions ask for the reset at the edge of the clock
            out_.line("/* verilator lint_off SYNCASYNCNET */");
        }
        const bool hasParameters =
            std::any_of(module_.signals.begin(), module_.signals.end(),
                        [](const Signal& signal) { return signal.role == Role::Parameter; });
        if (!hasParameters) return;
        // a parameter may settle a comparison
        out_.line("/* verilator lint_off UNSIGNED */");
        out_.line("/* verilator lint_off CMPCONST */");
        // what is computed of one may come to nothing when it is printed
        out_.line("/* verilator lint_off UNUSEDPARAM */");
    }

    std::vector<std::string> parameters() const {
        std::vector<std::string> parameters;
        for (const Signal& signal : module_.signals)
            if (signal.role == Role::Parameter)
                parameters.push_back(fmt::format(
                    "    parameter {} = {}",
                    named(declared(signal.type, 1, isOld() ? "" : "logic"), signal.name),
                    literal(0, signal.type)));
        return parameters;
    }

    std::vector<std::string> ports() const {
        std::vector<std::string> ports;
        if (module_.hasClock) {
            ports.push_back("    input  " + net(Type{}) + " clk");
            ports.push_back("    input  " + net(Type{}) + " " + options_.reset.name());
        }
        for (const Signal& signal : module_.signals) {
            const std::string wire = net(signal.type, signal.elements());
            if (signal.role == Role::Input)
                ports.push_back(fmt::format("    input  {} {}", wire, signal.name));
            if (signal.role != Role::Output) continue;
            const bool isWire = module_.kind == Kind::Network || (isOld() && isAssignedOutside());
            ports.push_back(fmt::format(
                "    output {} {}",
                isWire ? wire : variableOf(options_, signal.type, signal.elements()), signal.name));
        }
        return ports;
    }

    bool isOld() const { return options_.isVerilog2005(); }

    /// Of a port.
    std::string net(const Type& type, std::uint64_t elements = 1) const {
        return declared(type, elements, isOld() ? "wire" : "wire logic");
    }
    /// Outputs are set by `assign`, not in a process.
    bool isAssignedOutside() const {
        return module_.kind == Kind::Delay
               || (module_.kind == Kind::Combinational && isConstant(module_));
    }

    /// Those that the body calls.
    void functions() {
        const FunctionPrinter print(options_, out_);
        for (const Signal& signal : module_.signals)
            if (signal.role == Role::Table) print.table(signal);
        for (const auto& [width, result] : popcounts(module_))
            print.popcount(width, result);
        for (const Division& division : wideDivisions(module_))
            print.divide(division);
        for (const ExpressionPrinter::Change& change : expressions_.changes())
            print.change(change);
    }

    bool isUnread(std::size_t i) const {
        const Role role = module_.signals[i].role;
        return isUnread_[i]
               && (role == Role::Wire || role == Role::Register || role == Role::Input);
    }

    bool hasUnread(std::initializer_list<Role> roles) const {
        for (std::size_t i = 0; i < isUnread_.size(); ++i)
            if (isUnread(i)
                && std::find(roles.begin(), roles.end(), module_.signals[i].role) != roles.end())
                return true;
        return false;
    }

    /// In a group of their own: what the source sets and nobody reads, or not every bit of it.
    void signals(Writer& out) {
        for (std::size_t i = 0; i < module_.signals.size(); ++i)
            if (!isUnread(i)) declare(out, module_.signals[i]);
        if (!hasUnread({Role::Wire, Role::Register})) return;
        out.line("/* verilator lint_off UNUSEDSIGNAL */");
        for (std::size_t i = 0; i < module_.signals.size(); ++i)
            if (isUnread(i)) declare(out, module_.signals[i]);
        out.line("/* verilator lint_on UNUSEDSIGNAL */");
    }

    void declare(Writer& out, const Signal& signal) {
        if (signal.role == Role::Constant)
            out.line("localparam {} = {};",
                     named(declared(signal.type, 1, isOld() ? "" : "logic"), signal.name),
                     literal(signal.initial.front(), signal.type));
        if (signal.role == Role::Wire && signal.perNet != 0)
            out.line("{} {} [0:{}];", declared(signal.type, signal.perNet, "wire"), signal.name,
                     signal.length / signal.perNet - 1);
        else if (signal.role == Role::Wire)
            out.line("{} {};", declared(signal.type, signal.elements(), "wire"), signal.name);
        if (signal.role == Role::Check)
            out.line("{} {};", variableOf(options_, signal.type), signal.name);
        if (signal.role != Role::Register) return;
        const bool isArray = isUnpacked(signal);
        if (isArray && !signal.isMemory) out.line("(* mem2reg *)");
        out.line("{} {}{};", variableOf(options_, signal.type, isArray ? 1 : signal.elements()),
                 signal.name, isArray ? fmt::format(" [0:{}]", signal.length - 1) : "");
    }

    const hdl::Design& design_;
    const Module& module_;
    const SourceManager& sources_;
    const Options& options_;
    std::vector<bool> isUnread_;
    ExpressionPrinter expressions_;
    Writer out_;
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
