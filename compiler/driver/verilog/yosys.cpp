#include "driver/verilog/yosys.h"

#include <fstream>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/system/ended.h"
#include "driver/system/files.h"
#include "driver/system/scratch_folder.h"
#include "driver/verilog/constant_ports.h"
#include "driver/verilog/data_files.h"
#include "driver/verilog/scan/port_signs.h"
#include "driver/verilog/scan/scan.h"
#include "driver/verilog/settle.h"
#include "driver/verilog/start_values.h"
#include "driver/verilog/yosys_failure.h"
#include "driver/verilog/yosys_program.h"
#include "driver/verilog/yosys_script.h"
#include "driver/verilog/yosys_warnings.h"
#include "netlist/read_json.h"
#include "rtl/equal_modules.h"
#include "rtl/places.h"
#include "source/read_text.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

std::string topOf(const netlist::Design& design) {
    for (const netlist::Module& module : design.modules) {
        if (!netlist::valueOf(module.attributes, "top").empty()) return module.name;
    }
    return {};
}

void restorePlaces(const YosysNames& names, netlist::Design& design) {
    const auto restore = [&](netlist::Values& attributes) {
        if (const auto place = attributes.find("src"); place != attributes.end())
            names.restore(place->second);
    };
    for (netlist::Module& module : design.modules) {
        restore(module.attributes);
        for (netlist::Cell& cell : module.cells) {
            restore(cell.attributes);
            const auto printed = cell.parameters.find("FORMAT");  // what `__FILE__ became
            if (printed != cell.parameters.end()) names.restore(printed->second);
        }
        for (netlist::Net& net : module.nets)
            restore(net.attributes);
    }
}

/// One Yosys and its folder for the runs of an import.
class Elaboration {
public:
    Elaboration(const VerilogInput& input, SourceManager& sources, Diagnostics& diagnostics)
        : input_(input),
          sources_(sources),
          diagnostics_(diagnostics),
          yosys_(findYosys(input)),
          isBySlang_(yosys_.hasSlang) {
        placeDataFiles(input, names_);
    }

    /// Chooses the reader, and refuses what that is known to get wrong; then nothing is to be run.
    bool canBeTrusted(bool hasWarnings) {
        if (yosys_.hasSlang && !hasSystemVerilog(input_)) {
            isBySlang_ = false;
            isBySlang_ = scan::isRefused(*scan_, reader());
        }
        scan::report(*scan_, reader(), hasWarnings, sources_, diagnostics_);
        return !diagnostics_.hasErrors();
    }

    std::optional<Elaborated> run(Stage stage) {
        if (!ask({scratch_.path(), stage, netlist_})) return std::nullopt;
        return read(netlist_, stage != Stage::Ports);
    }

    std::optional<Elaborated> runAfterReset() {
        const fs::path flat = scratch_.path() / "flat.json";
        if (!ask({scratch_.path(), Stage::BeforeReset, netlist_, flat})) return std::nullopt;
        Elaborated whole = read(flat, false);
        const std::optional<StartValues> values =
            settle(std::move(whole.design), whole.top, input_, sources_, diagnostics_);
        if (!values) return std::nullopt;
        const fs::path start = scratch_.path() / "start.json";
        rewrite(start, whole.top, *values);
        if (!ask({scratch_.path(), Stage::AfterReset, netlist_, {}, start})) return std::nullopt;
        return read(netlist_, true);
    }

private:
    /// Returns whether Yosys did it; else it is reported why not. What failed may be a module that
    /// the top one has no use for.
    bool ask(YosysTask task) {
        task.isBySlang = isBySlang_;
        const ProcessResult result = done(task);
        if (result.status == 0) return true;
        task.isTopOnly = !input_.top.empty() && task.stage != Stage::AfterReset;
        if (task.isTopOnly && done(task).status == 0) return true;
        if (yosys_.hasSlang && !isBySlang_ && triesSlang(task)) return true;
        if (diagnostics_.hasErrors()) return false;
        reportFailure(result.output, input_, yosys_, names_, sources_, diagnostics_);
        return false;
    }

    /// What `read_verilog` refuses `read_slang` may take.
    bool triesSlang(YosysTask task) {
        const scan::Reader before = reader();
        isBySlang_ = task.isBySlang = true;
        task.isTopOnly = false;
        if (done(task).status != 0) {
            isBySlang_ = false;
            return false;
        }
        const bool hasWarnings = task.stage != Stage::Ports;
        scan::report(*scan_, reader(), hasWarnings, sources_, diagnostics_, &before);
        return !diagnostics_.hasErrors();
    }

    scan::Reader reader() const {
        return {isBySlang_, versionNumber(yosys_), yosys_.version + (isBySlang_ ? " (slang)" : "")};
    }

    ProcessResult done(const YosysTask& task) {
        const fs::path script = writeScript(input_, task, names_);
        ProcessResult result =
            runYosys(yosys_.command(script, names_), names_.runFolder(), scratch_.path());
        if (result.signal != 0)
            endWithoutYosys(fmt::format("Yosys was ended by signal {}", result.signal));
        if (result.status == 0 && task.stage != Stage::Ports)
            reportDropped(result.output, names_, sources_, diagnostics_);
        return result;
    }

    Elaborated read(const fs::path& json, bool hasWarnings) {
        std::ifstream in(json, std::ios::binary);
        try {
            Elaborated made;
            made.design = netlist::readJson(in);
            restorePlaces(names_, made.design);
            made.top = topOf(made.design);
            if (isBySlang_) setSigns(made, hasWarnings);
            made.reader = yosys_.version + (isBySlang_ ? ", read_slang" : ", read_verilog");
            return made;
        } catch (const netlist::BadNetlist& bad) {
            endWithoutYosys(fmt::format("the netlist of Yosys cannot be read: {}", bad.what()));
        }
    }

    /// What is not in the netlist: read_slang writes of no port whether it has a sign.
    void setSigns(Elaborated& made, bool hasWarnings) {
        scan::Texts texts;
        const scan::PortSigns signs = scan::signedPorts(input_, texts);
        std::set<std::string> said;
        rtl::Places places(sources_);
        for (netlist::Module& module : made.design.modules) {
            const auto found = signs.find(rtl::sourceName(module.name, made.top));
            if (found == signs.end()) continue;
            for (netlist::Port& port : module.ports) {
                port.isSigned = port.isSigned || found->second.isSigned.contains(port.name);
                const auto unknown = found->second.unknown.find(port.name);
                if (!hasWarnings || unknown == found->second.unknown.end()) continue;
                const auto& [place, type] = unknown->second;
                if (!said.insert(found->first + "." + port.name).second) continue;
                diagnostics_.report(DiagId::PortSign, places.of({{"src", place}}), port.name,
                                    found->first, type);
            }
        }
    }

    /// The netlist that is there, with other values at first, its reset off.
    void rewrite(const fs::path& start, const std::string& top, const StartValues& values) const {
        std::ifstream in(netlist_, std::ios::binary);
        auto json = nlohmann::ordered_json::parse(in, nullptr, false);
        if (json.is_discarded()) endWithoutYosys("the netlist of Yosys cannot be read");
        giveStartValues(json, top, values);
        const ResetPort reset = resetOf(input_);
        tiePort(json, top, reset.name, reset.isLow ? '1' : '0');
        writeIfChanged(start,
                       json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    }

    const VerilogInput& input_;
    SourceManager& sources_;
    Diagnostics& diagnostics_;
    const YosysProgram yosys_;
    bool isBySlang_;
    const std::unique_ptr<const scan::Scan> scan_ = scan::scanVerilog(input_);
    const ScratchFolder scratch_{"smec-verilog"};
    YosysNames names_{scratch_.path(), yosys_.isWebAssembly};
    const fs::path netlist_ = scratch_.path() / "netlist.json";
};

bool canBeRead(const VerilogInput& input, Diagnostics& diagnostics) {
    for (const std::string& file : input.files) {
        if (const std::string_view problem = whyNoFile(file); !problem.empty())
            diagnostics.report(DiagId::CannotRead, {}, file, problem);
    }
    return !diagnostics.hasErrors();
}

}  // namespace

std::optional<Elaborated> elaborateVerilog(const VerilogInput& input, SourceManager& sources,
                                           Diagnostics& diagnostics) {
    if (!canBeRead(input, diagnostics)) return std::nullopt;
    VerilogInput whole = input;
    if (!input.parameters.empty() && input.top.empty()) {
        whole.parameters.clear();
        Elaboration first(whole, sources, diagnostics);
        if (!first.canBeTrusted(false)) return std::nullopt;
        const std::optional<Elaborated> made = first.run(Stage::Ports);
        if (!made || made->top.empty()) return made;
        if (!YosysWord::fits(made->top)) {
            diagnostics.report(DiagId::VerilogSource, {},
                               fmt::format("the top module '{}' has no name of letters, digits, "
                                           "'_' and '$', which -G needs",
                                           made->top));
            return std::nullopt;
        }
        whole.parameters = input.parameters;
        whole.top = made->top;
    }
    Elaboration elaboration(whole, sources, diagnostics);
    if (!elaboration.canBeTrusted(true)) return std::nullopt;
    return whole.reset.empty() ? elaboration.run(Stage::Netlist) : elaboration.runAfterReset();
}

std::optional<std::vector<netlist::Port>>
portsOfTop(const VerilogInput& input, SourceManager& sources, Diagnostics& diagnostics) {
    if (!canBeRead(input, diagnostics)) return std::nullopt;
    Elaboration elaboration(input, sources, diagnostics);
    if (!elaboration.canBeTrusted(false)) return std::nullopt;
    const std::optional<Elaborated> made = elaboration.run(Stage::Ports);
    if (!made) return std::nullopt;
    for (const netlist::Module& module : made->design.modules) {
        if (module.name == made->top) return module.ports;
    }
    diagnostics.report(DiagId::ImportNoTop, {});
    return std::nullopt;
}

}  // namespace smec::driver
