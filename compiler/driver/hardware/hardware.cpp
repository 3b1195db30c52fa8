#include "driver/hardware/hardware.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>

#include "driver/compile/option_words.h"
#include "driver/hardware/copied_files.h"
#include "driver/hardware/target.h"
#include "driver/hardware/trace.h"
#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "driver/system/process.h"
#include "driver/system/scratch_folder.h"
#include "hdl/build.h"
#include "lower/lower.h"
#include "rewrite/aliases.h"
#include "source/overloaded.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

hdl::Integer number(const hdl::Design& design, const hdl::Probe& probe, const std::string& text) {
    if (probe.enumeration)
        for (const auto& [name, value] : design.enumerations[*probe.enumeration])
            if (name == text) return value;
    if (text == "true") return 1;
    if (text == "false" || text.empty()) return 0;
    return hdl::Integer(text);
}

}  // namespace

namespace {

/// Modules written by hand need a file in each language that is asked for.
void checkForeign(FrontEnd& front, const hdl::Design& design, const HardwareOptions& hardware) {
    const auto check = [&](const hdl::Module& module, const std::string& language) {
        const auto file =
            std::find_if(module.files.begin(), module.files.end(),
                         [&](const hdl::ForeignFile& one) { return one.language == language; });
        if (file == module.files.end())
            front.diagnostics.report(DiagId::HardwareExternBody, module.range, module.title,
                                     language);
        else if (!file->isFile)
            front.diagnostics.report(DiagId::HardwareExternFile, file->range, module.title,
                                     file->path);
    };
    for (const hdl::Module& module : design.modules) {
        if (module.kind != hdl::Kind::Foreign) continue;
        if (hardware.isVerilog || !hardware.estimate.empty()) check(module, "verilog");
        if (hardware.isVhdl) check(module, "vhdl");
    }
}

}  // namespace

namespace {

/// The first type without a width that is stored in a value of `type`; invalid where there is none.
hir::TypeId withoutWidth(const hir::TypeTable& types, hir::TypeId type) {
    return smec::visit(
        Overloaded{
            [&](const hir::IntType& t) {
                return t.flavour == hir::IntFlavour::Unsized ? type : hir::TypeTable::kError;
            },
            [&](const hir::ArrayType& array) { return withoutWidth(types, array.element); },
            [&](const hir::StructType& structure) {
                for (const hir::StructMember& member : structure.members)
                    if (types.isInteger(withoutWidth(types, member.type)))
                        return withoutWidth(types, member.type);
                return hir::TypeTable::kError;
            },
            [](const AnyOf<hir::ErrorType, hir::BoolType, hir::FloatType, hir::StringType,
                           hir::EnumType> auto&) { return hir::TypeTable::kError; },
        },
        types[type]);
}

/// Variables and fields whose width nobody chose.
void warnOfWidths(FrontEnd& front) {
    const hir::Design& design = *front.design;
    const auto judge = [&](const std::string& name, hir::TypeId type, SourceRange range) {
        const hir::TypeId found = withoutWidth(design.types, type);
        if (!design.types.isInteger(found)) return;
        const bool isSigned = design.types.as<hir::IntType>(found)->isSigned;
        front.diagnostics.report(DiagId::ExportWidth, range, name, design.types.name(type),
                                 isSigned ? "i8" : "u8", isSigned ? "int" : "uint");
    };
    for (const hir::Specialisation& spec : design.specs) {
        if (spec.kind == hir::ProcKind::Simulation) continue;
        for (const hir::Variable& variable : spec.body.vars)
            if (variable.kind == hir::VarKind::Process || variable.kind == hir::VarKind::Block)
                judge(variable.name, variable.type, variable.range);
    }
    for (const hir::BusGroup& group : design.busGroups) {
        if (group.count == 0) continue;
        const hir::ShapeId shape = design.buses[group.first.index].shape;
        for (const hir::FieldShape& field : design.shapes[shape.index].fields)
            judge(field.name, field.type, field.range);
    }
}

}  // namespace

std::optional<hdl::Design> buildHardware(FrontEnd& front, const HardwareOptions& hardware,
                                         const VerilogInput& verilog) {
    std::optional<hir::Design> plain = rewrite::withoutAliases(*front.design);
    const hir::Design& from = plain ? *plain : *front.design;
    const lower::Options lowering{
        .unchecked = true, .isHardware = true, .levels = false, .sources = &front.sources};
    ir::Design lowered = lower::lower(from, lowering, front.diagnostics);
    if (front.diagnostics.hasErrors()) return std::nullopt;
    warnOfWidths(front);
    std::optional<hdl::Design> design =
        hdl::build(from, std::move(lowered), front.sources, front.diagnostics);
    if (front.diagnostics.hasErrors()) return std::nullopt;
    checkForeign(front, *design, hardware);
    if (front.diagnostics.hasErrors()) return std::nullopt;
    design->copied = copiedFiles(*design, verilog, front.diagnostics);
    return design;
}

std::vector<std::string> referenceCommand(const CompileOptions& options,
                                          const HardwareOptions& hardware,
                                          const ReferenceFiles& files) {
    std::vector<std::string> command{fs::read_symlink("/proc/self/exe").string(), "run",
                                     "--interpret", options.files[0]};
    const std::vector<std::string> words = optionWords(options);
    command.insert(command.end(), words.begin(), words.end());
    if (hardware.cycles)
        command.insert(command.end(), {"--cycles", std::to_string(*hardware.cycles)});
    else
        command.insert(command.end(), {"--most-cycles", std::to_string(target::kMostCycles),
                                       "--most-values", std::to_string(target::kMostValues)});
    if (!hardware.input.empty()) command.insert(command.end(), {"--input", hardware.input});
    command.insert(command.end(), {"--trace", files.trace.string(), "--trace-all", "--ending",
                                   files.ending.string(), "--quiet"});
    return command;
}

hdl::Recording recordingOf(const hdl::Design& design, const std::string& text,
                           const RunEnding& ending) {
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    std::unordered_map<std::string, std::size_t> columns;
    for (const std::string& name : csvCells(line))
        columns.emplace(name, columns.size());
    hdl::Recording recording;
    recording.ending = describe(ending);
    std::vector<std::size_t> from;
    for (std::uint32_t i = 0; i < design.probes.size(); ++i) {
        const auto at = columns.find(design.probes[i].name);
        if (at == columns.end()) continue;
        recording.probes.push_back(i);
        from.push_back(at->second);
    }
    while (std::getline(lines, line)) {
        const std::vector<std::string> cells = csvCells(line);
        auto& values = recording.rows.emplace_back();
        for (std::size_t i = 0; i < from.size(); ++i)
            values.push_back(number(design, design.probes[recording.probes[i]], cells[from[i]]));
    }
    if (ending.hasFailed() && !recording.rows.empty()) recording.rows.pop_back();
    return recording;
}

std::string fromFirstError(const std::string& text) {
    const std::size_t error = text.find("error: ");
    if (error == std::string::npos) return {};
    const std::size_t line = text.rfind('\n', error);
    return text.substr(line == std::string::npos ? 0 : line + 1);
}

std::optional<hdl::Recording> recordRun(const hdl::Design& design, const CompileOptions& options,
                                        const HardwareOptions& hardware) {
    const InterruptScope interrupts;
    const ScratchFolder folder("smec-export");
    const ReferenceFiles files{folder.path() / "trace.csv", folder.path() / "ending"};
    const ProcessResult result = runProcessApart(referenceCommand(options, hardware, files), 0);
    if (interrupts.signal() != 0) throw Interrupted{interrupts.signal()};
    endAtMemoryLimit(result, "the interpreter");
    const RunEnding ending = readEnding(files.ending);
    // 3 without a word is a `stop(3)`
    const bool hasNoFiles =
        result.status == exit_status::kEnvironment && !fromFirstError(result.errors).empty();
    if (ending.kind == RunEnding::Kind::Unknown || hasNoFiles) {
        fmt::print(stderr, "{}", result.errors);
        if (hasNoFiles) throw Ended{exit_status::kEnvironment};
        return std::nullopt;
    }
    if (ending.hasFailed())
        fmt::print(stderr, "{}smec: warning: the recorded run failed in cycle {}; {}\n",
                   fromFirstError(result.errors), ending.cycles - 1,
                   ending.cycles == 1 ? "there is no test bench"
                                      : "the test bench ends in front of that cycle");
    return recordingOf(design, readFile(files.trace).value_or(""), ending);
}

std::string problemOfStream(const CompileOptions& options) {
    if (!isStream(options.files[0])) return {};
    return fmt::format("smec export and verify read the source several times; give a file, not "
                       "'{}'",
                       options.files[0]);
}

}  // namespace smec::driver
