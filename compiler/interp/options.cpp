#include "interp/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <string_view>

#include "diag/diagnostics.h"
#include "source/output_file.h"

namespace smec::interp {

namespace {

/// As in .sme files: decimal, or hexadecimal after 0x, with `_` between digits.
std::uint64_t parseCount(std::string_view option, const std::string& text) {
    const int base = text.starts_with("0x") ? 16 : 10;
    std::string digits = text.substr(base == 16 ? 2 : 0);
    if (!digits.starts_with('_')) std::erase(digits, '_');
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error == std::errc{} && end == digits.data() + digits.size()) return value;
    throw RunError{kUsage, std::string(option) + " takes a whole number, not '" + text + "'"};
}

double parseSeconds(std::string_view option, const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && value > 0) return value;
    throw RunError{kUsage, std::string(option) + " takes seconds, more than 0, not '" + text + "'"};
}

/// What chooses a plan or a machine, and so cannot change a result.
constexpr std::array<std::string_view, 16> kIgnoredWithValue = {
    "--threads",   "--model",  "--chunk",  "--orchestrate", "--wait",  "--adapt",
    "--queues",    "--groups", "--assign", "--victim",      "--costs", "--steal",
    "--min-chunk", "--bind",   "--numa",   "--own-thread"};
constexpr std::array<std::string_view, 3> kIgnored = {"--prepartition", "--foreman",
                                                      "--oversubscribe"};

const std::string& checkedTrace(const std::string& path) {
    const bool isOther = path.ends_with(".vcd") || path.ends_with(".fst");
    if (path.ends_with(".csv") || path == "-" || (!isOther && isStream(path))) return path;
    throw RunError{kUsage, "--trace " + path + ": the interpreter writes .csv only"};
}

using Flags = std::map<std::string_view, std::function<void(Options&)>>;
using SettingActions =
    std::map<std::string_view,
             std::function<void(Options&, std::string_view name, const std::string& value)>>;

Flags knownFlags() {
    return {
        {"--trace-all", [](Options& o) { o.traceAll = true; }},
        {"--checksum", [](Options& o) { o.checksum = true; }},
        {"--list", [](Options& o) { o.list = true; }},
        {"--progress", [](Options& o) { o.progress = true; }},
        {"--quiet", [](Options& o) { o.quiet = true; }},
        {"-q", [](Options& o) { o.quiet = true; }},
        {"--unchecked", [](Options& o) { o.unchecked = true; }},
    };
}

SettingActions knownSettings() {
    return {
        {"--cycles",
         [](Options& o, auto name, auto& value) { o.cycles = parseCount(name, value); }},
        {"--most-cycles",
         [](Options& o, auto name, auto& value) { o.mostCycles = parseCount(name, value); }},
        {"--most-values",
         [](Options& o, auto name, auto& value) { o.mostValues = parseCount(name, value); }},
        {"--ending", [](Options& o, auto, auto& value) { o.ending = value; }},
        {"--seed", [](Options& o, auto name, auto& value) { o.seed = parseCount(name, value); }},
        {"--timeout",
         [](Options& o, auto name, auto& value) { o.timeout = parseSeconds(name, value); }},
        {"--loop-limit",
         [](Options& o, auto name, auto& value) { o.loopLimit = parseCount(name, value); }},
        {"--input", [](Options& o, auto, auto& value) { o.input = value; }},
        {"--expect", [](Options& o, auto, auto& value) { o.expect = value; }},
        {"--trace", [](Options& o, auto, auto& value) { o.traces.push_back(checkedTrace(value)); }},
        {"--trace-filter", [](Options& o, auto, auto& value) { o.traceFilters.push_back(value); }},
        {"--trace-start",
         [](Options& o, auto name, auto& value) { o.traceStart = parseCount(name, value); }},
        {"--trace-stop",
         [](Options& o, auto name, auto& value) { o.traceStop = parseCount(name, value); }},
        {"--print", [](Options& o, auto, auto& value) { o.prints.push_back(value); }},
    };
}

template <typename List>
bool contains(const List& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

RunError unknownOption(const std::string& name, const Flags& flags,
                       const SettingActions& settings) {
    std::vector<std::string> names;
    for (const auto& [known, action] : flags)
        names.emplace_back(known);
    for (const auto& [known, action] : settings)
        names.emplace_back(known);
    const std::string nearest = nearestName(name, names);
    const std::string hint = nearest.empty() ? "" : "; did you mean " + nearest + "?";
    return {kUsage, "the interpreter does not know '" + name + "'" + hint};
}

}  // namespace

Options parseOptions(const std::vector<std::string>& arguments) {
    const Flags flags = knownFlags();
    const SettingActions settings = knownSettings();
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::size_t equals =
            arguments[i].starts_with("--") ? arguments[i].find('=') : std::string::npos;
        const std::string name = arguments[i].substr(0, equals);
        const auto flag = flags.find(name);
        const auto setting = settings.find(name);
        if (flag != flags.end() || contains(kIgnored, name)) {
            if (equals != std::string::npos) throw RunError{kUsage, name + " takes no value"};
            if (flag != flags.end()) flag->second(options);
            continue;
        }
        if (setting == settings.end() && !contains(kIgnoredWithValue, name))
            throw unknownOption(name, flags, settings);
        std::string value;
        if (equals != std::string::npos)
            value = arguments[i].substr(equals + 1);
        else if (i + 1 < arguments.size())
            value = arguments[++i];
        else
            throw RunError{kUsage, name + " needs a value"};
        if (setting != settings.end()) setting->second(options, name, value);
    }
    return options;
}

}  // namespace smec::interp
