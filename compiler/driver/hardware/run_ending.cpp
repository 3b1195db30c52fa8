#include "driver/hardware/run_ending.h"

#include <array>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "driver/hardware/target.h"
#include "driver/system/files.h"

namespace smec::driver {

namespace {

struct Word {
    std::string_view text;
    RunEnding::Kind kind;
};
constexpr std::array<Word, 7> kWords{{{"cycles", RunEnding::Kind::Cycles},
                                      {"input", RunEnding::Kind::Input},
                                      {"limit", RunEnding::Kind::Limit},
                                      {"values", RunEnding::Kind::Values},
                                      {"stop", RunEnding::Kind::Stop},
                                      {"failure", RunEnding::Kind::Failure},
                                      {"cut", RunEnding::Kind::Cut}}};

/// 10000 -> "10,000"
std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

std::string counted(std::uint64_t cycles) {
    return grouped(cycles) + (cycles == 1 ? " cycle" : " cycles");
}

}  // namespace

RunEnding readEnding(const std::filesystem::path& file) {
    RunEnding ending;
    std::istringstream stream(readFile(file).value_or(""));
    std::string word;
    if (!(stream >> word >> ending.cycles >> ending.status)) return {};
    for (const Word& known : kWords)
        if (known.text == word) ending.kind = known.kind;
    return ending;
}

std::string describe(const RunEnding& ending) {
    switch (ending.kind) {
    case RunEnding::Kind::Unknown: return {};
    case RunEnding::Kind::Cycles:
        return fmt::format("ran {}, as asked with --cycles", counted(ending.cycles));
    case RunEnding::Kind::Input:
        return fmt::format("ran to the end of the input, {}", counted(ending.cycles));
    case RunEnding::Kind::Limit:
        return fmt::format("ran to the limit of {}", counted(ending.cycles));
    case RunEnding::Kind::Values:
        return fmt::format("ran to the limit of {} values, {}", grouped(target::kMostValues),
                           counted(ending.cycles));
    case RunEnding::Kind::Stop:
        return fmt::format("stopped with status {} in cycle {}", ending.status, ending.cycles - 1);
    case RunEnding::Kind::Failure: return fmt::format("failed in cycle {}", ending.cycles - 1);
    case RunEnding::Kind::Cut: return fmt::format("was cut off after {}", counted(ending.cycles));
    }
    return {};
}

}  // namespace smec::driver
