#include "driver/verify/formal_command.h"

#include <algorithm>
#include <map>
#include <set>

#include <unistd.h>

#include <fmt/format.h>

#include "driver/compile/cache.h"
#include "driver/compile/compile.h"
#include "driver/hardware/hardware.h"
#include "driver/hardware/hardware_files.h"
#include "driver/hardware/hardware_names.h"
#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "driver/system/guarded_process.h"
#include "driver/system/scratch_folder.h"
#include "driver/verify/formal.h"
#include "driver/verify/formal_scripts.h"
#include "driver/verify/target.h"
#include "driver/verilog/yosys_names.h"
#include "ir/arithmetic.h"

// From cheap to dear: equal names make equal registers (equiv_*); a search from the reset on, which
// finds counterexamples, with induction over the outputs (sat); property directed reachability,
// which finds its own invariants (ABC).

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& message, int status) {
    fmt::print(stderr, "smec: error: {}\n", message);
    throw Ended{status};
}

using Parameters = std::vector<std::pair<std::string, std::string>>;
using Instances = std::map<std::string, Parameters>;

/// As Verilog writes constants: 4'b0011.
std::string binary(const hdl::Integer& value, std::uint32_t width) {
    const hdl::Integer bits = ir::wrapInteger(value, width, false);
    std::string text;
    for (std::uint32_t i = width; i-- > 0;)
        text += ((bits >> i) & 1) != 0 ? '1' : '0';
    return fmt::format("{}'b{}", width, text);
}

struct Exported {
    hdl::Design design;
    std::vector<YosysWord> files;
};

bool isVerilog(const fs::path& file) {
    return file.extension() == ".v" || file.extension() == ".sv";
}

class Prover {
public:
    explicit Prover(const VerifyRequest& request)
        : request_(request),
          options_(request.compile),
          verify_(request.verify),
          reset_(request.hardware.isActiveLow ? "rst_n" : "rst"),
          scratch_("smec-formal"),
          names_(scratch_.path(), false) {}

    /// Throws Ended.
    std::vector<FormalResult> run() {
        if (findProgram("yosys").empty())
            fail("--formal needs Yosys; install it (on Debian: apt-get install yosys)",
                 exit_status::kEnvironment);
        const Exported design = exported(options_.files[0], "design");
        FormalSide gate{
            "gate", design.files, moduleOf(design, options_.files[0], verify_.process), {}};
        gateName_ = gate.module;
        FormalSide gold = reference();
        inputs_.add(verify_.formal);
        std::vector<FormalResult> results;
        std::set<std::pair<Parameters, Parameters>> proved;
        for (const auto& [place, parameters] : instancesOf(design.design, gate.module)) {
            gate.parameters = parameters;
            gold.parameters = parametersOf(place, parameters, gold.module);
            if (!proved.emplace(gate.parameters, gold.parameters).second) continue;
            place_ = place;
            folder_ = scratch_.path() / fmt::format("proof_{}", results.size());
            makeDirectories(folder_);
            results.push_back(check(gold, gate));
        }
        return results;
    }

    void keep(const fs::path& folder) const { scratch_.copyTo(folder, inputs_); }

private:
    ProcessResult start(const std::vector<std::string>& words, unsigned seconds) const {
        if (options_.verbose) fmt::print(stderr, "{}\n", fmt::join(words, " "));
        ProcessResult result = runGuarded({.words = words,
                                           .folder = folder_,
                                           .outputFile = {},
                                           .scratch = scratch_.path(),
                                           .limit = std::chrono::seconds(seconds)},
                                          interrupts_);
        if (interrupts_.signal() != 0) throw Interrupted{interrupts_.signal()};
        return result;
    }

    ProcessResult yosys(const std::string& name, const YosysScript& script) const {
        return yosys(name, script, verify_.seconds);
    }

    /// Its log is there also where it is ended.
    ProcessResult yosys(const std::string& name, const YosysScript& script,
                        unsigned seconds) const {
        writeIfChanged(folder_ / (name + ".ys"), script.text());
        const fs::path log = folder_ / (name + ".log");
        ProcessResult result =
            start({"yosys", "-q", "-Q", "-T", "-L", log.string(), name + ".ys"}, seconds);
        result.output = readFile(log).value_or(result.output);
        return result;
    }

    /// What it cannot do is the fault of what it reads.
    void prepare(const std::string& name, const YosysScript& script,
                 const std::string& what) const {
        const ProcessResult result = yosys(name, script);
        endAtMemoryLimit(result, "Yosys");
        if (result.timedOut)
            fail(fmt::format("no end of Yosys reading {} after {} s", what, verify_.seconds),
                 exit_status::kLimit);
        if (result.status == 0) return;
        const std::size_t error = result.output.rfind("ERROR: ");
        std::string reason =
            error == std::string::npos ? result.output : result.output.substr(error + 7);
        reason.resize(std::min(reason.find('\n'), reason.size()));
        names_.restore(reason);
        fail(fmt::format("Yosys cannot read {}: {}", what, reason), exit_status::kSource);
    }

    // ------------------------------------------------------------ what is compared

    /// Writes the design of a file as Verilog into that folder of the scratch folder.
    Exported exported(const std::string& file, const char* folder) {
        Stats stats;
        FrontEnd front(options_.warnings);
        runFrontEnd(front, file, options_, false, stats, true);
        std::optional<hdl::Design> design;
        HardwareOptions hardware = request_.hardware;
        hardware.isVerilog = true;
        if (front.design) design = buildHardware(front, hardware, options_.verilog);
        printDiagnostics(front, options_);
        if (!design) throw Ended{exit_status::kSource};
        const Stamp stamp = makeStamp(front.program, front.sources, *front.design, options_);
        for (const CacheInput& input : stamp.inputs)
            inputs_.add(input.path);
        Exported result{std::move(*design), {}};
        const fs::path path = scratch_.path() / folder;
        makeDirectories(path);
        writeHardware(path, hardwareFiles(result.design, front.sources, std::nullopt, hardware));
        for (const std::string& name : verilogFiles(result.design, hardware))
            result.files.emplace_back((path / name).string());
        return result;
    }

    /// The module of the process that was asked for, or the top.
    static std::string moduleOf(const Exported& from, const std::string& file,
                                const std::string& process) {
        const std::vector<hdl::Module>& modules = from.design.modules;
        if (process.empty()) return modules.back().name;
        std::vector<std::string> names;
        for (const hdl::Module& module : modules) {
            if (module.name == process) return module.name;
            names.push_back(module.name);
        }
        fail(fmt::format("'{}' has no process '{}'; there are {}", file, process,
                         fmt::join(names, ", ")),
             exit_status::kUsage);
    }

    FormalSide reference() {
        const fs::path file = verify_.formal;
        if (!isVerilog(file)) {
            const Exported other = exported(file.string(), "reference");
            const std::string module =
                verify_.referenceModule.empty()
                    ? moduleOf(other, file.string(), verify_.process)
                    : moduleOf(other, file.string(), verify_.referenceModule);
            theirs_ = instancesOf(other.design, module);
            return {"gold", other.files, module, {}};
        }
        if (!readFile(file))
            fail(fmt::format("cannot read '{}'", file.string()), exit_status::kEnvironment);
        FormalSide side{"gold", {names_.file(fs::absolute(file))}, verify_.referenceModule, {}};
        modules_ = listed(side, file.string());
        const std::string wanted = side.module.empty() ? sameName() : side.module;
        if (!modules_.contains(wanted)) noModule(wanted);
        if (!YosysWord::fits(wanted))
            fail(fmt::format("the module '{}' has no name of letters, digits, '_' and '$'", wanted),
                 exit_status::kSource);
        side.module = wanted;
        return side;
    }

    [[noreturn]] void noModule(const std::string& wanted) const {
        std::vector<std::string> names;
        for (const auto& [name, module] : modules_)
            names.push_back(name);
        fail(fmt::format("'{}' has no module '{}'; there {} {}", verify_.formal, wanted,
                         names.size() == 1 ? "is" : "are", fmt::join(names, ", ")),
             exit_status::kUsage);
    }

    std::string sameName() const {
        if (modules_.size() == 1) return modules_.begin()->first;
        return gateName_;
    }

    std::map<std::string, FormalModule> listed(const FormalSide& side, const std::string& file) {
        folder_ = scratch_.path();
        prepare("list", listScript(side), fmt::format("'{}'", file));
        return readFormalNetlist(readFile(folder_ / "list.json").value_or(""));
    }

    /// The parameters of its instances, by network and name; one without any where there are none.
    static Instances instancesOf(const hdl::Design& design, const std::string& module) {
        Instances found;
        for (const hdl::Module& network : design.modules) {
            for (const hdl::Instance& instance : network.instances) {
                if (design.modules[instance.module.index].name != module) continue;
                for (std::uint64_t round = 0; round < instance.rounds(); ++round)
                    addRound(network.name + "." + instance.name, instance, round, found);
            }
        }
        if (found.empty()) found.emplace();
        return found;
    }

    /// One round of an instance in loops: "top.s[3]".
    static void addRound(std::string place, const hdl::Instance& instance, std::uint64_t round,
                         Instances& found) {
        std::vector<std::int64_t> steps(instance.loops.size());
        for (std::size_t i = steps.size(); i-- > 0;) {
            steps[i] = static_cast<std::int64_t>(round % instance.loops[i].count);
            round /= instance.loops[i].count;
        }
        for (std::size_t i = 0; i < steps.size(); ++i)
            place += fmt::format("[{}]", instance.loops[i].first + steps[i]);
        Parameters& parameters = found[place];
        for (const hdl::Argument& argument : instance.arguments) {
            hdl::Integer value = argument.value;
            for (std::size_t i = 0; i < argument.steps.size(); ++i)
                value += argument.steps[i] * steps[i];
            parameters.emplace_back(argument.parameter, binary(value, argument.width));
        }
    }

    /// Of another revision those of the same instance, of a module those of the same name.
    Parameters parametersOf(const std::string& place, const Parameters& ours,
                            const std::string& module) const {
        if (const auto same = theirs_.find(place); same != theirs_.end()) return same->second;
        Parameters result;
        const auto known = modules_.find(module);
        for (const auto& [name, value] : ours)
            if (known != modules_.end() && known->second.parameters.contains(name))
                result.emplace_back(name, value);
        return result;
    }

    // ------------------------------------------------------------ proofs

    FormalResult check(const FormalSide& gold, const FormalSide& gate) {
        FormalResult result;
        result.name = gate.module;
        if (!gate.parameters.empty()) result.name += fmt::format(" ({})", place_);
        if (isatty(2) != 0 && !options_.quiet)
            fmt::print(stderr, "smec: proving {}\n", result.name);
        const auto start = std::chrono::steady_clock::now();
        prepare("gold", prepareScript(gold), fmt::format("'{}'", verify_.formal));
        prepare("gate", prepareScript(gate), "the exported Verilog");
        const FormalModule theirs = netlist("gold"), ours = netlist("gate");
        if (const auto wrong = portDifferences(theirs.ports, ours.ports); !wrong.empty())
            fail(fmt::format("the ports of '{}' are not those of '{}' in '{}': {}", gate.module,
                             gold.module, verify_.formal, fmt::join(wrong, "; ")),
                 exit_status::kSource);
        writeIfChanged(folder_ / "miter.sv",
                       miterText(ours.ports, reset_, request_.hardware.isActiveLow));
        prove(theirs, ours, result);
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        result.seconds = passed.count();
        return result;
    }

    FormalModule netlist(const std::string& side) const {
        return readFormalNetlist(readFile(folder_ / (side + ".json")).value_or(""))[side];
    }

    void prove(const FormalModule& theirs, const FormalModule& ours, FormalResult& result) const {
        const bool hasReset = ours.ports.contains("clk") && ours.ports.contains(reset_);
        if (findDifference(ours.ports, hasReset, result)) return;
        for (const bool onlyRegisters : {true, false})
            if (proveByRegisters(theirs, ours, onlyRegisters, result)) return;
        search(ours.ports, hasReset, result);
        if (result.proof == Proof::Bounded) proveByReachability(ours.ports, hasReset, result);
    }

    /// What is easy to find. Counterexamples without a second reset are easier to follow.
    bool findDifference(const FormalPorts& ports, bool hasReset, FormalResult& result) const {
        for (const bool isResetOnce : {true, false}) {
            if (!hasReset && isResetOnce) continue;
            const ProcessResult sat =
                yosys(isResetOnce ? "find_once" : "find",
                      boundedSearchScript(*request_.hardware.cycles, isResetOnce),
                      std::min(target::kEasySeconds, verify_.seconds));
            if (noteDifference(readSearch(sat.output, ports, hasReset), result)) return true;
        }
        return false;
    }

    static bool noteDifference(SearchResult found, FormalResult& result) {
        result.cycles = std::max(result.cycles, found.cycles);
        if (!found.counterexample) return false;
        result.proof = Proof::Differs;
        result.counterexample = std::move(found.counterexample);
        return true;
    }

    bool proveByRegisters(const FormalModule& theirs, const FormalModule& ours, bool onlyRegisters,
                          FormalResult& result) const {
        const ProcessResult proof =
            yosys(onlyRegisters ? "equiv_registers" : "equiv_signals",
                  equivalenceScript(ours.ports, reset_, request_.hardware.isActiveLow,
                                    registerPairs(theirs, ours), onlyRegisters));
        if (proof.timedOut || proof.status != 0) return false;
        result.proof = Proof::Proved;
        result.method =
            fmt::format("equiv_induct over {} pairs of signals", readPairs(proof.output));
        return true;
    }

    void search(const FormalPorts& ports, bool hasReset, FormalResult& result) const {
        const ProcessResult sat = yosys("search", searchScript(*request_.hardware.cycles));
        SearchResult found = readSearch(sat.output, ports, hasReset);
        if (found.isProved) {
            result.proof = Proof::Proved;
            result.method = fmt::format("induction over the outputs of {} cycles", found.cycles);
        }
        noteDifference(std::move(found), result);
    }

    void proveByReachability(const FormalPorts& ports, bool hasReset, FormalResult& result) const {
        if (findProgram("yosys-abc").empty() || yosys("aiger", aigerScript()).status != 0) return;
        const ProcessResult pdr =
            start({"yosys-abc", "-c", "read_aiger miter.aig; fold; strash; pdr"}, verify_.seconds);
        writeIfChanged(folder_ / "pdr.log", pdr.output);
        if (pdr.output.find("Property proved.") != std::string::npos) {
            result.proof = Proof::Proved;
            result.method = "property directed reachability";
            return;
        }
        const std::string words = "was asserted in frame ";
        const std::size_t at = pdr.output.rfind(words);
        if (at == std::string::npos) return;
        const std::uint64_t frame = std::stoull(pdr.output.substr(at + words.size()));
        const ProcessResult sat = yosys("deeper", boundedSearchScript(frame + 1, false));
        noteDifference(readSearch(sat.output, ports, hasReset), result);
    }

    const VerifyRequest& request_;
    const CompileOptions& options_;
    const VerifyOptions& verify_;
    const std::string reset_;
    const InterruptScope interrupts_;
    const ScratchFolder scratch_;
    YosysNames names_;
    InputFiles inputs_;
    fs::path folder_;                              ///< of the proof
    std::string place_;                            ///< an instance of what is proved
    Instances theirs_;                             ///< of another revision
    std::string gateName_;                         ///< the module of the design
    std::map<std::string, FormalModule> modules_;  ///< of the reference
};

}  // namespace

int verifyFormal(const VerifyRequest& request) {
    try {
        Prover prover(request);
        const std::vector<FormalResult> results = prover.run();
        const std::string &file = request.compile.files[0], &reference = request.verify.formal;
        fmt::print("{}", request.verify.json ? formalJson(results, file, reference)
                                             : formalText(results, file, reference));
        std::fflush(stdout);  // before messages about the files
        if (!request.compile.output.empty()) prover.keep(request.compile.output);
        return formalStatus(results);
    } catch (const Ended& ended) {
        return ended.status;
    }
}

}  // namespace smec::driver
