#include "driver/compile/check_command.h"

#include <set>

#include <fmt/format.h>

#include "driver/compile/compile.h"
#include "driver/compile/compile_arguments.h"
#include "driver/compile/shown_phases.h"
#include "driver/system/exit_status.h"

namespace smec::driver {

namespace {

/// Leaves out what was shown before: files that are checked together may import the same ones.
void dropKnown(FrontEnd& front, std::set<std::string>& known, const CompileOptions& options) {
    Diagnostics fresh(options.warnings);
    for (const Diagnostic& found : front.diagnostics.all()) {
        const std::string path =
            found.range.valid() ? front.sources.path(found.range.file) : std::string();
        if (known.insert(fmt::format("{}:{}:{}", path, found.range.begin, found.message)).second)
            fresh.repeat(found);
    }
    fresh.countUnkept(front.diagnostics);
    front.diagnostics = std::move(fresh);
}

class CheckCommand final : public Command {
public:
    const char* name() const override { return "check"; }
    const char* help() const override { return "diagnostics only, of one file or several"; }
    void declare(CLI::App& app) override {
        arguments_.declare(app, true);
        removeExplanation(app);
    }
    CompileArguments* compileArguments() override { return &arguments_; }
    std::string finish(const CLI::App&) override { return arguments_.finish(true); }
    int execute() override {
        const CompileOptions& options = arguments_.options;
        int status = exit_status::kGood;
        std::set<std::string> known;
        for (const std::string& file : options.files) {
            Stats stats;
            FrontEnd front(options.warnings);
            {
                const ShownPhases shown(stats, options, "checking " + file);
                runFrontEnd(front, file, options, true, stats);
            }
            if (front.diagnostics.hasErrors()) status = exit_status::kSource;
            dropKnown(front, known, options);
            printDiagnostics(front, options);
        }
        return status;
    }

private:
    CompileArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> makeCheckCommand() { return std::make_unique<CheckCommand>(); }

}  // namespace smec::driver
