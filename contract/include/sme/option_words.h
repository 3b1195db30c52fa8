#pragma once

// Reads words as the options of sme/options.h: one reader for all who take them, so that each says
// the same of a wrong one. What an option then does is its taker's.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sme/options.h>

namespace sme {

/// An option as it was given; of a flag `text` is empty.
struct GivenOption {
    const SimulatorOption* option;
    std::string text;
};

/// As in .sme files: decimal, or hexadecimal after 0x, with `_` between digits.
inline std::optional<std::uint64_t> readNumber(std::string_view text) {
    const int base = text.starts_with("0x") ? 16 : 10;
    std::string digits;
    for (const char c : text.substr(base == 16 ? 2 : 0))
        if (c != '_' || digits.empty()) digits.push_back(c);
    std::uint64_t number = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, number, base);
    if (problem != std::errc() || stop != end) return std::nullopt;
    return number;
}

inline std::optional<double> readReal(std::string_view text) {
    double number = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || stop != text.data() + text.size()) return std::nullopt;
    return number;
}

/// NAME or NAME:PARAMETER. The parameter is null where there is no colon.
struct NamedParameter {
    explicit NamedParameter(std::string_view text)
        : name(text.substr(0, text.find(':'))),
          parameter(text.size() > name.size() ? std::optional(text.substr(name.size() + 1))
                                              : std::nullopt) {}
    std::string_view name;
    std::optional<std::string_view> parameter;
};

/// FILE or FILE:CYCLES. What stands after the last colon is a number, or part of the name.
struct CheckpointPlan {
    std::string path;         ///< empty: none
    std::uint64_t every = 0;  ///< cycles; 0: at the end only
};
inline CheckpointPlan readCheckpointPlan(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return {std::string(text), 0};
    const std::optional<std::uint64_t> every = readNumber(text.substr(colon + 1));
    return every ? CheckpointPlan{std::string(text.substr(0, colon)), *every}
                 : CheckpointPlan{std::string(text), 0};
}

/// The words of "a|b|c" and the like.
inline std::vector<std::string_view> splitWords(std::string_view text, char separator) {
    std::vector<std::string_view> words;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(separator, from), text.size());
        words.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return words;
}

// What a text would have to be to be a value of an option; empty: it is one.
namespace expected {

inline std::string choice(std::string_view choices, std::string_view text) {
    std::string names;
    for (const std::string_view each : splitWords(choices, '|')) {
        if (each == text) return {};
        names.append(names.empty() ? "" : ", ").append(each);
    }
    return "one of " + names;
}

inline std::string number(const SimulatorOption& option, std::string_view text) {
    const std::optional<std::uint64_t> value = readNumber(text);
    if (value && *value >= option.least && *value <= option.most) return {};
    if (option.least == 0) return "a whole number";
    const std::string from = "a number from " + std::to_string(option.least);
    return option.most == SimulatorOption::kNoMost ? from + " on"
                                                   : from + " to " + std::to_string(option.most);
}

inline std::string numberBetween(std::string_view text, std::uint64_t least, std::uint64_t most,
                                 const std::string& what) {
    const std::optional<std::uint64_t> value = readNumber(text);
    if (value && *value >= least && *value <= most) return {};
    return what + " from " + std::to_string(least) + " to " + std::to_string(most);
}

inline std::string after(const std::string& what, std::string_view name) {
    return what.empty() ? what : (what + " after ").append(name).append(":");
}

inline std::string chunk(const SimulatorOption& option, std::string_view text) {
    const NamedParameter given(text);
    if (std::string wrong = choice(option.choices, given.name); !wrong.empty()) return wrong;
    if (!given.parameter) return {};
    if (given.name == "fiss" || given.name == "viss")
        return after(numberBetween(*given.parameter, 2, 1000, "a number of batches"), given.name);
    if (given.name != "pls") return std::string("no parameter after ").append(given.name);
    const std::optional<double> share = readReal(*given.parameter);
    return share && *share > 0 && *share <= 1 ? "" : "a share above 0, up to 1, after pls:";
}

inline std::string orchestration(const SimulatorOption& option, std::string_view text) {
    const NamedParameter given(text);
    if (std::string wrong = choice(option.choices, given.name); !wrong.empty()) return wrong;
    if (!given.parameter) return {};
    if (given.name != "profile" && given.name != "montecarlo")
        return std::string("no parameter after ").append(given.name);
    return after(numberBetween(*given.parameter, 1, 1'000'000, "a number"), given.name);
}

inline std::string reports(std::string_view text) {
    for (const std::string_view each : splitWords(text, ',')) {
        const NamedParameter given(each);
        if (given.name == "factored" && given.parameter) {
            std::string wrong = numberBetween(*given.parameter, 1, 1000, "a number of runs");
            if (!wrong.empty()) return after(wrong, given.name);
        } else if (given.name == "ranks") {
            std::string wrong =
                numberBetween(given.parameter.value_or(""), 1, kMostRanks, "a number of ranks");
            if (!wrong.empty()) return after(wrong, given.name);
        } else if (each != "text" && each != "json" && each != "factored") {
            return "text, json, factored or ranks:N, or several with commas";
        }
    }
    return {};
}

inline std::string window(std::string_view text) {
    const NamedParameter given(text);
    const bool isStart = readNumber(given.name).has_value();
    const bool isCount = !given.parameter || readNumber(*given.parameter).value_or(0) > 0;
    return isStart && isCount ? "" : "START:COUNT in cycles";
}

inline std::string checkpoint(std::string_view text) {
    const CheckpointPlan plan = readCheckpointPlan(text);
    const bool isPlain = plan.path == text;
    return !plan.path.empty() && (isPlain || plan.every > 0) ? ""
                                                             : "a file name, or FILE:N in cycles";
}

inline std::string seconds(std::string_view text) {
    const std::optional<double> value = readReal(text);
    return value && *value > 0 && std::isfinite(*value) ? "" : "seconds, more than 0";
}

inline std::string value(const SimulatorOption& option, std::string_view text) {
    switch (option.takes) {
    case OptionValue::Flag:
    case OptionValue::Text: return {};
    case OptionValue::File: return text.empty() ? "a file name" : "";
    case OptionValue::Number: return number(option, text);
    case OptionValue::NumberOrAuto:
        return text == "auto" || number(option, text).empty() ? ""
                                                              : number(option, text) + " or auto";
    case OptionValue::NumberOrMpi:
        return text == "mpi" || number(option, text).empty() ? ""
                                                             : number(option, text) + " or mpi";
    case OptionValue::Seconds: return seconds(text);
    case OptionValue::Choice: return choice(option.choices, text);
    case OptionValue::Checkpoint: return checkpoint(text);
    case OptionValue::Chunk: return chunk(option, text);
    case OptionValue::Orchestration: return orchestration(option, text);
    case OptionValue::Reports: return reports(text);
    case OptionValue::Window: return window(text);
    }
    return {};
}

}  // namespace expected

/// The error where a text is not what an option takes.
inline std::string wrongValue(std::string_view option, const std::string& expected,
                              std::string_view text) {
    return std::string(option).append(" takes " + expected + ", not '").append(text).append("'");
}

constexpr bool isTakenBy(TakenBy taker, const SimulatorOption& option) {
    return (static_cast<std::uint8_t>(option.takers) & static_cast<std::uint8_t>(taker))
           == static_cast<std::uint8_t>(taker);
}

/// The one of `names` that looks most like `word`, where one does; else empty.
using NearestName =
    std::function<std::string(const std::string& word, const std::vector<std::string>& names)>;

inline std::string unknownOption(const std::string& word, const NearestName& nearest) {
    std::vector<std::string> names;
    for (const SimulatorOption& option : kSimulatorOptions)
        names.emplace_back(option.name.substr(2));
    const std::string best = nearest(word.substr(2), names);
    return "unknown option '" + word + "'"
           + (best.empty() ? "; --help lists them all" : "; did you mean '--" + best + "'?");
}

/// What is wrong with options that are right each alone; empty: nothing. The last of a name counts.
inline std::string contradiction(const std::vector<GivenOption>& given) {
    std::optional<std::uint64_t> start, stop;
    for (const GivenOption& each : given) {
        if (each.option->name == "--trace-start") start = readNumber(each.text);
        if (each.option->name == "--trace-stop") stop = readNumber(each.text);
    }
    if (!stop || *stop > start.value_or(0)) return {};
    return "--trace-stop " + std::to_string(*stop) + " leaves nothing to trace from cycle "
           + std::to_string(start.value_or(0)) + " on; it is the first cycle that is not traced";
}

/// Reads the arguments of a program, without its name. Returns what is wrong with the first wrong
/// one; empty: nothing. `more`: options that are understood, too, and told nobody.
inline std::string readOptions(const std::vector<std::string>& arguments,
                               std::span<const SimulatorOption> more, const NearestName& nearest,
                               std::vector<GivenOption>& given) {
    const auto find = [&](std::string_view name) -> const SimulatorOption* {
        for (const SimulatorOption& option : kSimulatorOptions)
            if (option.name == name) return &option;
        for (const SimulatorOption& option : more)
            if (option.name == name) return &option;
        return nullptr;
    };
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i] == "-h" ? "--help" : arguments[i];
        if (!argument.starts_with("--") || argument == "--")
            return "unexpected argument '" + argument + "'; options start with '--'";
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        const SimulatorOption* option = find(name);
        if (!option) return unknownOption(name, nearest);
        const bool isFlag = option->takes == OptionValue::Flag;
        const bool isAttached = equals != std::string::npos;
        if (isFlag && isAttached) return name + " takes no value";
        if (!isFlag && !isAttached && i + 1 == arguments.size())
            return (name + " needs a value: " + name + " ").append(option->value);
        GivenOption one{option, isAttached ? argument.substr(equals + 1)
                                : isFlag   ? std::string()
                                           : arguments[++i]};
        const std::string wrong = expected::value(*option, one.text);
        if (!wrong.empty()) return wrongValue(name, wrong, one.text);
        given.push_back(std::move(one));
    }
    return contradiction(given);
}

/// The text of --help.
inline std::string optionHelp(const std::string& usage) {
    constexpr std::size_t kColumn = 26;
    std::string text = "usage: " + usage + "\n";
    for (std::size_t group = 0; group < std::size(kOptionGroups); ++group) {
        text.append("\n").append(kOptionGroups[group]).append(":\n");
        for (const SimulatorOption& option : kSimulatorOptions) {
            if (static_cast<std::size_t>(option.group) != group) continue;
            std::string line = std::string("  ").append(option.name);
            if (!option.value.empty()) line.append(" ").append(option.value);
            line.resize(std::max(line.size() + 2, kColumn), ' ');
            text.append(line).append(option.help);
            if (!option.choices.empty() && option.choices != option.value) {
                std::string_view before = " (";
                for (const std::string_view choice : splitWords(option.choices, '|')) {
                    text.append(before).append(choice);
                    before = ", ";
                }
                text.push_back(')');
            }
            text.push_back('\n');
        }
    }
    return text
           + "\nExit status: 0 good, 1 a failure or a difference, n after stop(n), 2 wrong usage, "
             "3 a file cannot be read or\n"
             "written, 4 a limit of time or memory, 130 interrupted.\n";
}

}  // namespace sme
