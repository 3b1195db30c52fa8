#include "driver/commands/print_commands.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/commands/completion.h"
#include "driver/commands/manual.h"
#include "driver/system/exit_status.h"

namespace smec::driver {

namespace {

using CommandTable = std::vector<CommandEntry> (*)();

class CompletionCommand final : public Command {
public:
    explicit CompletionCommand(CommandTable table) : table_(table) {}
    const char* name() const override { return "completion"; }
    const char* help() const override { return "print a completion script for a shell"; }
    void declare(CLI::App& app) override {
        app.add_option("SHELL", shell_, "bash, zsh or fish")
            ->type_name("")
            ->required()
            ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    }
    std::string finish(const CLI::App&) override { return {}; }
    int execute() override {
        fmt::print("{}", completionScript(shell_, table_()));
        return exit_status::kGood;
    }

private:
    CommandTable table_;
    std::string shell_;
};

class ManualCommand final : public Command {
public:
    explicit ManualCommand(CommandTable table) : table_(table) {}
    const char* name() const override { return "man"; }
    const char* help() const override { return "print the manual page, for 'smec man | man -l -'"; }
    void declare(CLI::App&) override {}
    std::string finish(const CLI::App&) override { return {}; }
    int execute() override {
        fmt::print("{}", manualPage(table_()));
        return exit_status::kGood;
    }

private:
    CommandTable table_;
};

}  // namespace

std::unique_ptr<Command> makeCompletionCommand(CommandTable table) {
    return std::make_unique<CompletionCommand>(table);
}

std::unique_ptr<Command> makeManualCommand(CommandTable table) {
    return std::make_unique<ManualCommand>(table);
}

}  // namespace smec::driver
