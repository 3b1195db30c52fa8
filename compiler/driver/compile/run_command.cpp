#include "driver/compile/run_command.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/compile/build.h"
#include "driver/compile/cache.h"
#include "driver/compile/compile.h"
#include "driver/compile/compile_arguments.h"
#include "driver/compile/explanation.h"
#include "driver/compile/interpreter.h"
#include "driver/compile/run_options.h"
#include "driver/system/exit_status.h"

namespace smec::driver {
namespace fs = std::filesystem;

namespace {

/// How the simulator is called where its code and its model are files of their own.
constexpr const char* kSimulator = "simulator";

/// Becomes the simulator, so that its status, output and signals are those of `smec run`.
int becomeSimulator(const fs::path& built, const fs::path& host,
                    const std::vector<std::string>& arguments) {
    const bool isApart = built.filename() == kCodeLibrary;
    const fs::path folder = built.parent_path(), simulator = isApart ? host : built;
    std::vector<std::string> words{(isApart ? folder / kSimulator : simulator).string()};
    if (isApart) {
        words.push_back(built.string());
        words.push_back((folder / codegen::cpp::kModelImage).string());
    }
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    std::fflush(nullptr);
    execv(simulator.c_str(), argv.data());
    fmt::print(stderr, "smec: error: cannot start '{}': {}\n", simulator.string(),
               std::strerror(errno));
    return exit_status::kEnvironment;
}

class RunCommand final : public Command {
public:
    const char* name() const override { return "run"; }
    const char* help() const override {
        return "compile (cached) and run; options of the simulator may follow";
    }
    void declare(CLI::App& app) override {
        arguments_.declare(app);
        app.add_flag("--interpret", interprets_,
                     "use the reference interpreter; needs no C++ compiler");
    }
    CompileArguments* compileArguments() override { return &arguments_; }
    std::string finish(const CLI::App&) override {
        if (interprets_ && isExplained(arguments_.options))
            return "--explain tells what becomes C++, of which the interpreter needs none; leave "
                   "--interpret out";
        return arguments_.finish();
    }
    RunArguments* runArguments() override { return &passedOn_; }

    int execute() override {
        CompileOptions& options = arguments_.options;
        if (interprets_ || hasToInterpret())
            return options.interpreter->run(options, passedOn_.words, noteOfInterpreter());
        options.apart = options.output.empty();
        const Installation installation = findInstallation();
        const Compiled compiled = compile(options, installation, options.output);
        if (compiled.status != exit_status::kGood) return compiled.status;
        if (!options.emit.empty() || !options.build) return exit_status::kGood;
        checkRunOutputs(passedOn_.words, compiled.inputs);
        return becomeSimulator(fs::absolute(compiled.built), installation.host, passedOn_.words);
    }

private:
    /// Without a C++ compiler, where nothing of it was asked for.
    bool hasToInterpret() const {
        const CompileOptions& options = arguments_.options;
        const bool wantsCxx = !options.output.empty() || !options.emit.empty() || !options.build
                              || isExplained(options);
        return !wantsCxx && findToolchain(options).hasNoCompiler;
    }
    /// What is said of its having to.
    std::string noteOfInterpreter() const {
        if (interprets_ || arguments_.options.quiet) return {};
        return "no C++ compiler found, so that the interpreter runs the design, which is slow; "
               "install g++, or say --interpret";
    }

    CompileArguments arguments_;
    RunArguments passedOn_;
    bool interprets_ = false;
};

}  // namespace

std::unique_ptr<Command> makeRunCommand() { return std::make_unique<RunCommand>(); }

}  // namespace smec::driver
