#include "driver/cli/usage.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/system/suggestion.h"

namespace smec::driver {

namespace {

constexpr std::size_t kHelpColumn = 30;  // as CLI11's

std::vector<std::string> optionNames(const CommandEntry& command) {
    std::vector<std::string> names{"--help"};
    for (const auto* options : {&command.options, &command.simulatorOptions})
        for (const OptionEntry& option : *options)
            names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

}  // namespace

std::string problemOfFirstWord(const std::string& word, const std::vector<std::string>& commands) {
    if (word.starts_with("-"))
        return fmt::format("unknown option '{}'{}", word,
                           didYouMean(word, {"--help", "--version"}, "a command stands first"));
    if (word.ends_with(".sme"))
        return fmt::format("a command stands first; did you mean 'smec run {}'?", word);
    return fmt::format("unknown command '{}'{}", word,
                       didYouMean(word, commands, "'smec --help' lists them"));
}

std::string problemOfCommand(const CLI::ParseError& error, const std::string& name,
                             const std::vector<CommandEntry>& table,
                             const std::vector<std::string>& remaining) {
    const bool isUnknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    if (!isUnknown || remaining.empty()) return error.what();
    const std::string word = remaining[0].substr(0, remaining[0].find('='));
    if (!word.starts_with("-")) return fmt::format("unexpected argument '{}'", remaining[0]);
    std::vector<std::string> own;
    for (const CommandEntry& command : table) {
        const std::vector<std::string> names = optionNames(command);
        if (command.name == name) own = names;
        if (std::find(names.begin(), names.end(), word) != names.end())
            return fmt::format("smec {} does not take {}", name, word);
    }
    return fmt::format("unknown option '{}'{}", word,
                       didYouMean(word, own, fmt::format("'smec {} --help' lists them", name)));
}

std::string simulatorHelp(const CommandEntry& command) {
    if (command.simulatorOptions.empty()) return {};
    std::string text = "Simulator (these options are passed on):\n";
    for (const OptionEntry& option : command.simulatorOptions) {
        std::string line = "  " + option.names.front();
        if (!option.value.empty()) line += " " + option.value;
        if (line.size() + 2 > kHelpColumn)
            line += "\n" + std::string(kHelpColumn, ' ');
        else
            line.resize(kHelpColumn, ' ');
        text += line + option.help + "\n";
    }
    return text;
}

}  // namespace smec::driver
