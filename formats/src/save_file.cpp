// Lines of a save file: comments start with [*]; @ and a number in hexadecimal says how the signals that
// follow are shown; names are those of the tree, with the range of a vector:
//
//   [*] smec 0f5ac2e19be7a630: made anew by each run as long as nobody changes it
//   [dumpfile] "x.fst"
//   @24
//   top.link.v[7:0]
//
// The number of the first line is the hash of the others.

#include "formats/save_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <sstream>
#include <vector>

#include "formats/trace_scopes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sme {
namespace {

constexpr std::size_t kMostSignals = 200;  // more than a screen is tall
constexpr std::string_view kOurs = "[*] smec ";
constexpr std::string_view kOursEnd = ": made anew by each run as long as nobody changes it\n";

// How signals are shown: bits of GTKWave's.
constexpr std::string_view kUnsigned = "24";
constexpr std::string_view kSigned = "420";
constexpr std::string_view kBit = "28";
constexpr std::string_view kNames = "100000028";  // of an enum whose values are numbers

std::string_view styleOf(const Type& type, const TraceFormat& format) {
    if (type.kind == Kind::Enum) return format.viewer == Viewer::EnumNumbers ? kNames : kBit;
    if (type.kind == Kind::Signed) return kSigned;
    return type.kind == Kind::Unsigned && type.width > 1 ? kUnsigned : kBit;
}

std::string nameIn(const TraceDescription& description, std::size_t signal,
                   const TraceFormat& format) {
    const TracePlace place = placeOf(description.signals[signal]);
    std::string name = description.design;
    for (const TraceScope& scope : place.scopes)
        name.append(1, '.').append(scope.name);
    name.append(1, '.').append(place.leaf);
    const Type& type = *description.signals[signal].type;
    const bool isVector = type.kind == Kind::Unsigned || type.kind == Kind::Signed
                          || (type.kind == Kind::Enum && format.viewer == Viewer::EnumNumbers);
    if (isVector && type.width > 1)
        name.append("[").append(std::to_string(type.width - 1)).append(":0]");
    return name;
}

std::vector<std::size_t> shownSignals(const TraceDescription& description) {
    std::vector<std::size_t> shown;
    const auto add = [&](bool isAny) {
        for (std::size_t i = 0; i < description.signals.size() && shown.size() < kMostSignals; ++i)
            if (isAny || description.signals[i].isExposed) shown.push_back(i);
    };
    add(false);
    if (shown.empty()) add(true);
    return shown;
}

/// So that a cycle is about as wide as a number of some digits.
std::string zoomFor(std::uint64_t period) {
    constexpr unsigned kBelowTen = 4;
    return std::to_string(kBelowTen + std::bit_width(period / 10));
}

std::string hashText(std::string_view text) {
    char digits[17] = "0000000000000000";
    char made[17];
    const auto end = std::to_chars(made, made + 16, XXH3_64bits(text.data(), text.size()), 16).ptr;
    std::copy(made, end, digits + 16 - (end - made));
    return {digits, 16};
}

}  // namespace

std::string saveFileText(const TraceDescription& description, const TraceFormat& format,
                         std::string_view trace) {
    const std::string_view file = trace.substr(trace.find_last_of('/') + 1);
    std::string text =
        "[dumpfile] \"" + std::string(file) + "\"\n[timestart] 0\n[sst_expanded] 1\n";
    text += "*-" + zoomFor(description.time.period) + " 0 -1\n";
    std::string_view style;
    const auto show = [&](std::string_view how, const std::string& name) {
        if (how != style) text.append("@").append(how).append("\n");
        style = how;
        text.append(name).append("\n");
    };
    if (description.time.showsClock) show(kBit, description.design + "." + clockName(description));
    for (const std::size_t i : shownSignals(description))
        show(styleOf(*description.signals[i].type, format), nameIn(description, i, format));
    return std::string(kOurs) + hashText(text) + std::string(kOursEnd) + text;
}

std::string saveFilePath(std::string_view trace, const TraceFormat& format) {
    return std::string(trace.substr(0, trace.size() - format.suffix.size())) + ".gtkw";
}

bool mayReplaceSaveFile(const std::string& path) {
    struct stat file {};
    if (stat(path.c_str(), &file) != 0) return errno == ENOENT;
    if (!S_ISREG(file.st_mode)) return false;
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    const std::string content = text.str();
    const std::size_t rest = content.find('\n') + 1;  // 0: there is none
    const std::string_view others = std::string_view(content).substr(rest);
    return content.starts_with(std::string(kOurs) + hashText(others) + std::string(kOursEnd));
}

}  // namespace sme
