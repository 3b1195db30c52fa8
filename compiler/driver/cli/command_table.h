#pragma once

#include <string>
#include <vector>

namespace smec::driver {

/// The command line as data, for completion scripts and the man page. Made from the declaration
/// that the parser uses.
struct OptionEntry {
    std::vector<std::string> names;    ///< with their dashes, as the user writes them
    std::string value;                 ///< what the help calls the value; empty for a flag
    std::vector<std::string> choices;  ///< all the values there are; empty: any
    std::string help;
    std::string group;
    bool optionalValue = false;  ///< only attached by '=': --stats or --stats=json
    bool attached = false;       ///< the value stands after the letter: -O2, -Wunused
};

struct CommandEntry {
    std::string name;
    std::string help;
    std::string argument;              ///< FILE, ID, SHELL; empty: none
    std::vector<std::string> choices;  ///< of the argument
    bool severalArguments = false;
    bool argumentRequired = false;
    std::vector<OptionEntry> options;
    std::vector<OptionEntry> simulatorOptions;  ///< passed on by `smec run`, `bench` and `verify`
};

}  // namespace smec::driver
