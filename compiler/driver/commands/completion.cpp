#include "driver/commands/completion.h"

namespace smec::driver {

std::vector<OptionEntry> allOptions(const CommandEntry& command) {
    std::vector<OptionEntry> options = command.options;
    options.insert(options.end(), command.simulatorOptions.begin(), command.simulatorOptions.end());
    return options;
}

bool takesFolder(const OptionEntry& option) { return option.value == "DIR"; }

bool takesFile(const OptionEntry& option) {
    return option.value.starts_with("FILE") || option.value == "COMPILER";
}

std::string completionScript(std::string_view shell, const std::vector<CommandEntry>& commands) {
    if (shell == "bash") return bashCompletion(commands);
    if (shell == "zsh") return zshCompletion(commands);
    if (shell == "fish") return fishCompletion(commands);
    return {};
}

}  // namespace smec::driver
