#include "driver/verilog/extern_modules.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "driver/system/files.h"
#include "driver/verilog/library_files.h"
#include "driver/verilog/translate.h"
#include "driver/verilog/yosys.h"
#include "source/internal_error.h"
#include "source/overloaded.h"
#include "syntax/parse.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

const hir::Foreign::Hardware* verilogOf(const hir::Foreign& foreign) {
    const auto found =
        std::ranges::find(foreign.hardware, "verilog", &hir::Foreign::Hardware::language);
    return found == foreign.hardware.end() ? nullptr : &*found;
}

/// The one call that an activation is.
const hir::CallExpr& callOf(const hir::Specialisation& spec) {
    const auto found = std::ranges::find_if(spec.body.exprs, [&](const hir::Expr& expr) {
        const auto* call = std::get_if<hir::CallExpr>(&expr.node);
        return call && call->function.index == spec.foreign.index;
    });
    return std::get<hir::CallExpr>(found->node);
}

/// What an instance has for a constant argument; invalid where that is no number.
hir::Value valueOf(const hir::Design& design, const hir::Specialisation& spec,
                   const hir::Instance& instance, hir::ExprId id) {
    const hir::Expr& expr = spec.body[id];
    if (const auto* constant = std::get_if<hir::Constant>(&expr.node)) return constant->value;
    if (const auto* own = std::get_if<hir::InstanceConstant>(&expr.node))
        return design.constant(instance, own->index);
    const auto* cast = std::get_if<hir::CastExpr>(&expr.node);
    return cast ? valueOf(design, spec, instance, cast->operand) : hir::Value();
}

class Finder {
public:
    Finder(const hir::Design& design, Diagnostics& diagnostics)
        : design_(design), diagnostics_(diagnostics) {}

    std::vector<ExternProcess> run() {
        for (const hir::Specialisation& spec : design_.specs) {
            if (!spec.foreign.valid()) continue;
            const hir::Foreign& foreign = *design_.functions[spec.foreign.index].external;
            if (foreign.header.empty() && verilogOf(foreign)) add(spec, foreign);
        }
        return std::move(processes_);
    }

private:
    void add(const hir::Specialisation& spec, const hir::Foreign& foreign) {
        const auto same = [&](const ExternProcess& one) { return one.spec->range == spec.range; };
        auto found = std::ranges::find_if(processes_, same);
        if (found == processes_.end()) {
            checkTypes(spec);
            processes_.push_back({&spec, wiresOf(design_, spec), {}});
            found = processes_.end() - 1;
        } else if (!haveSameLayout(found->wires, wiresOf(design_, spec))) {
            diagnostics_.report(DiagId::ExternModule, spec.range, spec.name,
                                "its instances differ in their ports; give these types");
        }
        for (const hir::InstanceId id : spec.instances) {
            const ExternConstants constants =
                constantsOf(spec, foreign, design_.instances[id.index]);
            if (std::ranges::find(found->constants, constants) == found->constants.end())
                found->constants.push_back(constants);
        }
    }

    bool haveSameLayout(const std::vector<Wire>& a, const std::vector<Wire>& b) const {
        return std::ranges::equal(a, b, [](const Wire& one, const Wire& other) {
            return one.name == other.name && one.width == other.width
                   && std::ranges::equal(one.parts, other.parts, {}, &WirePart::type,
                                         &WirePart::type);
        });
    }

    /// What has no bits that a module would know.
    void checkTypes(const hir::Specialisation& spec) {
        for (const Wire& wire : wiresOf(design_, spec)) {
            if (design_.types.isFloat(wire.parts[0].type))
                diagnostics_.report(DiagId::ExternModule, spec.range, spec.name,
                                    fmt::format("its field '{}' is a float", wire.field));
        }
    }

    ExternConstants constantsOf(const hir::Specialisation& spec, const hir::Foreign& foreign,
                                const hir::Instance& instance) {
        ExternConstants constants;
        const hir::CallExpr& call = callOf(spec);
        const hir::Function& function = design_.functions[spec.foreign.index];
        for (std::uint32_t i = 1; i <= foreign.constants; ++i) {  // after the object
            const std::string& name = function.body.vars[i].name;
            const hir::Value value = valueOf(design_, spec, instance, call.arguments[i]);
            if (const auto* number = std::get_if<hir::Integer>(&value.data))
                constants.push_back({name, *number, false});
            else if (const auto* flag = std::get_if<bool>(&value.data))
                constants.push_back({name, *flag ? 1 : 0, true});
            else
                diagnostics_.report(DiagId::ExternModule, spec.range, spec.name,
                                    fmt::format("its constant '{}' is no number", name));
        }
        return constants;
    }

    const hir::Design& design_;
    Diagnostics& diagnostics_;
    std::vector<ExternProcess> processes_;
};

// ---------------------------------------------------------------- ports

const netlist::Port* find(const std::vector<netlist::Port>& ports, std::string_view name) {
    const auto found = std::ranges::find(ports, name, &netlist::Port::name);
    return found == ports.end() ? nullptr : &*found;
}

/// What is wrong with the port for a wire; empty: nothing.
std::string problemOf(const Wire& wire, const netlist::Port* port) {
    const auto bits = [](std::size_t count) {
        return fmt::format("{} bit{}", count, count == 1 ? "" : "s");
    };
    if (!port) return fmt::format("it has no port '{}' for the field '{}'", wire.name, wire.field);
    const auto wanted = wire.isWritten ? netlist::Direction::Output : netlist::Direction::Input;
    if (port->direction != wanted)
        return fmt::format("its port '{}' is no {}", wire.name,
                           wire.isWritten ? "output" : "input");
    if (port->bits.size() != wire.width)
        return fmt::format("its port '{}' has {}, but the field '{}' {}", wire.name,
                           bits(port->bits.size()), wire.field, bits(wire.width));
    return {};
}

/// The clock and the reset are there or not; they are left to the import. False after an error.
bool checkPorts(const ExternProcess& process, const std::vector<netlist::Port>& ports,
                SourceRange range, Diagnostics& diagnostics) {
    std::set<std::string_view> known{"clk", "rst", "rst_n"};
    const auto report = [&](const std::string& problem) {
        diagnostics.report(DiagId::ExternModule, range, process.spec->name, problem);
    };
    const std::size_t before = diagnostics.errorCount();
    for (const Wire& wire : process.wires) {
        known.insert(wire.name);
        const std::string problem = problemOf(wire, find(ports, wire.name));
        if (!problem.empty()) report(problem);
    }
    for (const netlist::Port& port : ports) {
        if (!known.contains(port.name))
            report(fmt::format("its port '{}' is that of no field", port.name));
    }
    return diagnostics.errorCount() == before;
}

std::string typeName(const hir::IntType& type) {
    return fmt::format("{}{}", type.isSigned ? 'i' : 'u', type.width);
}

/// Bits go through as they are, as where Verilog connects what has no sign. Who declares a number
/// without a sign for a port that says that it has one is told, once.
void takeSigns(const hir::Design& design, ExternProcess& process, bool isFirst,
               const std::vector<netlist::Port>& ports, SourceRange range,
               Diagnostics& diagnostics) {
    for (Wire& wire : process.wires) {
        const bool isSigned = find(ports, wire.name)->isSigned;
        if (!isFirst && isSigned != wire.isSigned)
            diagnostics.report(DiagId::ExternModule, range, process.spec->name,
                               fmt::format("its port '{}' has a sign with some of its constants "
                                           "and none with others",
                                           wire.name));
        if (!isFirst || !isSigned) continue;
        wire.isSigned = true;
        const auto* integer = design.types.as<hir::IntType>(wire.parts[0].type);
        if (wire.parts.size() > 1 || !integer || integer->isSigned) continue;
        const std::string field = typeName(*integer);
        diagnostics.report(DiagId::ExternSign, range, wire.name, process.spec->name,
                           "i" + field.substr(1), wire.field, field);
    }
}

/// As an export connects it: `clk`, and `rst` or `rst_n`.
void setClockAndReset(const std::vector<netlist::Port>& ports, VerilogInput& input) {
    if (find(ports, "clk")) input.clock = "clk";
    if (find(ports, "rst_n")) {
        input.reset = "rst_n=0";
    } else if (find(ports, "rst")) {
        input.reset = "rst";
    }
}

// ---------------------------------------------------------------- imported text

/// "wire8" is 8 bits wide, "wire" one; "wire_i8" has a sign.
rtl::InterfacePort portOf(const ast::Param& param) {
    const std::string& name = std::get<ast::NamedType>(param.type->node).path.back().text;
    const std::size_t digits = name.find_first_of("0123456789");
    const std::size_t width = digits == name.npos ? 1 : std::stoul(name.substr(digits));
    return {param.name.text, static_cast<std::uint32_t>(width), name.starts_with("wire_i")};
}

/// The last declaration of a file that smec has written.
ExternModule topOf(const ast::Module& module) {
    ExternModule made;
    smec::visit(
        [&](const auto& node) {
            if constexpr (requires {
                              node.params;
                              node.decls;
                          }) {
                made.entity = node.name.text;
                for (const ast::Param& param : node.params)
                    made.ports.push_back(portOf(param));
            }
        },
        module.decls.back().node);
    return made;
}

}  // namespace

std::vector<ExternProcess> externProcesses(const hir::Design& design, Diagnostics& diagnostics) {
    return Finder(design, diagnostics).run();
}

std::optional<ExternModule> importModule(const hir::Design& design, ExternProcess& process,
                                         const ExternConstants& constants, VerilogInput input,
                                         sema::Program& program, SourceManager& sources,
                                         Diagnostics& diagnostics) {
    const hir::Foreign& foreign = *design.functions[process.spec->foreign.index].external;
    const hir::Foreign::Hardware& file = *verilogOf(foreign);
    if (!file.isFile) {
        diagnostics.report(DiagId::CannotRead, file.range, file.file, "no such file");
        return std::nullopt;
    }
    addSource(input, file.file);
    addLibraryFiles(input);
    input.top = process.spec->name;
    input.parameters.clear();
    for (const ExternConstant& constant : constants)
        input.parameters.push_back(fmt::format("{}={}", constant.name, constant.value.str()));
    const auto ports = portsOfTop(input, sources, diagnostics);
    if (!ports || !checkPorts(process, *ports, file.range, diagnostics)) return std::nullopt;
    takeSigns(design, process, constants == process.constants.front(), *ports, file.range,
              diagnostics);
    if (diagnostics.hasErrors()) return std::nullopt;
    setClockAndReset(*ports, input);
    const std::optional<ImportedFile> imported = importVerilog(input, sources, diagnostics);
    if (!imported) return std::nullopt;
    program.alsoRead.insert(program.alsoRead.end(), imported->inputs.begin(),
                            imported->inputs.end());
    program.alsoMissed.insert(program.alsoMissed.end(), imported->absent.begin(),
                              imported->absent.end());
    std::error_code error;
    const fs::path path = fs::absolute(imported->path, error);
    const FileId text = sources.add(imported->path.string(), readFile(path).value_or(""));
    sema::Program::Entry entry{syntax::parse(sources, text, diagnostics), path, true, {}};
    require(!entry.ast.decls.empty(), "an imported module is empty", file.range);
    ExternModule made = topOf(entry.ast);
    made.module = {static_cast<std::uint32_t>(program.modules.size())};
    program.modules.push_back(std::move(entry));
    return made;
}

}  // namespace smec::driver
