#include "driver/compile/run_options.h"

#include <algorithm>
#include <array>

// `smec run` takes the compile options and those of the simulator on one command line. Ours are
// declared to the option library; the simulator's are moved aside first by this table of their
// names, so that `--cycles 8 x.sme` does not take 8 for the file. tests/tools compares the entries
// with what a simulator's --help lists.

namespace smec::driver {
namespace {

constexpr std::array kRunOptions{
    RunOption{"--cycles", 1, "N", "cycles to run (default: until stop, failure, end of inputs)"},
    RunOption{"--seed", 1, "N", "seed of random()"},
    RunOption{"--timeout", 1, "SECONDS", "end after this time, with status 4"},
    RunOption{"--threads", 1, "N|auto", "threads to use"},
    RunOption{"--model", 1, "m1|m2|m3", "work list, static orchestration or work stealing"},
    RunOption{"--chunk", 1, "static|ss|gss|tss|fac2|tfss|fiss|viss|pls|pss|mfsc|mstatic",
              "m1, m3: how chunks are sized"},
    RunOption{"--min-chunk", 1, "N", "m1, m3: fewest processes in a chunk"},
    RunOption{"--orchestrate", 1, "even|thesis|roundrobin|profile|montecarlo|optimize",
              "m2: how the work is divided"},
    RunOption{"--adapt", 1, "CYCLES", "m2: plan again when the load moves"},
    RunOption{"--costs", 1, "FILE", "measured times, read or written", FileUse::Written},
    RunOption{"--queues", 1, "node|group|core", "m3: how many queues"},
    RunOption{"--groups", 1, "N", "groups of threads"},
    RunOption{"--assign", 1, "block|cyclic", "m3: chunks to queues"},
    RunOption{"--prepartition", 0, "", "m3: one part of the list a queue"},
    RunOption{"--victim", 1, "seq|seqpri|rnd|rndpri", "m3: whom to steal from"},
    RunOption{"--steal", 1, "one|half", "m3: chunks a theft takes"},
    RunOption{"--foreman", 0, "", "m3: one thread of a group steals for the others"},
    RunOption{"--loop-limit", 1, "N", "rounds of loops in one activation"},
    RunOption{"--wait", 1, "spin|yield|block|adaptive", "how to wait at barriers"},
    RunOption{"--oversubscribe", 0, "", "start all threads even where processors are fewer"},
    RunOption{"--bind", 1, "none|compact|scatter", "threads to processors"},
    RunOption{"--numa", 1, "firsttouch|interleave", "pages to memory nodes"},
    RunOption{"--own-thread", 1, "GLOB",
              "processes or instances that block get a thread of their own"},
    RunOption{"--input", 1, "FILE", "drive the exposed inputs from a CSV file", FileUse::Read},
    RunOption{"--expect", 1, "FILE", "compare with a CSV file; status 1 when it differs",
              FileUse::Read},
    RunOption{"--trace", 1, "FILE", "write what is read in each cycle (.csv)", FileUse::Written},
    RunOption{"--trace-filter", 1, "GLOB", "trace these fields and variables"},
    RunOption{"--trace-all", 0, "", "trace all fields and variables"},
    RunOption{"--trace-start", 1, "K", "trace from cycle K on"},
    RunOption{"--trace-stop", 1, "K", "trace up to, not including, cycle K"},
    RunOption{"--report", 1, "KIND", "text, json or factored: why a run is as fast as it is"},
    RunOption{"--schedule-trace", 1, "FILE", "what each thread did, for Perfetto",
              FileUse::Written},
    RunOption{"--schedule-window", 1, "START:COUNT", "cycles for both"},
    RunOption{"--checksum", 0, "", "print a hash of the final state"},
    RunOption{"--print", 1, "PATH", "print a field or variable at the end"},
    RunOption{"--list", 0, "", "list the names of the design and end"},
    RunOption{"--progress", 0, "", "tell on stderr now and then how far it is, and the time left"},
    RunOption{"--quiet", 0, "", "no summary at the end"},
};

bool contains(std::span<const std::string_view> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// What smec tells the interpreter that it starts itself; not offered.
constexpr std::array kInternalOptions{RunOption{"--most-cycles", 1, "", ""},
                                      RunOption{"--most-values", 1, "", ""},
                                      RunOption{"--ending", 1, "", "", FileUse::Written}};

const RunOption* findRunOption(std::string_view argument) {
    const std::string_view name = argument.substr(0, argument.find('='));
    for (const RunOption& option : kInternalOptions)
        if (option.name == name) return &option;
    for (const RunOption& option : kRunOptions)
        if (option.name == name) return &option;
    return nullptr;
}

}  // namespace

std::span<const RunOption> runOptions() { return kRunOptions; }

bool RunArguments::takes(const RunOption& option) const { return !contains(without, option.name); }

std::string RunArguments::refused() const {
    for (const std::string& word : words) {
        const std::string name = word.substr(0, word.find('='));
        const RunOption* option = findRunOption(name);
        if (name == "--help" || name == "-h" || name == "--version") return name;
        if (option && !takes(*option)) return name;
    }
    return {};
}

namespace {

/// The files that the arguments name for this use.
std::vector<std::string> filesFor(FileUse use, const std::vector<std::string>& runArguments) {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < runArguments.size(); ++i) {
        const RunOption* option = findRunOption(runArguments[i]);
        if (!option || option->values == 0) continue;
        const std::size_t equals = runArguments[i].find('=');
        const bool isAttached = equals != std::string::npos;
        if (!isAttached && i + 1 == runArguments.size()) break;  // the simulator complains
        const std::string value =
            isAttached ? runArguments[i].substr(equals + 1) : runArguments[++i];
        if (option->file == use) files.push_back(value);
    }
    return files;
}

}  // namespace

void addRunInputs(const std::vector<std::string>& runArguments, InputFiles& inputs) {
    for (const std::string& file : filesFor(FileUse::Read, runArguments))
        inputs.add(file);
}

void checkRunOutputs(const std::vector<std::string>& runArguments, const InputFiles& inputs) {
    for (const std::string& file : filesFor(FileUse::Written, runArguments))
        if (file != "-") findOutput(file, inputs);
}

void splitRunArguments(std::vector<std::string>& arguments, RunArguments& taken) {
    std::vector<std::string> ours;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--") {
            auto rest = arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1;
            // `smec run -- -x.sme` names a file like this
            if (rest != arguments.end() && rest->starts_with("-") && rest->ends_with(".sme")) {
                ours.insert(ours.end(), {"--", *rest++});
                if (rest != arguments.end() && *rest == "--") ++rest;
            }
            taken.words.insert(taken.words.end(), rest, arguments.end());
            break;
        }
        const RunOption* option = findRunOption(arguments[i]);
        if (!option || contains(taken.own, option->name)) {
            ours.push_back(arguments[i]);
            continue;
        }
        const bool attached = arguments[i].find('=') != std::string::npos;
        taken.words.push_back(arguments[i]);
        for (int k = attached ? 1 : 0; k < option->values && i + 1 < arguments.size(); ++k)
            taken.words.push_back(arguments[++i]);
    }
    arguments = std::move(ours);
}

}  // namespace smec::driver
