#include "driver/cli/command_line.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/cli/command_entry.h"
#include "driver/cli/file_lists.h"
#include "driver/cli/usage.h"
#include "driver/compile/compile_arguments.h"
#include "driver/compile/run_options.h"
#include "driver/system/exit_status.h"
#include "driver/system/version.h"
#include "source/one_line.h"
#include "source/utf8.h"

// The commands and their options are declared to CLI11 once; --help, the completion scripts and the
// man page are made from that declaration (commandTable).

namespace smec::driver {
namespace {

/// A command as it is declared to CLI11.
struct Declared {
    std::unique_ptr<Command> command;
    CLI::App* app;
};

CommandEntry describeWithSimulator(const Declared& declared) {
    CommandEntry entry = describe(*declared.app);
    if (const RunArguments* taken = declared.command->runArguments())
        for (const RunOption& option : runOptions())
            if (taken->takes(option)) entry.simulatorOptions.push_back(describe(option));
    return entry;
}

/// What CLI11 parses into, and the commands declared to it.
struct CommandLine {
    CLI::App app{"smec: compiles networks of processes (.sme) into simulators", "smec"};
    std::vector<Declared> commands;

    explicit CommandLine(CommandFactory factory) {
        app.set_version_flag("--version", std::string("smec ") + kVersion);
        app.require_subcommand(1);
        for (std::unique_ptr<Command>& command : factory()) {
            CLI::App* added = app.add_subcommand(command->name(), command->help());
            command->declare(*added);
            commands.push_back({std::move(command), added});
            added->footer(simulatorHelp(describeWithSimulator(commands.back())));
        }
    }

    std::vector<CommandEntry> table() const {
        std::vector<CommandEntry> entries;
        for (const Declared& each : commands)
            entries.push_back(describeWithSimulator(each));
        return entries;
    }

    /// Null: there is none of this name.
    Declared* find(const std::string& name) {
        const auto found =
            std::find_if(commands.begin(), commands.end(),
                         [&](const Declared& each) { return each.command->name() == name; });
        return found == commands.end() ? nullptr : &*found;
    }
};

/// GCC's words of one dash and several letters, which no option library knows, and options whose value
/// may be left out.
std::vector<std::string> normalise(int argc, char** argv) {
    std::vector<std::string> result;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "-MMD") {
            result.emplace_back("--MMD");
        } else if (word == "-MF") {
            result.emplace_back("--MF");
        } else if (word == "--stats") {
            result.emplace_back("--stats=text");  // no value of its own: a file may come next
        } else if (word == "--explain") {
            result.emplace_back("--explain=*");
        } else {
            result.push_back(word);
        }
    }
    return result;
}

/// `smec explain -Wunused`: what people copy from a command line, without what makes it an option.
void bareWarnings(std::vector<std::string>& arguments) {
    for (std::string& word : arguments) {
        if (word.size() > 2 && word.starts_with("-W")) word.erase(0, 2);
    }
}

/// What is wrong with a command line, in our words where we have better ones than CLI11.
std::string problemOf(const CLI::ParseError& error, const CommandLine& line,
                      const std::vector<std::string>& arguments) {
    if (arguments.empty()) return "smec takes a command";
    std::vector<std::string> commands;
    for (const Declared& each : line.commands)
        commands.emplace_back(each.command->name());
    const auto found = std::find(commands.begin(), commands.end(), arguments[0]);
    if (found == commands.end()) return problemOfFirstWord(arguments[0], commands);
    const CLI::App& app = *line.commands[static_cast<std::size_t>(found - commands.begin())].app;
    return problemOfCommand(error, *found, line.table(), app.remaining());
}

/// `chosen` is the command whose help says more; null where there is none.
int usageError(const std::string& message, const Declared* chosen) {
    const std::string command = chosen ? fmt::format("{} ", chosen->command->name()) : "";
    const std::string text =
        fmt::format("smec: error: {}\nTry 'smec {}--help'.\n", message, command);
    std::fputs(text.c_str(), stderr);  // fmt::print throws where nobody can be told
    return exit_status::kUsage;
}

}  // namespace

ParsedCommandLine parseCommandLine(int argc, char** argv, CommandFactory commands,
                                   const VerilogReader& reader, const Interpreter& interpreter) {
    CommandLine line(commands);
    for (const Declared& each : line.commands)
        if (CompileArguments* const compiled = each.command->compileArguments()) {
            compiled->options.reader = &reader;
            compiled->options.interpreter = &interpreter;
        }
    std::vector<std::string> arguments = normalise(argc, argv);
    Declared* chosen = arguments.empty() ? nullptr : line.find(arguments[0]);
    try {
        if (chosen && chosen->app->get_option_no_throw("-f")) arguments = withFileLists(arguments);
    } catch (const BadFileList& bad) {
        return {nullptr, usageError(bad.problem, chosen), {}};
    }
    if (chosen && chosen->command->runArguments())
        splitRunArguments(arguments, *chosen->command->runArguments());
    for (const std::string& word : arguments)
        if (!isUtf8(word))
            return {
                nullptr,
                usageError(fmt::format("smec takes names and values in UTF-8 alone, and '{}' is "
                                       "none",
                                       onOneLine(word)),
                           chosen),
                {}};
    if (!arguments.empty() && arguments[0] == "explain") bareWarnings(arguments);
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        line.app.parse(reversed);
    } catch (const CLI::Success& success) {
        std::ostringstream text;
        line.app.exit(success, text);
        return {nullptr, exit_status::kGood, text.str()};
    } catch (const CLI::ParseError& error) {
        return {nullptr, usageError(problemOf(error, line, arguments), chosen), {}};
    }
    for (Declared& each : line.commands)
        if (*each.app) chosen = &each;
    const std::string problem = chosen->command->finish(*chosen->app);
    if (!problem.empty()) return {nullptr, usageError(problem, chosen), {}};
    return {std::move(chosen->command), exit_status::kGood, {}};
}

std::vector<CommandEntry> commandTable(CommandFactory commands) {
    return CommandLine(commands).table();
}

}  // namespace smec::driver
