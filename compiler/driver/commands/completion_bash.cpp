#include <fmt/format.h>

#include "driver/commands/completion.h"

// One function with a case per command: the value of the option before the cursor, then options,
// then the command's own arguments. Needs nothing but bash 4. Bash cuts words at '=' by itself, so
// that `--emit=i` arrives as three words.

namespace smec::driver {
namespace {

constexpr std::string_view kHelpers =
    R"(# bash completion for smec, printed by 'smec completion bash'

_smec_words() {
    COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

_smec_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$@" -- "$cur")
}

_smec_sources() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$cur"; compgen -f -X '!*.sme' -- "$cur")
}

_smec() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= i
    COMPREPLY=()
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    for ((i = 1; i < COMP_CWORD; ++i)); do
        if [[ ${COMP_WORDS[i]} != -* ]]; then
            command=${COMP_WORDS[i]}
            break
        fi
    done
)";

std::string joinWords(const std::vector<std::string>& words, std::string_view prefix = {}) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += ' ';
        text.append(prefix).append(word);
    }
    return text;
}

std::string valueAction(const OptionEntry& option) {
    if (!option.choices.empty())
        return fmt::format("_smec_words '{}'; ", joinWords(option.choices));
    if (takesFolder(option)) return "_smec_files -d; ";
    if (takesFile(option)) return "_smec_files -f; ";
    return {};
}

std::string valueCases(const CommandEntry& command) {
    std::string text;
    for (const OptionEntry& option : allOptions(command)) {
        if (option.value.empty() || option.optionalValue || option.attached) continue;
        text += fmt::format("        {}) {}return ;;\n", fmt::join(option.names, "|"),
                            valueAction(option));
    }
    // An optional value counts only after '='.
    for (const OptionEntry& option : allOptions(command)) {
        if (!option.optionalValue) continue;
        text += fmt::format("        {}) if [[ ${{COMP_WORDS[COMP_CWORD]}} == = || "
                            "${{COMP_WORDS[COMP_CWORD-1]}} == = ]]; then {}return; fi ;;\n",
                            fmt::join(option.names, "|"), valueAction(option));
    }
    return text;
}

std::string optionCases(const CommandEntry& command) {
    std::string text;
    std::vector<std::string> names;
    for (const OptionEntry& option : allOptions(command)) {
        names.insert(names.end(), option.names.begin(), option.names.end());
        if (option.attached)
            text +=
                fmt::format("        {0}*) _smec_words '{1}'; return ;;\n", option.names.front(),
                            joinWords(option.choices, option.names.front()));
    }
    return text + fmt::format("        -*) _smec_words '{}'; return ;;\n", joinWords(names));
}

std::string argumentAction(const CommandEntry& command) {
    if (!command.choices.empty())
        return fmt::format("_smec_words '{}'", joinWords(command.choices));
    return command.argument == "FILE" ? "_smec_sources" : ":";
}

std::string bashCase(const CommandEntry& command) {
    return fmt::format("    {})\n        case $prev in\n{}        esac\n        case $cur in\n{}"
                       "        esac\n        {} ;;\n",
                       command.name, valueCases(command), optionCases(command),
                       argumentAction(command));
}

}  // namespace

std::string bashCompletion(const std::vector<CommandEntry>& commands) {
    std::string text(kHelpers);
    std::vector<std::string> names;
    for (const CommandEntry& command : commands)
        names.push_back(command.name);
    text += "    case $command in\n";
    text += fmt::format("    '') _smec_words '{} --help --version' ;;\n", joinWords(names));
    for (const CommandEntry& command : commands)
        text += bashCase(command);
    return text + "    esac\n}\n\ncomplete -F _smec smec\n";
}

}  // namespace smec::driver
