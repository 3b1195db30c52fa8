#include "driver/compile/compile_command.h"

#include <CLI/CLI.hpp>

#include "driver/compile/compile.h"
#include "driver/compile/compile_arguments.h"

namespace smec::driver {

namespace {

class CompileCommand final : public Command {
public:
    const char* name() const override { return "compile"; }
    const char* help() const override { return "compile a file to a simulator"; }
    void declare(CLI::App& app) override {
        arguments_.declare(app);
        app.add_flag("--lib", arguments_.options.library,
                     "a library with a C interface, and its header, in place of a simulator")
            ->group("Build");
        app.add_flag("--loadable", arguments_.options.loadable,
                     "code and model as two files for the installed runtime, x.so and x.bin, which "
                     "Python loads, in place of a simulator")
            ->group("Build")
            ->excludes("--lib");
    }
    CompileArguments* compileArguments() override { return &arguments_; }
    std::string finish(const CLI::App&) override {
        arguments_.options.apart = arguments_.options.loadable;
        return arguments_.finish();
    }
    int execute() override {
        const CompileOptions& options = arguments_.options;
        return compile(options, findInstallation(), outputName(options)).status;
    }

private:
    CompileArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> makeCompileCommand() { return std::make_unique<CompileCommand>(); }

}  // namespace smec::driver
