#include "driver/commands/format_command.h"

#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "driver/commands/line_diff.h"
#include "driver/compile/compile_arguments.h"
#include "driver/system/exit_status.h"
#include "driver/system/files.h"
#include "source/read_text.h"
#include "syntax/format.h"

namespace smec::driver {
namespace {

ReadText readInput(const std::string& file) { return readText(file == "-" ? "/dev/stdin" : file); }

/// Formats one file. Returns its exit status.
int formatFile(const std::string& file, const RenderOptions& rendering, bool isCheck) {
    const bool isStandardInput = file == "-";
    SourceManager sources;
    Diagnostics diagnostics;
    const ReadText input = readInput(file);
    std::optional<std::string> formatted;
    if (!input.problem.empty()) {
        diagnostics.report(DiagId::CannotRead, {}, file, input.problem);
    } else {
        const FileId id = sources.add(isStandardInput ? "<stdin>" : file, input.text);
        formatted = syntax::format(sources, id, diagnostics);
    }
    if (!formatted) {
        fmt::print(stderr, "{}", render(diagnostics, sources, rendering));
        return exit_status::kSource;
    }
    if (isCheck) {
        fmt::print("{}", lineDiff(input.text, *formatted, isStandardInput ? "<stdin>" : file));
        return *formatted == input.text ? exit_status::kGood : exit_status::kSource;
    }
    if (isStandardInput) {
        fmt::print("{}", *formatted);
    } else if (*formatted != input.text) {
        replaceFile(file, *formatted);
    }
    return exit_status::kGood;
}

class FormatCommand final : public Command {
public:
    const char* name() const override { return "fmt"; }
    const char* help() const override { return "format source files in place"; }
    void declare(CLI::App& app) override {
        app.add_option("FILE", files_,
                       "source files; '-' formats standard input to standard output")
            ->type_name("")
            ->required()
            ->expected(1, -1);
        app.add_flag(
            "--check", isCheck_,
            "write nothing; show what would change, and end with status 1 if anything would");
        declareRendering(app, rendering_);
    }
    std::string finish(const CLI::App&) override {
        finishRendering(rendering_);
        return {};
    }
    int execute() override {
        int status = exit_status::kGood;
        for (const std::string& file : files_)
            status = std::max(status, formatFile(file, rendering_, isCheck_));
        return status;
    }

private:
    std::vector<std::string> files_;
    RenderOptions rendering_;
    bool isCheck_ = false;  ///< write nothing
};

}  // namespace

std::unique_ptr<Command> makeFormatCommand() { return std::make_unique<FormatCommand>(); }

}  // namespace smec::driver
