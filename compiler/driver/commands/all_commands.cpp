#include "driver/commands/all_commands.h"

#include "driver/bench/bench_command.h"
#include "driver/cli/command_line.h"
#include "driver/commands/clean_command.h"
#include "driver/commands/explain.h"
#include "driver/commands/format_command.h"
#include "driver/commands/import_command.h"
#include "driver/commands/print_commands.h"
#include "driver/compile/check_command.h"
#include "driver/compile/compile_command.h"
#include "driver/compile/run_command.h"
#include "driver/diff/diff_command.h"
#include "driver/hardware/export_command.h"
#include "driver/verify/verify_command.h"

namespace smec::driver {

namespace {

std::vector<CommandEntry> tableOfAll() { return commandTable(allCommands); }

}  // namespace

std::vector<std::unique_ptr<Command>> allCommands() {
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(makeCompileCommand());
    commands.push_back(makeRunCommand());
    commands.push_back(makeCheckCommand());
    commands.push_back(makeBenchCommand());
    commands.push_back(makeExportCommand());
    commands.push_back(makeImportCommand());
    commands.push_back(makeVerifyCommand());
    commands.push_back(makeDiffCommand());
    commands.push_back(makeFormatCommand());
    commands.push_back(makeExplainCommand());
    commands.push_back(makeCleanCommand());
    commands.push_back(makeCompletionCommand(tableOfAll));
    commands.push_back(makeManualCommand(tableOfAll));
    return commands;
}

}  // namespace smec::driver
