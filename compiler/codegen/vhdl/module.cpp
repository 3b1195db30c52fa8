#include "codegen/vhdl/module.h"

#include <vector>

#include "codegen/hdl_writer.h"
#include "codegen/vhdl/network.h"
#include "codegen/vhdl/spelling.h"
#include "codegen/vhdl/support.h"

namespace smec::codegen::vhdl {

using namespace hdl;

namespace {

const char* kindOf(const Module& module) {
    if (module.kind == Kind::Network) return "network";
    return module.kind == Kind::Delay ? "delay line" : "process";
}

std::vector<std::string> genericsOf(const Module& module) {
    std::vector<std::string> result;
    for (const Signal& signal : module.signals)
        if (signal.role == Role::Parameter)
            result.push_back(fmt::format("{} : {} := {}", identifier(signal.name), declared(signal),
                                         literal(0, signal.type)));
    return result;
}

std::vector<std::string> portsOf(const Module& module, const Options& options) {
    std::vector<std::string> result;
    if (module.hasClock) {
        result.emplace_back("clk : in std_logic");
        result.push_back(options.name() + " : in std_logic");
    }
    for (const Signal& signal : module.signals) {
        const std::string name = identifier(signal.name), type = declared(signal);
        if (signal.role == Role::Input) result.push_back(fmt::format("{} : in {}", name, type));
        if (signal.role == Role::Output)
            result.push_back(
                fmt::format("{} : out {} := {}", name, type, initialOf(module, signal)));
    }
    return result;
}

void list(Writer& out, const char* kind, const std::vector<std::string>& entries) {
    if (entries.empty()) return;
    out.line("{} (", kind);
    for (std::size_t i = 0; i < entries.size(); ++i)
        out.line("    {}{}", entries[i], i + 1 < entries.size() ? ";" : "");
    out.line(");");
}

}  // namespace

std::string printModule(const Design& design, const Module& module, const SourceManager& sources,
                        const Options& options, const Probed* copies) {
    Writer out;
    const Probed::Copy* copy =
        copies ? &copies->copies[static_cast<std::size_t>(&module - design.modules.data())]
               : nullptr;
    const std::string name = copy ? copy->name : identifier(module.name);
    const std::string place = placeOf(sources, module.range);
    out.line("-- {} {}{}{}", kindOf(module), module.title, place.empty() ? "" : ", ", place);
    out.line("library ieee;");
    out.line("use ieee.std_logic_1164.all;");
    out.line("use ieee.numeric_std.all;");
    out.line("use work.{}.all;", design.support);
    out.line("");
    out.line("entity {} is", name);
    out.in();
    list(out, "generic", genericsOf(module));
    std::vector<std::string> ports = portsOf(module, options);
    if (copy)
        ports.push_back(fmt::format("{} : out unsigned({} downto 0)", copy->port, copy->width - 1));
    list(out, "port", ports);
    out.out();
    out.line("end entity;");
    out.line("");
    const Architecture inner = module.kind == Kind::Network
                                   ? networkOf(design, module, options, copies)
                                   : processOf(module, sources, options);
    out.line("architecture rtl of {} is", name);
    out.append(inner.declarations);
    out.line("begin");
    out.append(inner.statements);
    out.line("end architecture;");
    return out.text();
}

std::map<std::string, std::string> print(const Design& design, const SourceManager& sources,
                                         const Options& options) {
    std::map<std::string, std::string> files;
    files[design.support + ".vhd"] = supportPackage(design.support);
    for (const Module& module : design.modules)
        if (module.kind != Kind::Foreign)
            files[module.name + ".vhd"] = printModule(design, module, sources, options);
    return files;
}

}  // namespace smec::codegen::vhdl
