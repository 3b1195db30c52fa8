#pragma once

// The options of simulators: declared here, once. A simulator's parser and --help read this table,
// and so do `smec run`, completion and manual page. What an option does stands in
// runtime/src/cli/options.cpp. Plain data, and the second header besides model.h that compiler and
// runtime share.

#include <cstdint>
#include <string_view>

namespace sme {

enum class OptionGroup : std::uint8_t { Run, Data, Results, Scheduling, Report, Other };

/// Titles in --help, by OptionGroup.
inline constexpr std::string_view kOptionGroups[] = {"The run",
                                                     "Inputs and traces",
                                                     "Results",
                                                     "Scheduling (never changes results)",
                                                     "Why a run is as fast as it is",
                                                     "Other"};

/// What the value of an option is to the file system.
enum class OptionFile : std::uint8_t { None, Read, Written };

struct SimulatorOption {
    OptionGroup group;
    std::string_view name;   ///< with its dashes
    std::string_view value;  ///< what --help calls it; empty: a flag
    std::string_view help;
    std::string_view choices = {};  ///< all words that the value may be or begin with, `|` between
    OptionFile file = OptionFile::None;
    bool isOfProgram = false;  ///< tells about the simulator and ends
};

inline constexpr SimulatorOption kSimulatorOptions[] = {
    {OptionGroup::Run, "--cycles", "N",
     "how many (default: until stop, a failure, or the end of the inputs)"},
    {OptionGroup::Run, "--seed", "N", "of random(); default 0"},
    {OptionGroup::Run, "--timeout", "SECONDS",
     "end behind the current cycle after this time, with status 4"},
    {OptionGroup::Run, "--loop-limit", "N",
     "rounds of loops in one activation; default 1000000000"},

    {OptionGroup::Data,
     "--input",
     "FILE.csv",
     "drive the exposed inputs: row k is read in cycle k",
     {},
     OptionFile::Read},
    {OptionGroup::Data,
     "--expect",
     "FILE.csv",
     "compare with what is read in each cycle; status 1 when it differs",
     {},
     OptionFile::Read},
    {OptionGroup::Data,
     "--trace",
     "FILE.csv",
     "write what is read in each cycle; - is standard output; may be repeated",
     {},
     OptionFile::Written},
    {OptionGroup::Data, "--trace-filter", "GLOB",
     "trace these fields and variables (default: exposed fields); may be repeated"},
    {OptionGroup::Data, "--trace-all", "", "trace all fields and variables"},
    {OptionGroup::Data, "--trace-start", "K", "trace from cycle K on"},
    {OptionGroup::Data, "--trace-stop", "K", "trace up to, not including, cycle K"},

    {OptionGroup::Results, "--print", "PATH",
     "print a field or variable at the end; may be repeated"},
    {OptionGroup::Results, "--checksum", "", "print a hash of the final state"},
    {OptionGroup::Results, "--list", "", "list the names of the design and end"},

    {OptionGroup::Scheduling, "--threads", "N|auto",
     "default auto: as many as measurement shows to pay"},
    {OptionGroup::Scheduling, "--model", "m1|m2|m3",
     "work list, static orchestration or work stealing; default m2", "m1|m2|m3"},
    {OptionGroup::Scheduling, "--chunk", "NAME[:X]",
     "m1, m3: how chunks are sized; default fac2, m3: mfsc",
     "static|ss|gss|tss|fac2|tfss|fiss|viss|pls|pss|mfsc|mstatic"},
    {OptionGroup::Scheduling, "--min-chunk", "N", "m1, m3: fewest processes in a chunk; default 1"},
    {OptionGroup::Scheduling, "--orchestrate", "NAME[:N]",
     "m2: how the work is divided; default even",
     "even|thesis|roundrobin|profile|montecarlo|optimize"},
    {OptionGroup::Scheduling, "--adapt", "CYCLES",
     "m2 with profile, montecarlo, optimize: plan again when the load moves"},
    {OptionGroup::Scheduling,
     "--costs",
     "FILE.json",
     "measured times: read where the file exists, else measured and written",
     {},
     OptionFile::Written},
    {OptionGroup::Scheduling, "--queues", "NAME", "m3: how many queues; default core",
     "node|group|core"},
    {OptionGroup::Scheduling, "--groups", "N",
     "groups of threads; default: those that share a last-level cache"},
    {OptionGroup::Scheduling, "--assign", "NAME", "m3: chunks to queues; default block",
     "block|cyclic"},
    {OptionGroup::Scheduling, "--prepartition", "",
     "m3: one part of the list a queue, chunks inside of each"},
    {OptionGroup::Scheduling, "--victim", "NAME", "m3: whom to steal from; default seqpri",
     "seq|seqpri|rnd|rndpri"},
    {OptionGroup::Scheduling, "--steal", "one|half", "m3: chunks a theft takes; default half",
     "one|half"},
    {OptionGroup::Scheduling, "--foreman", "",
     "m3: one thread of a group steals for the others (--queues group)"},
    {OptionGroup::Scheduling, "--wait", "NAME", "how to wait at barriers; default adaptive",
     "spin|yield|block|adaptive"},
    {OptionGroup::Scheduling, "--bind", "NAME", "threads to processors; default none",
     "none|compact|scatter"},
    {OptionGroup::Scheduling, "--numa", "NAME", "pages to memory nodes; default firsttouch",
     "firsttouch|interleave"},
    {OptionGroup::Scheduling, "--own-thread", "GLOB",
     "processes or instances that block get a thread of their own; may be repeated"},
    {OptionGroup::Scheduling, "--oversubscribe", "",
     "start all N threads even where there are fewer processors"},

    {OptionGroup::Report, "--report", "KIND,...",
     "text: who costs and waits; json: the summary; factored[:RUNS]: why no faster"},
    {OptionGroup::Report,
     "--schedule-trace",
     "FILE.json",
     "what each thread did, for Perfetto",
     {},
     OptionFile::Written},
    {OptionGroup::Report, "--schedule-window", "START:COUNT",
     "cycles for --report text and --schedule-trace; default 200 behind the first 1000"},

    {OptionGroup::Other, "--progress", "",
     "tell on stderr now and then how far it is, and the time left"},
    {OptionGroup::Other, "--quiet", "", "no summary at the end"},
    {OptionGroup::Other, "--help", "", "this text", {}, OptionFile::None, true},
    {OptionGroup::Other,
     "--version",
     "",
     "the design, and the compiler that made it",
     {},
     OptionFile::None,
     true},
};

}  // namespace sme
