#include "driver/cli/program.h"
#include "driver/commands/all_commands.h"
#include "driver/interpret/interpret.h"
#include "driver/verilog/reader.h"

int main(int argc, char** argv) {
    return smec::driver::runProgram(argc, argv, smec::driver::allCommands,
                                    smec::driver::YosysReader(),
                                    smec::driver::ReferenceInterpreter());
}
