// What the options of sme/options.h do. That table drives both the parser and --help.

#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>

#include "schedule/choices.h"
#include "sme/options.h"
#include "values/names.h"

namespace sme {
namespace {

constexpr unsigned kMostThreads = 1024;

/// The value of one option and where complaints about it go.
struct Value {
    const std::string& option;
    const std::string& text;
    std::string& error;

    bool wrong(const std::string& expected) const {
        error = option + " takes " + expected + ", not '" + text + "'";
        return false;
    }
};

bool readNumber(const Value& value, std::uint64_t& number) {
    std::string digits;  // 1_000_000 is read as in .sme files
    for (const char c : value.text) {
        if (c != '_' || digits.empty()) digits.push_back(c);
    }
    const char* end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, number);
    if (problem == std::errc() && stop == end) return true;
    return value.wrong("a whole number");
}

template <typename T, std::size_t N>
bool readChoice(const Value& value, const Choice<T> (&choices)[N], T& target) {
    std::string names;
    for (const Choice<T>& choice : choices) {
        if (value.text == choice.name) {
            target = choice.value;
            return true;
        }
        names.append(names.empty() ? "" : ", ").append(choice.name);
    }
    return value.wrong("one of " + names);
}

/// NAME or NAME:PARAMETER; `parameter` becomes the text behind the colon.
std::string splitParameter(const std::string& text, std::string& parameter) {
    const std::size_t colon = text.find(':');
    if (colon != std::string::npos) parameter = text.substr(colon + 1);
    return text.substr(0, colon);
}

bool setChunk(Options& o, const Value& v) {
    std::string parameter;
    const std::string name = splitParameter(v.text, parameter);
    ChunkRule& rule = o.scheduling.chunk;
    if (!readChoice({v.option, name, v.error}, kChunks, rule.scheme)) return false;
    rule.parameter = 0;
    o.hasChunk = true;
    if (v.text.find(':') == std::string::npos) return true;
    const char* end = parameter.data() + parameter.size();
    const auto [stop, problem] = std::from_chars(parameter.data(), end, rule.parameter);
    const bool isNumber = problem == std::errc() && stop == end;
    switch (rule.scheme) {
    case ChunkScheme::FixedIncrease:
    case ChunkScheme::VariableIncrease:
        return (isNumber && rule.parameter >= 2 && rule.parameter <= 1000
                && rule.parameter == std::floor(rule.parameter))
               || v.wrong("a number of batches from 2 to 1000 behind " + name + ":");
    case ChunkScheme::PerformanceLoop:
        return (isNumber && rule.parameter > 0 && rule.parameter <= 1)
               || v.wrong("a share above 0, up to 1, behind pls:");
    default: return v.wrong("no parameter behind " + name);
    }
}

bool setOrchestrate(Options& o, const Value& v) {
    std::string parameter;
    const std::string name = splitParameter(v.text, parameter);
    Scheduling& scheduling = o.scheduling;
    if (!readChoice({v.option, name, v.error}, kOrchestrations, scheduling.orchestrate))
        return false;
    scheduling.orchestrateParameter = 0;
    if (v.text.find(':') == std::string::npos) return true;
    const bool takes = scheduling.orchestrate == Orchestrate::Profile
                       || scheduling.orchestrate == Orchestrate::MonteCarlo;
    if (!takes) return v.wrong("no parameter behind " + name);
    std::uint64_t number = 0;
    if (!readNumber({v.option, parameter, v.error}, number) || number == 0 || number > 1'000'000)
        return v.wrong("a number from 1 to 1000000 behind " + name + ":");
    scheduling.orchestrateParameter = static_cast<std::uint32_t>(number);
    return true;
}

bool setReport(Options& o, const Value& v) {
    for (std::size_t from = 0; from <= v.text.size();) {
        const std::size_t comma = std::min(v.text.find(',', from), v.text.size());
        const std::string one = v.text.substr(from, comma - from);
        from = comma + 1;
        std::string parameter;
        const std::string name = splitParameter(one, parameter);
        if (one == "text") {
            o.reportText = true;
        } else if (one == "json") {
            o.reportJson = true;
        } else if (name == "factored") {
            std::uint64_t runs = 5;
            const bool good = one == name || readNumber({v.option, parameter, v.error}, runs);
            if (!good || runs == 0 || runs > 1000)
                return v.wrong("a number of runs from 1 to 1000 behind factored:");
            o.reportFactored = static_cast<unsigned>(runs);
        } else {
            return v.wrong("text, json or factored, or several with commas");
        }
    }
    return true;
}

bool setScheduleWindow(Options& o, const Value& v) {
    std::string count;
    const std::string start = splitParameter(v.text, count);
    ScheduleRange range{0, 200};
    const bool good = readNumber({v.option, start, v.error}, range.start)
                      && (start == v.text || readNumber({v.option, count, v.error}, range.count))
                      && range.count > 0;
    o.scheduleWindow = range;
    return good || v.wrong("START:COUNT in cycles");
}

bool setThreads(Options& o, const Value& v) {
    o.threads = 0;
    if (v.text == "auto") return true;
    std::uint64_t number = 0;
    if (!readNumber(v, number) || number == 0 || number > kMostThreads) {
        return v.wrong("a number from 1 to " + std::to_string(kMostThreads) + " or auto");
    }
    o.threads = static_cast<unsigned>(number);
    return true;
}

bool setTimeout(Options& o, const Value& v) {
    const char* end = v.text.data() + v.text.size();
    const auto [stop, problem] = std::from_chars(v.text.data(), end, o.timeout);
    const bool good =
        problem == std::errc() && stop == end && o.timeout > 0 && std::isfinite(o.timeout);
    return good || v.wrong("seconds, more than 0");
}

bool setTrace(Options& o, const Value& v) {
    const std::string& path = v.text;
    if (path.ends_with(".vcd") || path.ends_with(".fst")) {
        v.error = "--trace " + path + ": this format is not supported yet; there is .csv";
        return false;
    }
    if (!formatOf(path, traceFormats()))
        return v.wrong("a file name that ends in " + suffixesOf(traceFormats())
                       + ", '-' for standard output, or a pipe");
    o.traces.push_back(path);
    return true;
}

/// " (a, b, c)" of "a|b|c".
void appendChoices(std::string& text, std::string_view choices) {
    text.append(" (");
    for (const char c : choices)
        c == '|' ? text.append(", ") : text.append(1, c);
    text.push_back(')');
}

bool setPath(const Value& v, std::string& target) {
    target = v.text;
    return !v.text.empty() || v.wrong("a file name");
}

struct Setter {
    std::string_view name;
    bool (*set)(Options&, const Value&);
};

constexpr Setter kSetters[] = {
    {"--cycles",
     [](Options& o, const Value& v) {
         std::uint64_t number = 0;
         if (!readNumber(v, number)) return false;
         o.cycles = number;
         return true;
     }},
    {"--seed", [](Options& o, const Value& v) { return readNumber(v, o.seed); }},
    {"--timeout", setTimeout},
    {"--loop-limit", [](Options& o, const Value& v) { return readNumber(v, o.loopLimit); }},
    {"--input", [](Options& o, const Value& v) { return setPath(v, o.input); }},
    {"--expect", [](Options& o, const Value& v) { return setPath(v, o.expect); }},
    {"--trace", setTrace},
    {"--trace-filter",
     [](Options& o, const Value& v) {
         o.selection.filters.push_back(v.text);
         return true;
     }},
    {"--trace-all", [](Options& o, const Value&) { return o.selection.all = true; }},
    {"--trace-start", [](Options& o, const Value& v) { return readNumber(v, o.selection.start); }},
    {"--trace-stop", [](Options& o, const Value& v) { return readNumber(v, o.selection.stop); }},
    {"--print",
     [](Options& o, const Value& v) {
         o.prints.push_back(v.text);
         return true;
     }},
    {"--checksum", [](Options& o, const Value&) { return o.checksum = true; }},
    {"--list", [](Options& o, const Value&) { return o.list = true; }},
    {"--threads", setThreads},
    {"--model",
     [](Options& o, const Value& v) { return readChoice(v, kModels, o.scheduling.model); }},
    {"--chunk", setChunk},
    {"--min-chunk",
     [](Options& o, const Value& v) {
         return readNumber(v, o.scheduling.chunk.smallest)
                && (o.scheduling.chunk.smallest > 0 || v.wrong("a number from 1 on"));
     }},
    {"--orchestrate", setOrchestrate},
    {"--adapt",
     [](Options& o, const Value& v) {
         return readNumber(v, o.adapt) && (o.adapt > 0 || v.wrong("a number from 1 on"));
     }},
    {"--costs", [](Options& o, const Value& v) { return setPath(v, o.costs); }},
    {"--queues",
     [](Options& o, const Value& v) {
         o.hasQueues = true;
         return readChoice(v, kLayouts, o.scheduling.queues);
     }},
    {"--groups",
     [](Options& o, const Value& v) {
         std::uint64_t number = 0;
         if (!readNumber(v, number) || number == 0 || number > kMostThreads)
             return v.wrong("a number from 1 to " + std::to_string(kMostThreads));
         o.scheduling.groups = static_cast<unsigned>(number);
         return true;
     }},
    {"--assign",
     [](Options& o, const Value& v) { return readChoice(v, kAssigns, o.scheduling.assign); }},
    {"--prepartition", [](Options& o, const Value&) { return o.scheduling.prepartition = true; }},
    {"--victim",
     [](Options& o, const Value& v) { return readChoice(v, kVictims, o.scheduling.victim); }},
    {"--steal",
     [](Options& o, const Value& v) { return readChoice(v, kSteals, o.scheduling.stealHalf); }},
    {"--foreman", [](Options& o, const Value&) { return o.scheduling.foreman = true; }},
    {"--wait", [](Options& o, const Value& v) { return readChoice(v, kWaits, o.scheduling.wait); }},
    {"--bind", [](Options& o, const Value& v) { return readChoice(v, kBinds, o.scheduling.bind); }},
    {"--numa", [](Options& o, const Value& v) { return readChoice(v, kNumas, o.scheduling.numa); }},
    {"--own-thread",
     [](Options& o, const Value& v) {
         o.ownThreads.push_back(v.text);
         return true;
     }},
    {"--oversubscribe", [](Options& o, const Value&) { return o.oversubscribe = true; }},
    {"--report", setReport},
    {"--schedule-trace", [](Options& o, const Value& v) { return setPath(v, o.scheduleTrace); }},
    {"--schedule-window", setScheduleWindow},
    {"--progress", [](Options& o, const Value&) { return o.progress = true; }},
    {"--quiet", [](Options& o, const Value&) { return o.quiet = true; }},
    {"--help", [](Options& o, const Value&) { return o.help = true; }},
    {"--version", [](Options& o, const Value&) { return o.version = true; }},
};

constexpr const Setter* findSetter(std::string_view name) {
    for (const Setter& setter : kSetters)
        if (setter.name == name) return &setter;
    return nullptr;
}

constexpr bool everyOptionDoesSomething() {
    for (const SimulatorOption& option : kSimulatorOptions)
        if (!findSetter(option.name)) return false;
    return std::size(kSetters) == std::size(kSimulatorOptions);
}
static_assert(everyOptionDoesSomething(), "the options of sme/options.h and their effects");

const SimulatorOption* findOption(std::string_view name) {
    for (const SimulatorOption& option : kSimulatorOptions)
        if (name == option.name) return &option;
    return nullptr;
}

std::string unknownOption(const std::string& name) {
    Nearest nearest(name);
    for (const SimulatorOption& option : kSimulatorOptions)
        nearest.consider(option.name.substr(2));
    const std::string best = nearest.best().empty() ? std::string() : "--" + nearest.best();
    return "unknown option '--" + name + "'"
           + (best.empty() ? "; --help lists them all" : didYouMean(best));
}

}  // namespace

bool parseOptions(const std::vector<std::string>& arguments, Options& options, std::string& error) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i] == "-h" ? "--help" : arguments[i];
        if (!argument.starts_with("--") || argument == "--") {
            error = "unexpected argument '" + argument + "'; options start with '--'";
            return false;
        }
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        const SimulatorOption* option = findOption(name);
        if (!option) {
            error = unknownOption(name.substr(2));
            return false;
        }
        std::string text;
        if (equals != std::string::npos) {
            text = argument.substr(equals + 1);
            if (option->value.empty()) {
                error = name + " takes no value";
                return false;
            }
        } else if (!option->value.empty()) {
            if (i + 1 == arguments.size()) {
                error = (name + " needs a value: " + name + " ").append(option->value);
                return false;
            }
            text = arguments[++i];
        }
        if (!findSetter(name)->set(options, {name, text, error})) return false;
    }
    return true;
}

std::string helpText(const char* program) {
    constexpr std::size_t kColumn = 26;
    std::string text = std::string("usage: ") + program + " [options]\n";
    for (std::size_t group = 0; group < std::size(kOptionGroups); ++group) {
        text.append("\n").append(kOptionGroups[group]).append(":\n");
        for (const SimulatorOption& option : kSimulatorOptions) {
            if (static_cast<std::size_t>(option.group) != group) continue;
            std::string line = std::string("  ").append(option.name);
            if (!option.value.empty()) line.append(" ").append(option.value);
            line.resize(std::max(line.size() + 2, kColumn), ' ');
            text.append(line).append(option.help);
            if (!option.choices.empty() && option.choices != option.value)
                appendChoices(text, option.choices);
            text.push_back('\n');
        }
    }
    return text
           + "\nExit status: 0 good, 1 a failure or a difference, n after stop(n), 2 wrong usage, "
             "3 a file cannot be read or\n"
             "written, 4 a limit of time or memory, 130 interrupted.\n";
}

}  // namespace sme
