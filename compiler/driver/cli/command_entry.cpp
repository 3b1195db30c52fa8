#include "driver/cli/command_entry.h"

#include <string_view>

#include <CLI/CLI.hpp>

#include "diag/diagnostics.h"

namespace smec::driver {

namespace {

/// "{a,b}", as CLI11 describes a set, in the words of the set.
std::vector<std::string> wordsOfSet(std::string_view text) {
    std::vector<std::string> words;
    if (text.size() < 2 || text.front() != '{' || text.back() != '}') return words;
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        words.emplace_back(text.substr(0, comma));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return words;
}

/// The type name without what CLI11 adds about the values allowed.
std::string valueWord(const CLI::Option& option) {
    const std::string name = option.get_type_name();
    return name.substr(0, name.find(':'));
}

std::vector<std::string> choicesOf(const CLI::Option& option) {
    const std::string name = option.get_type_name();
    const std::size_t colon = name.find(':');
    return colon == std::string::npos ? std::vector<std::string>{}
                                      : wordsOfSet(std::string_view(name).substr(colon + 1));
}

std::vector<std::string> messageNames() {
    std::vector<std::string> names;
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(DiagId::Count); ++i) {
        const DiagInfo& entry = info(static_cast<DiagId>(i));
        if (entry.severity != Severity::Note) names.emplace_back(entry.name);
    }
    return names;
}

std::vector<std::string> warningWords() {
    std::vector<std::string> words{"error"};
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(DiagId::Count); ++i) {
        const DiagInfo& entry = info(static_cast<DiagId>(i));
        if (entry.severity != Severity::Warning) continue;
        words.emplace_back(entry.name);
        words.push_back("no-" + std::string(entry.name));
    }
    return words;
}

OptionEntry describeOption(const CLI::Option& option) {
    OptionEntry entry;
    for (const std::string& name : option.get_snames())
        entry.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        entry.names.push_back((name == "MMD" || name == "MF" ? "-" : "--") + name);
    if (option.get_items_expected_max() > 0) {
        entry.value = valueWord(option);
        entry.choices = choicesOf(option);
        entry.optionalValue = option.get_items_expected_min() == 0;
    }
    entry.attached = entry.names.front() == "-O" || entry.names.front() == "-W";
    if (entry.names.front() == "-W") entry.choices = warningWords();
    entry.help = option.get_description();
    if (entry.names.front().starts_with("-M")) entry.help.erase(0, entry.help.find(": ") + 2);
    entry.group = option.get_group();
    return entry;
}

}  // namespace

OptionEntry describe(const RunOption& option) {
    OptionEntry entry;
    entry.names.emplace_back(option.name);
    entry.value = option.value;
    if (!option.choices.empty()) {
        entry.value = option.choices;
        std::string set = "{" + entry.value + "}";
        for (char& c : set)
            c = c == '|' ? ',' : c;
        entry.choices = wordsOfSet(set);
    }
    entry.help = option.help;
    entry.group = "Simulator";
    return entry;
}

CommandEntry describe(const CLI::App& app) {
    CommandEntry entry;
    entry.name = app.get_name();
    entry.help = app.get_description();
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_positional()) {
            entry.options.push_back(describeOption(*option));
            continue;
        }
        entry.argument = option->get_name(true);
        entry.choices = entry.argument == "ID" ? messageNames() : choicesOf(*option);
        entry.severalArguments = option->get_items_expected_max() > 1 && entry.name != "compile"
                                 && entry.name != "run" && entry.name != "bench"
                                 && entry.name != "verify";
        entry.argumentRequired = option->get_required();
    }
    return entry;
}

}  // namespace smec::driver
