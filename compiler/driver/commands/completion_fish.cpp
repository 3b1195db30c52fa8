#include <fmt/format.h>

#include "driver/commands/completion.h"

// A `complete` line for each option of each command.

namespace smec::driver {
namespace {

std::string inQuotes(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

std::string nameFlag(const std::string& name) {
    if (name.starts_with("--")) return "-l " + name.substr(2);
    return (name.size() == 2 ? "-s " : "-o ") + name.substr(1);
}

std::string valueFlag(const OptionEntry& option) {
    if (option.value.empty()) return {};
    const std::string words = inQuotes(fmt::format("{}", fmt::join(option.choices, " ")));
    if (option.optionalValue) return " -f -a " + words;
    if (!option.choices.empty()) return " -x -a " + words;
    if (takesFolder(option)) return " -x -a '(__fish_complete_directories)'";
    return takesFile(option) ? " -r -F" : " -x";
}

std::string commandLines(const CommandEntry& command) {
    const std::string start =
        fmt::format("complete -c smec -n '__fish_seen_subcommand_from {}'", command.name);
    std::string text;
    for (const OptionEntry& option : allOptions(command)) {
        text += start;
        for (const std::string& name : option.names)
            text += " " + nameFlag(name);
        text += fmt::format("{} -d {}\n", valueFlag(option), inQuotes(option.help));
    }
    if (!command.choices.empty()) {
        text += fmt::format("{} -a {}\n", start,
                            inQuotes(fmt::format("{}", fmt::join(command.choices, " "))));
    } else if (command.argument == "FILE") {
        text += start + " -k -a '(__fish_complete_suffix .sme)'\n";
    }
    return text;
}

}  // namespace

std::string fishCompletion(const std::vector<CommandEntry>& commands) {
    std::string text =
        "# fish completion for smec, printed by 'smec completion fish'\n\n"
        "complete -c smec -f\n"
        "complete -c smec -n __fish_use_subcommand -l help -d 'print the help'\n"
        "complete -c smec -n __fish_use_subcommand -l version -d 'print the version'\n";
    for (const CommandEntry& command : commands)
        text += fmt::format("complete -c smec -n __fish_use_subcommand -a {} -d {}\n", command.name,
                            inQuotes(command.help));
    for (const CommandEntry& command : commands)
        text += commandLines(command);
    return text;
}

}  // namespace smec::driver
