#include "driver/system/memory_limit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

#include <fmt/format.h>

#include "source/output_file.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

constexpr double kKiB = 1024;
constexpr std::string_view kUnits = "KMGT";

/// "max", or a number; nothing else limits.
std::uint64_t limitIn(const fs::path& file) {
    std::ifstream in(file);
    std::uint64_t bytes = 0;
    return in >> bytes ? bytes : kAllMemory;
}

}  // namespace

std::optional<std::uint64_t> parseMemory(std::string_view text) {
    if (text == "none") return kAllMemory;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.size() > 1) return std::nullopt;
    if (!text.empty()) {
        const std::size_t unit = kUnits.find(text[0]);
        if (unit == std::string_view::npos) return std::nullopt;
        number *= std::pow(kKiB, static_cast<double>(unit + 1));
    }
    constexpr double kMost = 9e18;  // of what the number fits into
    if (number < 1 || number > kMost) return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

std::string memoryText(std::uint64_t bytes) {
    const auto number = static_cast<double>(bytes);
    if (number < kKiB * kKiB * kKiB) return fmt::format("{:.0f} MiB", number / kKiB / kKiB);
    return fmt::format("{:.1f} GiB", number / kKiB / kKiB / kKiB);
}

std::uint64_t groupMemory(const fs::path& root, std::string group, const char* file) {
    std::uint64_t least = kAllMemory;
    while (true) {
        least = std::min(least, limitIn(fs::path(root.string() + group) / file));
        const std::size_t slash = group.rfind('/');
        if (slash == std::string::npos) return least;
        group.resize(slash);
    }
}

std::uint64_t memory() {
    std::uint64_t least = kAllMemory;
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0)
        least = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
    // "0::/user.slice" of version 2, "5:memory:/docker/4e" of version 1
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string kinds = line.substr(first + 1, second - first - 1);
        const std::string group = line.substr(second + 1);
        if (kinds.empty())
            least = std::min(least, groupMemory("/sys/fs/cgroup", group, "memory.max"));
        else if (kinds == "memory")
            least = std::min(least,
                             groupMemory("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
    return least;
}

std::uint64_t memoryLimit() {
    const char* text = std::getenv(kMemoryVariable);
    if (!text || !*text) return memory() / 4 * 3;
    if (const auto bytes = parseMemory(text)) return *bytes;
    throw FileError{fmt::format("{} is '{}', but takes a size such as 4G or 500M, or none",
                                kMemoryVariable, text),
                    true};
}

}  // namespace smec::driver
