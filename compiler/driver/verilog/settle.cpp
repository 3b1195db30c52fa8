#include "driver/verilog/settle.h"

#include <algorithm>

#include <fmt/format.h>

#include "ast/print.h"
#include "driver/verilog/import_options.h"
#include "elab/elaborate.h"
#include "interp/names.h"
#include "rtl/import.h"
#include "source/internal_error.h"
#include "syntax/parse.h"

namespace smec::driver {
namespace {

constexpr int kResetCycles = 8;

// Names that stay the same in `.sme`.
constexpr const char* kReset = "smec_reset_port";
constexpr const char* kRegister = "smec_register_port_";
constexpr const char* kMemory = "smec_memory_cell_";

/// What is looked at after the reset, by the name that it was given for that.
struct Watched {
    std::string cell;
    std::size_t width = 0;  ///< of a register, of a word
    std::size_t size = 0;   ///< of a memory, in words
};
using WatchedCells = std::unordered_map<std::string, Watched>;

netlist::Module* find(netlist::Design& design, const std::string& name) {
    const auto found = std::ranges::find(design.modules, name, &netlist::Module::name);
    return found == design.modules.end() ? nullptr : &*found;
}

/// Registers become outputs, and memories that are written get names by which they are found again.
/// Nothing is printed meanwhile.
WatchedCells watch(netlist::Module& module) {
    WatchedCells watched;
    std::erase_if(module.cells, [](const netlist::Cell& cell) { return cell.type == "$print"; });
    for (netlist::Cell& cell : module.cells) {
        if (isFlipFlop(cell.type)) {
            const std::string name = kRegister + std::to_string(watched.size());
            watched[name] = {cell.name, cell["Q"].size(), 0};
            module.ports.push_back({name, netlist::Direction::Output, cell["Q"]});
        } else if (cell.type.starts_with("$mem") && cell.number("WR_PORTS") > 0) {
            const std::string name = kMemory + std::to_string(watched.size());
            watched[name] = {cell.name, cell.number("WIDTH"), cell.number("SIZE")};
            cell.parameters["MEMID"] = name;
        }
    }
    return watched;
}

/// "a.b.name.v" and "a.b.name" are called "name".
std::string lastName(const std::string& path) {
    const std::string_view whole =
        path.ends_with(".v") ? std::string_view(path).substr(0, path.size() - 2) : path;
    return std::string(whole.substr(whole.rfind('.') + 1));
}

std::string digitsOf(const interp::Value& value, std::size_t width) {
    interp::Integer number = interp::toInteger(value);
    std::string digits(width, '0');
    for (std::size_t i = 0; i < width; ++i) {
        if (bit_test(number, static_cast<unsigned>(i))) digits[width - 1 - i] = '1';
    }
    return digits;
}

std::string digitsOf(const interp::Value& value, const Watched& watched) {
    if (watched.size == 0) return digitsOf(value, watched.width);
    std::string digits;  // the first word is lowest
    const interp::Value::List& words = value.list();
    for (std::size_t i = watched.size; i-- > 0;)
        digits += digitsOf(words[i], watched.width);
    return digits;
}

void runCycles(interp::Simulation& simulation, const interp::NameTable& names, bool isLow) {
    if (const auto reset = names.find(std::string(kReset) + ".v"))
        simulation.setInput(reset->root.field, interp::small(isLow ? 0 : 1));
    for (int cycle = 0; cycle < kResetCycles; ++cycle) {
        simulation.runCombinational();
        simulation.runClocked();
        simulation.propagate();
        simulation.takeMessages();
        simulation.goOn();  // what is asserted need not hold yet
    }
    simulation.runCombinational();  // asynchronous resets act on what is read
}

StartValues valuesOf(const interp::Simulation& simulation, const interp::NameTable& names,
                     const WatchedCells& watched) {
    StartValues values;
    for (const interp::Root& root : names.roots()) {
        const auto found = watched.find(lastName(root.name));
        if (found == watched.end() || (root.isVariable && found->second.size == 0)) continue;
        const Watched& cell = found->second;
        const std::string digits = digitsOf(interp::valueOf(simulation, root), cell);
        (cell.size == 0 ? values.registers : values.memories)[cell.cell] = digits;
    }
    return values;
}

/// A design of what smec itself has written; what is wrong with it is smec's fault.
hir::Design elaborated(const ast::Module& module, SourceManager& sources, sema::Program& program) {
    Diagnostics diagnostics;
    const FileId text = sources.add("settle.sme", ast::print(module));
    program.modules.push_back({syntax::parse(sources, text, diagnostics), {}, true, {}});
    std::optional<hir::Design> design = elab::elaborate(program, sources, {}, diagnostics);
    require(design.has_value(), "an imported netlist is no design");
    return std::move(*design);
}

bool checkReset(const netlist::Module& module, const std::string& name, Diagnostics& diagnostics) {
    const netlist::Port* port = module.port(name);
    const auto isClock = [&](const netlist::Cell& cell) {
        return cell["CLK"] == port->bits || cell["C"] == port->bits;
    };
    if (port && port->direction == netlist::Direction::Input && port->bits.size() == 1) {
        if (std::ranges::none_of(module.cells, isClock)) return true;
        diagnostics.report(
            DiagId::VerilogSource, {},
            fmt::format("--after-reset: '{}' is a clock of the module '{}'", name, module.name));
        return false;
    }
    diagnostics.report(
        DiagId::VerilogSource, {},
        fmt::format("--after-reset: the top module '{}' has no input '{}' of one bit", module.name,
                    name));
    return false;
}

}  // namespace

std::optional<StartValues> settle(netlist::Design flat, const std::string& top,
                                  const VerilogInput& input, SourceManager& sources,
                                  Diagnostics& diagnostics) {
    netlist::Module* module = find(flat, top);
    const ResetPort reset = resetOf(input);
    if (!module || !checkReset(*module, reset.name, diagnostics)) return std::nullopt;
    std::ranges::find(module->ports, reset.name, &netlist::Port::name)->name = kReset;
    const WatchedCells watched = watch(*module);
    if (watched.empty()) return StartValues();
    const std::optional<rtl::Imported> imported =
        rtl::import(std::move(flat), top, importOptions(input), sources, diagnostics);
    if (!imported) return std::nullopt;
    SourceManager own;
    sema::Program program;
    const hir::Design design = elaborated(imported->text, own, program);
    interp::Simulation simulation(design, own, {});
    const interp::NameTable names(design);
    runCycles(simulation, names, reset.isLow);
    return valuesOf(simulation, names, watched);
}

}  // namespace smec::driver
