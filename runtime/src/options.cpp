// A table of options drives both the parser and --help.

#include "options.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "names.h"

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

template <typename T>
struct Choice {
    const char* name;
    T value;
};

template <typename T, std::size_t N>
bool readChoice(const Value& value, const Choice<T> (&choices)[N], T& target, const char* notYet) {
    std::string names;
    Nearest nearest(value.text);
    for (const Choice<T>& choice : choices) {
        if (value.text == choice.name) {
            target = choice.value;
            return true;
        }
        nearest.consider(choice.name);
        names.append(names.empty() ? "" : ", ").append(choice.name);
    }
    const std::string known = std::string(" ") + notYet + " ";
    if (known.find(" " + value.text.substr(0, value.text.find(':')) + " ") != std::string::npos) {
        value.error = std::string("--") + value.option + " " + value.text
                      + " is not supported yet; there is " + names;
        return false;
    }
    return value.wrong("one of " + names);
}

constexpr Choice<ModelKind> kModels[] = {{"m1", ModelKind::WorkList}, {"m2", ModelKind::Static}};
constexpr Choice<ChunkScheme> kChunks[] = {{"static", ChunkScheme::Static},
                                           {"ss", ChunkScheme::SelfScheduling},
                                           {"gss", ChunkScheme::Guided}};
constexpr Choice<Orchestrate> kOrchestrations[] = {{"even", Orchestrate::Even},
                                                   {"thesis", Orchestrate::Thesis}};
constexpr Choice<WaitMode> kWaits[] = {{"spin", WaitMode::Spin},
                                       {"yield", WaitMode::Yield},
                                       {"block", WaitMode::Block},
                                       {"adaptive", WaitMode::Adaptive}};

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
    if (!path.ends_with(".csv")) return v.wrong("a file name that ends in .csv");
    o.traces.push_back(path);
    return true;
}

bool setPath(const Value& v, std::string& target) {
    target = v.text;
    return !v.text.empty() || v.wrong("a file name");
}

enum class Group : std::uint8_t { Run, Data, Results, Scheduling, Other };
constexpr const char* kGroupTitles[] = {"The run", "Inputs and traces", "Results",
                                        "Scheduling (never changes results)", "Other"};

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
    {Group::Data, "trace", "FILE.csv", "write what is read in each cycle; may be repeated",
     setTrace},
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
    {Group::Scheduling, "model", "m1|m2", "work list or static orchestration; default m2",
     [](Options& o, const Value& v) { return readChoice(v, kModels, o.model, "m3"); }},
    {Group::Scheduling, "chunk", "NAME", "m1: static, ss, gss; default gss",
     [](Options& o, const Value& v) {
         return readChoice(v, kChunks, o.chunk, "tss fac2 tfss fiss viss pls pss mfsc mstatic");
     }},
    {Group::Scheduling, "orchestrate", "NAME",
     "m2: even (by cost), thesis (by number, remainder last); default even",
     [](Options& o, const Value& v) {
         return readChoice(v, kOrchestrations, o.orchestrate,
                           "roundrobin profile montecarlo optimize");
     }},
    {Group::Scheduling, "wait", "NAME",
     "at barriers: spin, yield, block, adaptive; default adaptive",
     [](Options& o, const Value& v) { return readChoice(v, kWaits, o.wait, ""); }},
    {Group::Scheduling, "oversubscribe", nullptr,
     "start all N threads even where there are fewer processors",
     [](Options& o, const Value&) { return o.oversubscribe = true; }},

    {Group::Other, "progress", nullptr, "tell the cycle on stderr now and then",
     [](Options& o, const Value&) { return o.progress = true; }},
    {Group::Other, "quiet", nullptr, "no summary at the end",
     [](Options& o, const Value&) { return o.quiet = true; }},
    {Group::Other, "help", nullptr, "this text",
     [](Options& o, const Value&) { return o.help = true; }},
    {Group::Other, "version", nullptr, "the versions of design and runtime",
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

const char* nameOf(ChunkScheme chunk) {
    for (const auto& choice : kChunks) {
        if (choice.value == chunk) return choice.name;
    }
    return "";
}

const char* nameOf(Orchestrate how) {
    for (const auto& choice : kOrchestrations) {
        if (choice.value == how) return choice.name;
    }
    return "";
}

}  // namespace sme
