#include "driver/verilog/yosys_script.h"

#include <fmt/format.h>

#include "driver/system/files.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

std::string quoted(const std::string& word) { return "\"" + word + "\""; }

/// A module around the top one that gives it its parameters, for Yosys' `chparam` forgets that
/// numbers have signs.
constexpr const char* kParameters = "smec_parameters";
constexpr const char* kParametersFile = "parameters.v";

std::string parametersModule(const VerilogInput& input) {
    std::string list;
    for (const std::string& parameter : input.parameters) {
        const std::size_t equals = parameter.find('=');
        list += fmt::format("{}.{}({})", list.empty() ? "" : ", ", parameter.substr(0, equals),
                            parameter.substr(equals + 1));
    }
    return fmt::format("module {}; {} #({}) top(); endmodule\n", kParameters, input.top, list);
}

// x must stay x until the registers are found, so no opt -full. Enables and resets stay where the
// source has them, as sides of its branches: found by patterns of multiplexers, their conditions
// would be computed twice, and registers be taken apart.
constexpr const char* kOptimise = "opt -nodffe -nosdff\n";
constexpr const char* kMemories = "memory -nomap -nordff -nowiden\nopt_clean\n";

// Also what a source says should stay apart.
constexpr const char* kFlattenAll = "setattr -unset keep_hierarchy t:*\n"
                                    "setattr -mod -unset keep_hierarchy *\n"
                                    "flatten\n";

/// Ports of the top module that become constants, NAME=VALUE.
std::string tied(const std::vector<std::string>& ties) {
    if (ties.empty()) return {};
    std::string text = "select A:top\n";
    for (const std::string& tie : ties) {
        const std::size_t equals = tie.find('=');
        const std::string port = tie.substr(0, equals);
        text += fmt::format("delete -input A:top w:{0} %i\nconnect -set {0} {1}\n", port,
                            tie.substr(equals + 1));
    }
    return text + "select -clear\n";
}

std::string reduced() { return fmt::format("{0}wreduce -memx\n{0}{1}", kOptimise, kMemories); }

/// By the commands `read_verilog` or `read_slang`.
class Script {
public:
    Script(const VerilogInput& input, const YosysProgram& yosys, const YosysTask& task)
        : input_(input),
          yosys_(yosys),
          task_(task),
          readsWithSlang_(yosys.hasSlang && hasSystemVerilog(input)) {}

    std::string text() {
        if (task_.stage == Stage::AfterReset) {
            text_ = "read_json " + quoted(yosys_.seen(task_.start)) + "\n";
            return text_ + reduced() + written(task_.json);
        }
        readsWithSlang_ ? readWithSlang() : readVerilog();
        text_ += "proc\n";
        if (task_.stage != Stage::Ports) text_ += tied(input_.ties);
        if (task_.stage != Stage::Ports) text_ += reduced();
        text_ += written(task_.json);
        if (task_.stage == Stage::BeforeReset) text_ += kFlattenAll + written(task_.flat);
        return text_;
    }

private:
    /// Yosys takes no blanks in the names of these folders, so they get others, unless it cannot
    /// follow links.
    std::string includeFolder(std::size_t number) const {
        const std::string& folder = input_.includeFolders[number];
        if (yosys_.isWebAssembly) return yosys_.seenWithoutBlanks(folder);
        const fs::path link = task_.folder / fmt::format("include_{}", number);
        if (!fs::is_symlink(link)) fs::create_directory_symlink(fs::absolute(folder), link);
        return link.string();
    }

    void readVerilog() {
        std::string options = task_.isTopOnly ? " -defer" : "";
        for (std::size_t i = 0; i < input_.includeFolders.size(); ++i)
            options += " -I " + includeFolder(i);
        for (const std::string& define : input_.defines)
            options += " -D" + define;
        for (const std::string& file : input_.files)
            text_ += fmt::format("read_verilog -icells{}{} {}\n",
                                 isSystemVerilogFile(file) ? " -sv" : "", options,
                                 quoted(yosys_.seen(file)));
        if (!input_.parameters.empty()) {
            const fs::path wrapper = task_.folder / kParametersFile;
            writeIfChanged(wrapper, parametersModule(input_));
            text_ += "read_verilog " + quoted(yosys_.seen(wrapper)) + "\n";
            text_ += fmt::format("hierarchy -check -top {0}\ndelete {0}\nhierarchy -check "
                                 "-auto-top\nrename -top {1}\n",
                                 kParameters, input_.top);
            return;
        }
        choosesTop();
    }

    /// Overrides by -G of parameters that are not there are silently none, those of an instance are
    /// errors.
    void readWithSlang() {
        if (!input_.parameters.empty()) {
            const fs::path wrapper = task_.folder / kParametersFile;
            writeIfChanged(wrapper, parametersModule(input_));
            text_ += slang("parameters.f", fmt::format("--ast-compilation-only\n--top {}\n{}\n",
                                                       kParameters, quoted(yosys_.seen(wrapper))));
        }
        std::string own;
        if (!input_.top.empty()) own += "--top " + input_.top + "\n";
        for (const std::string& parameter : input_.parameters)
            own += "-G " + quoted(parameter) + "\n";
        text_ += slang("words.f", own);
        choosesTop();
    }

    /// All files at once, for packages, and through a list of words, which may have blanks.
    std::string slang(const char* listName, const std::string& own) const {
        std::string list = "--threads 1\n--best-effort-hierarchy\n" + own;
        for (const std::string& define : input_.defines)
            list += "-D " + quoted(define) + "\n";
        for (const std::string& folder : input_.includeFolders)
            list += "-I " + quoted(yosys_.seen(folder)) + "\n";
        for (const std::string& file : input_.files) {
            const std::string name = quoted(yosys_.seen(file));
            if (!isSystemVerilogFile(file))
                list += "--map-keyword-version 1364-2005+" + name + "\n";
            list += name + "\n";
        }
        const fs::path file = task_.folder / listName;
        writeIfChanged(file, list);
        return "read_slang -f " + yosys_.seen(file) + "\n";
    }

    std::string written(const fs::path& file) const {
        return fmt::format("write_json {}\n", quoted(yosys_.seen(file)));
    }

    void choosesTop() {
        text_ += "hierarchy -check ";
        text_ += (input_.top.empty() ? "-auto-top" : "-top " + input_.top) + "\n";
    }

    const VerilogInput& input_;
    const YosysProgram& yosys_;
    const YosysTask& task_;
    const bool readsWithSlang_;
    std::string text_;
};

}  // namespace

fs::path writeScript(const VerilogInput& input, const YosysProgram& yosys, const YosysTask& task) {
    fs::path file = task.folder / "import.ys";
    writeIfChanged(file, Script(input, yosys, task).text());
    return file;
}

}  // namespace smec::driver
