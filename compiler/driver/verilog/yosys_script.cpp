#include "driver/verilog/yosys_script.h"

#include <algorithm>

#include <fmt/format.h>

#include "driver/system/files.h"
#include "driver/verilog/yosys_words.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// A word of a list of words of slang, which takes what stands in single quotes as it is.
std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) {
        if (c == '\'')
            text += "'\"'\"'";
        else
            text += c;
    }
    return text + "'";
}

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
YosysScript tied(const std::vector<std::string>& ties) {
    if (ties.empty()) return {};
    YosysScript script;
    script.add("select A:top\n");
    for (const std::string& tie : ties) {
        const std::size_t equals = tie.find('=');
        const YosysWord port(tie.substr(0, equals)), value(tie.substr(equals + 1));
        script.add("delete -input A:top w:{0} %i\nconnect -set {0} {1}\n", port, value);
    }
    return script.add("select -clear\n");
}

YosysScript reduced() {
    YosysScript script;
    return script.add(kOptimise).add("wreduce -memx\n").add(kOptimise).add(kMemories);
}

/// By the commands `read_verilog` or `read_slang`.
class ImportScript {
public:
    ImportScript(const VerilogInput& input, const YosysTask& task, YosysNames& names)
        : input_(input), task_(task), names_(names), readsWithSlang_(task.isBySlang) {}

    YosysScript script() {
        if (task_.stage == Stage::AfterReset) {
            script_.add("read_json {}\n", names_.own(task_.start));
            script_.add("{}", reduced());
            write(task_.json);
            return script_;
        }
        readsWithSlang_ ? readWithSlang() : readVerilog();
        script_.add("proc\n");
        if (task_.stage != Stage::Ports) script_.add("{}{}", tied(input_.ties), reduced());
        write(task_.json);
        if (task_.stage == Stage::BeforeReset) {
            script_.add(kFlattenAll);
            write(task_.flat);
        }
        return script_;
    }

private:
    void readVerilog() {
        YosysScript options;
        if (task_.isTopOnly) options.add(" -defer");
        for (const std::string& folder : input_.includeFolders)
            options.add(" -I {}", names_.folder(folder));
        options.add(" -I {}", names_.here());
        std::string longDefines;
        for (const std::string& define : input_.defines) {
            if (YosysWord::fits(define))
                options.add(" -D{}", YosysWord(define));
            else
                longDefines += defineLine(define);
        }
        for (const std::string& file : input_.files) {
            script_.add("read_verilog -icells");
            if (isSystemVerilogFile(file)) script_.add(" -sv");
            readFile(file, options, longDefines);
        }
        if (!input_.parameters.empty()) {
            script_.add("read_verilog {}\n", parametersFile());
            script_.add("hierarchy -check -top {0}\ndelete {0}\nhierarchy -check "
                        "-auto-top\nrename -top {1}\n",
                        YosysWord(kParameters), YosysWord(input_.top));
            return;
        }
        chooseTop();
    }

    static std::string defineLine(const std::string& define) {
        const std::size_t equals = std::min(define.find('='), define.size());
        return fmt::format("`define {} {}\n", define.substr(0, equals),
                           equals == define.size() ? "" : define.substr(equals + 1));
    }

    /// Definitions that are no word stand in a file that includes the one to read. What that
    /// includes is looked for in the folder of the outer one, so its own comes first of all.
    void readFile(const std::string& file, const YosysScript& options,
                  const std::string& longDefines) {
        const YosysWord name = names_.file(file);
        const fs::path folder = fs::path(file).parent_path();
        const bool isOther = fs::path(file).filename() != fs::path(name.text()).filename();
        if (isOther || !longDefines.empty())
            script_.add(" -I {}", names_.folder(folder.empty() ? "." : folder));
        if (longDefines.empty()) {
            script_.add("{} {}\n", options, name);
            return;
        }
        const fs::path outer = task_.folder / fmt::format("defined_{}.v", outerFiles_++);
        writeIfChanged(outer, fmt::format("{}`include \"{}\"\n", longDefines, name));
        script_.add("{} {}\n", options, names_.own(outer));
    }

    YosysWord parametersFile() const {
        const fs::path wrapper = task_.folder / kParametersFile;
        writeIfChanged(wrapper, parametersModule(input_));
        return names_.own(wrapper);
    }

    /// Overrides by -G of parameters that are not there are silently none, those of an instance are
    /// errors.
    void readWithSlang() {
        if (!input_.parameters.empty())
            slang("parameters.f", fmt::format("--ast-compilation-only\n--top {}\n{}\n", kParameters,
                                              parametersFile()));
        std::string own;
        if (!input_.top.empty()) own += "--top " + quoted(input_.top) + "\n";
        for (const std::string& parameter : input_.parameters)
            own += "-G " + quoted(parameter) + "\n";
        slang("words.f", own);
        chooseTop();
    }

    /// All files at once, for packages, and through a list of words.
    void slang(const char* listName, const std::string& own) {
        std::string list = "--threads 1\n--best-effort-hierarchy\n" + own;
        for (const std::string& define : input_.defines)
            list += "-D " + quoted(define) + "\n";
        for (const std::string& folder : input_.includeFolders)
            list += fmt::format("-I {}\n", names_.folder(folder));
        list += fmt::format("-I {}\n", names_.here());
        for (const std::string& file : input_.files) {
            const YosysWord name = names_.file(file);
            if (!isSystemVerilogFile(file))
                list += fmt::format("--map-keyword-version 1364-2005+{}\n", name);
            list += fmt::format("{}\n", name);
        }
        const fs::path file = task_.folder / listName;
        writeIfChanged(file, list);
        script_.add("read_slang -f {}\n", names_.own(file));
    }

    void write(const fs::path& file) { script_.add("write_json {}\n", names_.own(file)); }

    void chooseTop() {
        if (input_.top.empty())
            script_.add("hierarchy -check -auto-top\n");
        else
            script_.add("hierarchy -check -top {}\n", YosysWord(input_.top));
    }

    const VerilogInput& input_;
    const YosysTask& task_;
    YosysNames& names_;
    const bool readsWithSlang_;
    YosysScript script_;
    std::size_t outerFiles_ = 0;
};

}  // namespace

fs::path writeScript(const VerilogInput& input, const YosysTask& task, YosysNames& names) {
    fs::path file = task.folder / "import.ys";
    writeIfChanged(file, ImportScript(input, task, names).script().text());
    return file;
}

}  // namespace smec::driver
