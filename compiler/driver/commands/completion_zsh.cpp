#include <fmt/format.h>

#include "driver/commands/completion.h"

// Specifications for zsh's _arguments:   '*-I+[folder to look for imports in]:DIR:_files -/'
// Every specification stands in single quotes; `[`, `]` and `:` in texts are escaped.

namespace smec::driver {
namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
            continue;
        }
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string action(const OptionEntry& option) {
    if (!option.choices.empty()) return fmt::format("({})", fmt::join(option.choices, " "));
    if (takesFolder(option)) return "_files -/";
    if (takesFile(option)) return "_files";
    return " ";
}

std::string specification(const OptionEntry& option, const std::string& name) {
    const std::string help = fmt::format("[{}]", escaped(option.help));
    if (option.value.empty()) return fmt::format("'{}{}'", name, help);
    const bool isLong = name.starts_with("--");
    const std::string_view joint = option.attached        ? "-"
                                   : option.optionalValue ? "=-"
                                   : isLong               ? "="
                                   : name.size() == 2     ? "+"
                                                          : "";
    return fmt::format("'*{}{}{}{}:{}:{}'", name, joint, help, option.optionalValue ? ":" : "",
                       escaped(option.value), action(option));
}

std::string argumentSpecification(const CommandEntry& command) {
    if (command.argument.empty()) return {};
    const std::string values = command.choices.empty()
                                   ? "_files -g \"*.sme(-.)\""
                                   : fmt::format("({})", fmt::join(command.choices, " "));
    return fmt::format(" \\\n                '{}:{}:{}'", command.severalArguments ? "*" : "1",
                       command.argument, values);
}

std::string zshCase(const CommandEntry& command) {
    std::string text = fmt::format("        {})\n            _arguments", command.name);
    for (const OptionEntry& option : allOptions(command)) {
        for (const std::string& name : option.names)
            text += " \\\n                " + specification(option, name);
    }
    return text + argumentSpecification(command) + " ;;\n";
}

}  // namespace

std::string zshCompletion(const std::vector<CommandEntry>& commands) {
    std::string text =
        "#compdef smec\n# zsh completion for smec, printed by 'smec completion zsh'\n\n"
        "_smec() {\n    local context state state_descr line\n"
        "    typeset -A opt_args\n    local -a commands\n    commands=(\n";
    for (const CommandEntry& command : commands)
        text += fmt::format("        '{}:{}'\n", command.name, escaped(command.help));
    text += "    )\n    _arguments -C '--help[print the help]' '--version[print the version]' "
            "'1:command:->command' '*::argument:->argument'\n"
            "    case $state in\n    command) _describe command commands ;;\n    argument)\n"
            "        case $line[1] in\n";
    for (const CommandEntry& command : commands)
        text += zshCase(command);
    return text
           + "        esac ;;\n    esac\n}\n\n"
             "if [ \"$funcstack[1]\" = _smec ]; then\n    _smec \"$@\"\nelse\n"
             "    compdef _smec smec\nfi\n";
}

}  // namespace smec::driver
