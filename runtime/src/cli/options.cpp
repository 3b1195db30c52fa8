// A table of options drives both the parser and --help.

#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "schedule/choices.h"
#include "values/names.h"

namespace sme {
namespace {

constexpr unsigned kMostThreads = 1024;

/// The value of one option and where complaints about it go.
struct Value {
    const char* option;
    const std::string& text;
    std::string& error;

    bool wrong(const std::string& expected) const {
        error = std::string("--") + option + " takes " + expected + ", not '" + text + "'";
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

bool setPath(const Value& v, std::string& target) {
    target = v.text;
    return !v.text.empty() || v.wrong("a file name");
}

enum class Group : std::uint8_t { Run, Data, Results, Scheduling, Report, Other };
constexpr const char* kGroupTitles[] = {"The run",
                                        "Inputs and traces",
                                        "Results",
                                        "Scheduling (never changes results)",
                                        "Why a run is as fast as it is",
                                        "Other"};

struct Option {
    Group group;
    const char* name;
    const char* value;  ///< what --help calls it; null: a flag
    const char* help;
    bool (*set)(Options&, const Value&);
};

const Option kOptions[] = {
    {Group::Run, "cycles", "N",
     "how many (default: until stop, a failure, or the end of the inputs)",
     [](Options& o, const Value& v) {
         std::uint64_t number = 0;
         if (!readNumber(v, number)) return false;
         o.cycles = number;
         return true;
     }},
    {Group::Run, "seed", "N", "of random(); default 0",
     [](Options& o, const Value& v) { return readNumber(v, o.seed); }},
    {Group::Run, "timeout", "SECONDS",
     "end behind the current cycle after this time, with status 4", setTimeout},
    {Group::Run, "loop-limit", "N", "rounds of loops in one activation; default 1000000000",
     [](Options& o, const Value& v) { return readNumber(v, o.loopLimit); }},

    {Group::Data, "input", "FILE.csv", "drive the exposed inputs: row k is read in cycle k",
     [](Options& o, const Value& v) { return setPath(v, o.input); }},
    {Group::Data, "expect", "FILE.csv",
     "compare with what is read in each cycle; status 1 when it differs",
     [](Options& o, const Value& v) { return setPath(v, o.expect); }},
    {Group::Data, "trace", "FILE.csv",
     "write what is read in each cycle; - is standard output; may be repeated", setTrace},
    {Group::Data, "trace-filter", "GLOB",
     "trace these fields and variables (default: exposed fields); may be repeated",
     [](Options& o, const Value& v) {
         o.selection.filters.push_back(v.text);
         return true;
     }},
    {Group::Data, "trace-all", nullptr, "trace all fields and variables",
     [](Options& o, const Value&) { return o.selection.all = true; }},
    {Group::Data, "trace-start", "K", "trace from cycle K on",
     [](Options& o, const Value& v) { return readNumber(v, o.selection.start); }},
    {Group::Data, "trace-stop", "K", "trace up to, not including, cycle K",
     [](Options& o, const Value& v) { return readNumber(v, o.selection.stop); }},

    {Group::Results, "print", "PATH", "print a field or variable at the end; may be repeated",
     [](Options& o, const Value& v) {
         o.prints.push_back(v.text);
         return true;
     }},
    {Group::Results, "checksum", nullptr, "print a hash of the final state",
     [](Options& o, const Value&) { return o.checksum = true; }},
    {Group::Results, "list", nullptr, "list the names of the design and end",
     [](Options& o, const Value&) { return o.list = true; }},

    {Group::Scheduling, "threads", "N|auto", "default auto: as many as measurement shows to pay",
     setThreads},
    {Group::Scheduling, "model", "m1|m2|m3",
     "work list, static orchestration or work stealing; default m2",
     [](Options& o, const Value& v) { return readChoice(v, kModels, o.scheduling.model); }},
    {Group::Scheduling, "chunk", "NAME[:X]",
     "m1, m3: static, ss, gss, tss, fac2, tfss, fiss, viss, pls, pss, mfsc, mstatic; default fac2, "
     "m3: mfsc",
     setChunk},
    {Group::Scheduling, "min-chunk", "N", "m1, m3: fewest processes in a chunk; default 1",
     [](Options& o, const Value& v) {
         return readNumber(v, o.scheduling.chunk.smallest)
                && (o.scheduling.chunk.smallest > 0 || v.wrong("a number from 1 on"));
     }},
    {Group::Scheduling, "orchestrate", "NAME[:N]",
     "m2: even, thesis, roundrobin, profile, montecarlo, optimize; default even", setOrchestrate},
    {Group::Scheduling, "adapt", "CYCLES",
     "m2 with profile, montecarlo, optimize: plan again when the load moves",
     [](Options& o, const Value& v) {
         return readNumber(v, o.adapt) && (o.adapt > 0 || v.wrong("a number from 1 on"));
     }},
    {Group::Scheduling, "costs", "FILE.json",
     "measured times: read where the file exists, else measured and written",
     [](Options& o, const Value& v) { return setPath(v, o.costs); }},
    {Group::Scheduling, "queues", "NAME", "m3: node, group, core; default core",
     [](Options& o, const Value& v) {
         o.hasQueues = true;
         return readChoice(v, kLayouts, o.scheduling.queues);
     }},
    {Group::Scheduling, "groups", "N",
     "groups of threads; default: those that share a last-level cache",
     [](Options& o, const Value& v) {
         std::uint64_t number = 0;
         if (!readNumber(v, number) || number == 0 || number > kMostThreads)
             return v.wrong("a number from 1 to " + std::to_string(kMostThreads));
         o.scheduling.groups = static_cast<unsigned>(number);
         return true;
     }},
    {Group::Scheduling, "assign", "NAME", "m3: chunks to queues: block, cyclic; default block",
     [](Options& o, const Value& v) { return readChoice(v, kAssigns, o.scheduling.assign); }},
    {Group::Scheduling, "prepartition", nullptr,
     "m3: one part of the list a queue, chunks inside of each",
     [](Options& o, const Value&) { return o.scheduling.prepartition = true; }},
    {Group::Scheduling, "victim", "NAME", "m3: seq, seqpri, rnd, rndpri; default seqpri",
     [](Options& o, const Value& v) { return readChoice(v, kVictims, o.scheduling.victim); }},
    {Group::Scheduling, "steal", "one|half", "m3: chunks a theft takes; default half",
     [](Options& o, const Value& v) { return readChoice(v, kSteals, o.scheduling.stealHalf); }},
    {Group::Scheduling, "foreman", nullptr,
     "m3: one thread of a group steals for the others (--queues group)",
     [](Options& o, const Value&) { return o.scheduling.foreman = true; }},
    {Group::Scheduling, "wait", "NAME",
     "at barriers: spin, yield, block, adaptive; default adaptive",
     [](Options& o, const Value& v) { return readChoice(v, kWaits, o.scheduling.wait); }},
    {Group::Scheduling, "bind", "NAME", "threads to processors: none, compact, scatter",
     [](Options& o, const Value& v) { return readChoice(v, kBinds, o.scheduling.bind); }},
    {Group::Scheduling, "numa", "NAME", "pages to memory nodes: firsttouch, interleave",
     [](Options& o, const Value& v) { return readChoice(v, kNumas, o.scheduling.numa); }},
    {Group::Scheduling, "own-thread", "GLOB",
     "processes or instances that block get a thread of their own; may be repeated",
     [](Options& o, const Value& v) {
         o.ownThreads.push_back(v.text);
         return true;
     }},
    {Group::Scheduling, "oversubscribe", nullptr,
     "start all N threads even where there are fewer processors",
     [](Options& o, const Value&) { return o.oversubscribe = true; }},

    {Group::Report, "report", "KIND,…",
     "text: who costs and waits; json: the summary; factored[:RUNS]: why no faster", setReport},
    {Group::Report, "schedule-trace", "FILE.json", "what each thread did, for Perfetto",
     [](Options& o, const Value& v) { return setPath(v, o.scheduleTrace); }},
    {Group::Report, "schedule-window", "START:COUNT",
     "cycles for both; default 200 behind the first 1000", setScheduleWindow},

    {Group::Other, "progress", nullptr,
     "tell on stderr now and then how far it is, and the time left",
     [](Options& o, const Value&) { return o.progress = true; }},
    {Group::Other, "quiet", nullptr, "no summary at the end",
     [](Options& o, const Value&) { return o.quiet = true; }},
    {Group::Other, "help", nullptr, "this text",
     [](Options& o, const Value&) { return o.help = true; }},
    {Group::Other, "version", nullptr, "the design, and the compiler that made it",
     [](Options& o, const Value&) { return o.version = true; }},
};

const Option* findOption(const std::string& name) {
    for (const Option& option : kOptions) {
        if (name == option.name) return &option;
    }
    return nullptr;
}

std::string unknownOption(const std::string& name) {
    Nearest nearest(name);
    for (const Option& option : kOptions)
        nearest.consider(option.name);
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
        const std::string name =
            argument.substr(2, equals == std::string::npos ? equals : equals - 2);
        const Option* option = findOption(name);
        if (!option) {
            error = unknownOption(name);
            return false;
        }
        std::string text;
        if (equals != std::string::npos) {
            text = argument.substr(equals + 1);
            if (!option->value) {
                error = "--" + name + " takes no value";
                return false;
            }
        } else if (option->value) {
            if (i + 1 == arguments.size()) {
                error = "--" + name + " needs a value: --" + name + " " + option->value;
                return false;
            }
            text = arguments[++i];
        }
        if (!option->set(options, {option->name, text, error})) return false;
    }
    return true;
}

std::string helpText(const char* program) {
    constexpr std::size_t kColumn = 26;
    std::string text = std::string("usage: ") + program + " [options]\n";
    for (std::size_t group = 0; group < std::size(kGroupTitles); ++group) {
        text.append("\n").append(kGroupTitles[group]).append(":\n");
        for (const Option& option : kOptions) {
            if (static_cast<std::size_t>(option.group) != group) continue;
            std::string line = std::string("  --") + option.name;
            if (option.value) line.append(" ").append(option.value);
            line.resize(std::max(line.size() + 2, kColumn), ' ');
            text.append(line).append(option.help).append("\n");
        }
    }
    return text
           + "\nExit status: 0 good, 1 a failure or a difference, n after stop(n), 2 wrong usage, "
             "3 a file cannot be read or\n"
             "written, 4 a limit of time or memory, 130 interrupted.\n";
}

}  // namespace sme
